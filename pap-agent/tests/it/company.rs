//! A Company that follows a script: real connections on loopback, every proof checked.

use std::collections::{HashSet, VecDeque};
use std::io::Write;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use pap_agent::Clock;
use pap_protocol::dpop::{Expected, verify};
use pap_protocol::value::Instant;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::clock::SimClock;

/// The origin that the Company publishes; where it listens is another matter.
pub(crate) const ORIGIN: &str = "https://api.example.com";

/// What it does with one request.
pub(crate) enum Step {
    /// Answers.
    Answer(Reply),
    /// Answers, and does something before that.
    Meanwhile(Box<dyn FnOnce(&Received) + Send>, Reply),
    /// Answers once it is told to.
    Later(oneshot::Receiver<()>, Reply),
    /// Closes the connection without an answer.
    Drop,
    /// Never answers; the request runs out of time.
    Hang,
    /// Never answers; the request does not run out of time either.
    HoldOn,
    /// Sends these bytes and closes the connection.
    Bytes(Vec<u8>),
}

#[derive(Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    pub(crate) fn text(status: u16, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type", media_type.to_owned())];
        Self { status, headers, body: body.into() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let status = self.status;
        write!(bytes, "HTTP/1.1 {status} Scripted\r\nConnection: close\r\n").unwrap();
        for (name, value) in &self.headers {
            write!(bytes, "{name}: {value}\r\n").unwrap();
        }
        write!(bytes, "Content-Length: {}\r\n\r\n", self.body.len()).unwrap();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

impl From<Reply> for Step {
    fn from(reply: Reply) -> Self {
        Self::Answer(reply)
    }
}

/// One request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(header, _)| header == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "the header `{name}` is there twice");
        value
    }

    /// `POST /poppy/operations/exc_5Rt2/confirm`
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }
}

pub(crate) struct ScriptedCompany {
    pub(crate) address: SocketAddr,
    script: Arc<Script>,
    listener: JoinHandle<()>,
}

struct Script {
    steps: Mutex<VecDeque<Step>>,
    received: Mutex<Vec<Received>>,
    wrong: Mutex<Vec<String>>,
    /// Every proof that was seen: none is used twice.
    proofs: Mutex<HashSet<String>>,
    /// The thumbprint that Session Tokens are bound to.
    thumbprint: String,
    clock: SimClock,
}

impl ScriptedCompany {
    pub(crate) async fn start(clock: SimClock, thumbprint: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let script = Arc::new(Script {
            steps: Mutex::default(),
            received: Mutex::default(),
            wrong: Mutex::default(),
            proofs: Mutex::default(),
            thumbprint,
            clock,
        });
        let listener = tokio::spawn(listen(listener, Arc::clone(&script)));
        Self { address, script, listener }
    }

    pub(crate) fn will(&self, step: impl Into<Step>) {
        self.script.steps.lock().unwrap().push_back(step.into());
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.script.received.lock().unwrap().clone()
    }

    /// The lines of the requests since the last time this was asked.
    pub(crate) fn lines(&self) -> Vec<String> {
        std::mem::take(&mut *self.script.received.lock().unwrap())
            .iter()
            .map(Received::line)
            .collect()
    }
}

/// Whatever the test is about: the script was played to its end, and every request was a good one.
impl Drop for ScriptedCompany {
    fn drop(&mut self) {
        self.listener.abort();
        if std::thread::panicking() {
            return;
        }
        let wrong = self.script.wrong.lock().unwrap();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let left = self.script.steps.lock().unwrap().len();
        assert_eq!(left, 0, "steps that were not asked for");
    }
}

async fn listen(listener: TcpListener, script: Arc<Script>) {
    loop {
        let (connection, _) = listener.accept().await.unwrap();
        tokio::spawn(serve(connection, Arc::clone(&script)));
    }
}

async fn serve(mut connection: TcpStream, script: Arc<Script>) {
    let Some(received) = read(&mut connection, &script).await else { return };
    if let Err(wrong) = script.check(&received) {
        script.wrong.lock().unwrap().push(format!("{}: {wrong}", received.line()));
    }
    script.received.lock().unwrap().push(received.clone());
    let step = script.steps.lock().unwrap().pop_front();
    let reply = match step {
        Some(Step::Answer(reply)) => reply.bytes(),
        Some(Step::Meanwhile(act, reply)) => {
            act(&received);
            reply.bytes()
        }
        Some(Step::Later(told, reply)) => {
            told.await.unwrap();
            reply.bytes()
        }
        Some(Step::Bytes(bytes)) => bytes,
        Some(Step::Drop) => return,
        Some(Step::Hang) => {
            script.clock.give_up_requests();
            return std::future::pending().await;
        }
        Some(Step::HoldOn) => return std::future::pending().await,
        None => {
            script.wrong.lock().unwrap().push(format!("{}: not in the script", received.line()));
            Reply::json(404, &serde_json::json!({ "error": "not_found" })).bytes()
        }
    };
    // the client may be gone: that is its business
    drop(connection.write_all(&reply).await);
    drop(connection.shutdown().await);
}

async fn read(connection: &mut TcpStream, script: &Script) -> Option<Received> {
    let mut bytes = Vec::new();
    let head = loop {
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break String::from_utf8(bytes.drain(..end + 4).collect()).unwrap();
        }
    };
    let mut lines = head.trim_end().split("\r\n");
    let mut first = lines.next().unwrap().split(' ');
    let (method, target) = (first.next().unwrap().to_owned(), first.next().unwrap().to_owned());
    let headers: Vec<_> = lines
        .map(|line| line.split_once(':').unwrap())
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
    while bytes.len() < length {
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8(bytes).unwrap();
    Some(Received { method, target, headers, body, at: script.clock.now() })
}

impl Script {
    /// What every request must be, whatever it asks for.
    fn check(&self, received: &Received) -> Result<(), String> {
        let token =
            received.header("authorization").and_then(|header| header.strip_prefix("DPoP "));
        let token = token.ok_or("no `DPoP` token")?;
        let proof = received.header("dpop").ok_or("no proof")?;
        if received.header("host") != Some("api.example.com") {
            return Err("not addressed to the host of the URL".into());
        }
        if received.header("cookie").is_some() || received.header("referer").is_some() {
            return Err("a cookie or a referer".into());
        }
        let url = format!("{ORIGIN}{}", received.target);
        let expected = Expected {
            method: &received.method,
            url: &url,
            access_token: Some(token),
            thumbprint: Some(&self.thumbprint),
            now: self.clock.now().as_millis().div_euclid(1000),
            nonce: None,
        };
        let proof = verify(proof, expected).map_err(|refused| refused.to_string())?;
        if self.proofs.lock().unwrap().insert(proof.jti) {
            Ok(())
        } else {
            Err("a proof is used twice".into())
        }
    }
}
