//! A connection that had ended before something was asked on it.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::runtime::Handle;

use super::super::bound::Bound;
use super::super::failure::Failure;
use super::super::link::{Link, Way};
use super::super::standing::Standing;
use super::super::tls::Tls;

/// What a server says that lets somebody in, and waits for a question.
const WELCOME: &[u8] = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";

/// A connection whose server is gone.
async fn ended() -> Link {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = server.local_addr().unwrap().port();
    let serving = async {
        let (mut client, _) = server.accept().await.unwrap();
        let length = client.read_u32().await.unwrap();
        let mut startup = vec![0; usize::try_from(length).unwrap() - 4];
        client.read_exact(&mut startup).await.unwrap();
        client.write_all(WELCOME).await.unwrap();
    };
    let config = format!("host=127.0.0.1 port={port} user=shop dbname=shop sslmode=disable");
    let way = Way {
        config: config.parse().unwrap(),
        tls: Tls::Off,
        answer_within: Duration::from_secs(10),
        prepares: false,
        handle: Handle::current(),
        standing: Arc::new(Standing::on("pap")),
    };
    let (link, ()) = tokio::join!(way.reach(), serving);
    let link = link.unwrap_or_else(|failure| panic!("{failure:?}"));
    while !link.is_closed() {
        tokio::task::yield_now().await;
    }
    link
}

#[tokio::test]
async fn what_is_asked_on_a_connection_that_had_ended_was_not_sent() {
    let link = ended().await;
    let none = Bound::default();
    let asked = link.ask("SELECT 1", &none).await.map(drop);
    let both = link.rows_after(("SELECT 1", &none), ("SELECT 2", &none)).await.map(drop);
    let read = link.as_of_one_moment(&[("SELECT 1", &none)]).await.map(drop);
    for answer in [asked, both, read] {
        assert!(matches!(answer, Err(Failure::NotSent(_))), "{answer:?}");
    }
}
