//! A server in a process of its own, told what to do by lines on its standard input.

mod company;
mod proof;
mod prototype;

use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;

use axum::Router;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;

use self::company::Measured;
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
}

impl Kind {
    /// As it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Prototype => "prototype",
        }
    }
}

/// The server and what it is told.
enum Server {
    Runtime(Measured),
    Prototype(Prototype),
}

/// Serves until its input ends.
pub(crate) async fn serve(kind: Kind, folder: &Path, thumbprint: &str) -> Result<(), Error> {
    let server = match kind {
        Kind::Runtime => Server::Runtime(Measured::open(folder, thumbprint).await?),
        Kind::Prototype => Server::Prototype(Prototype::open(folder, thumbprint)?),
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
