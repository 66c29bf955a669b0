//! A server in a process of its own, told what to do by lines on its standard input.

mod company;
mod keep;
mod proof;
mod prototype;

use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;

use axum::Router;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;

use self::company::Measured;
use self::keep::Keep;
use self::prototype::Prototype;
use crate::error::Error;
use crate::usage::{cpu, resident};

/// Which server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// The runtime.
    Runtime,
    /// The minimal honest prototype.
    Prototype,
    /// The same without batches: each write is a statement of its own.
    Single,
}

impl Kind {
    /// As it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Prototype => "prototype",
            Self::Single => "single",
        }
    }
}

/// The server and what it is told.
enum Server {
    Runtime(Measured),
    Prototype(Prototype),
}

/// Where a server keeps what it writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// A file in this folder.
    Folder(&'a Path),
    /// PostgreSQL at this address.
    Database(&'a str),
}

/// Serves until its input ends.
pub(crate) async fn serve(kind: Kind, place: Place<'_>, thumbprint: &str) -> Result<(), Error> {
    let prototype = |keep| Server::Prototype(Prototype::new(keep, thumbprint));
    let server = match (kind, place) {
        (Kind::Runtime, _) => Server::Runtime(Measured::open(place, thumbprint).await?),
        (Kind::Prototype, Place::Folder(folder)) => prototype(Keep::file(folder)?),
        (Kind::Prototype, Place::Database(url)) => prototype(Keep::lanes(url).await?),
        (Kind::Single, Place::Database(url)) => prototype(Keep::pool(url).await?),
        (Kind::Single, Place::Folder(_)) => {
            return Err(Error::said("what batches nothing is measured on PostgreSQL"));
        }
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    say(listener.local_addr()?.port())?;
    let router = server.router();
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        say(server.told(&line).await?)?;
    }
    serving.abort();
    Ok(())
}

impl Server {
    fn router(&self) -> Router {
        match self {
            Self::Runtime(company) => company.clone().router(),
            Self::Prototype(prototype) => prototype.clone().router(),
        }
    }

    async fn told(&self, line: &str) -> Result<String, Error> {
        match (line.split_once(' ').unwrap_or((line, "")), self) {
            (("propose", count), Self::Runtime(company)) => {
                Ok(company.propose(count.parse()?).await?.join(" "))
            }
            (("propose", count), Self::Prototype(prototype)) => {
                Ok(prototype.propose(count.parse()?).await?.join(" "))
            }
            (("end", count), Self::Runtime(company)) => {
                company.end(count.parse()?).await.map(|()| "ended".to_owned())
            }
            (("usage", _), _) => Ok(format!("{} {}", cpu().as_micros(), resident()?)),
            _ => Err(Error::said(format!("`{line}` is nothing that a server does"))),
        }
    }
}

/// One line to whoever started this process.
pub(crate) fn say(line: impl std::fmt::Display) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
