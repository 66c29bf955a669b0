//! The load: so many connections, each with one confirm under way at a time.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::error::Error;

/// Confirms that wait to be sent, ready for the wire.
pub(crate) type Requests = Arc<Mutex<Vec<Vec<u8>>>>;

/// What the connections came to together.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) elapsed: Duration,
    /// How long each confirm took.
    pub(crate) latencies: Vec<Duration>,
}

/// Sends confirms for so long, or until none is left.
pub(crate) async fn load(
    port: u16,
    connections: usize,
    requests: &Requests,
    during: Duration,
) -> Result<Loaded, Error> {
    let mut streams = Vec::new();
    for _ in 0..connections {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let start = Instant::now();
    let mut callers = JoinSet::new();
    for stream in streams {
        callers.spawn(call(stream, Arc::clone(requests), start + during));
    }
    let mut latencies = Vec::new();
    while let Some(called) = callers.join_next().await {
        latencies.extend(called.map_err(Error::of)??);
    }
    Ok(Loaded { elapsed: start.elapsed(), latencies })
}

async fn call(
    mut stream: TcpStream,
    requests: Requests,
    until: Instant,
) -> Result<Vec<Duration>, Error> {
    let (mut latencies, mut answer) = (Vec::new(), Vec::with_capacity(4_096));
    while Instant::now() < until {
        let next = requests.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(request) = next else { break };
        let sent = Instant::now();
        stream.write_all(&request).await?;
        answer.clear();
        while !is_whole(&answer)? {
            if stream.read_buf(&mut answer).await? == 0 {
                return Err(Error::said("the server hung up"));
            }
        }
        latencies.push(sent.elapsed());
    }
    Ok(latencies)
}

/// Whether an answer has arrived; one that confirms nothing is an error.
fn is_whole(answer: &[u8]) -> Result<bool, Error> {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(false);
    };
    let (head, body) = answer.split_at(end + 4);
    let head = String::from_utf8_lossy(head);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.ok_or_else(|| Error::said("an answer has no length"))?.parse()?;
    if body.len() < length {
        return Ok(false);
    }
    let succeeded =
        head.starts_with("HTTP/1.1 200") && body.windows(9).any(|word| word == b"succeeded");
    if succeeded {
        return Ok(true);
    }
    Err(Error::said(format!("a confirm was answered {head}{}", String::from_utf8_lossy(body))))
}
