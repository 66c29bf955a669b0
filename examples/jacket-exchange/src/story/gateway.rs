//! What stands between the agent and the shop, as in any real set-up: it passes requests on, loses an
//! answer when it is told to, and keeps what went over the wire. It never keeps a header's value.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, HOST, RETRY_AFTER};
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::Told;

/// The most bytes of a body that are passed on.
const BODY_MAX: usize = 1024 * 1024;

pub(super) struct Gateway {
    pub(super) address: SocketAddr,
    shared: Arc<Shared>,
    listener: JoinHandle<()>,
}

struct Shared {
    http: reqwest::Client,
    shop: Mutex<Option<SocketAddr>>,
    loses_next_answer: Mutex<bool>,
    wire: Mutex<Vec<String>>,
}

impl Gateway {
    pub(super) async fn open() -> Told<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            http: on_this_machine()?,
            shop: Mutex::default(),
            loses_next_answer: Mutex::default(),
            wire: Mutex::default(),
        });
        let app = Router::new().fallback(pass_on).with_state(Arc::clone(&shared));
        let listener = tokio::spawn(async move {
            // it ends with the story
            drop(axum::serve(listener, app).await);
        });
        Ok(Self { address, shared, listener })
    }

    /// From now on the shop is there.
    pub(super) fn send_to(&self, shop: SocketAddr) {
        *lock(&self.shared.shop) = Some(shop);
    }

    /// The next answer does not reach the agent.
    pub(super) fn lose_next_answer(&self) {
        *lock(&self.shared.loses_next_answer) = true;
    }

    /// What went over the wire since the last time this was asked. The same line again is left out.
    pub(super) fn wire(&self) -> Vec<String> {
        let mut lines = std::mem::take(&mut *lock(&self.shared.wire));
        lines.dedup();
        lines
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

async fn pass_on(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let asked = to_bytes(body, BODY_MAX).await.unwrap_or_default();
    let cookie = if parts.headers.contains_key("cookie") { " (with a cookie)" } else { "" };
    let line = format!("{} {}{cookie} {}", parts.method, parts.uri.path(), text(&asked));
    let answered = shared.ask(&parts, asked).await;

    let lost = std::mem::take(&mut *lock(&shared.loses_next_answer));
    let (said, response) = match answered {
        Ok((status, headers, body)) if !lost => {
            let mut response = Response::new(Body::from(body.clone()));
            *response.status_mut() = status;
            *response.headers_mut() = headers.clone();
            (essentials(parts.uri.path(), status, &headers, &body), response)
        }
        Ok((status, headers, body)) => {
            let said = essentials(parts.uri.path(), status, &headers, &body);
            (format!("{said}, an answer that never arrives"), bad_gateway())
        }
        Err(_) => ("502: the shop is not there".to_owned(), bad_gateway()),
    };
    lock(&shared.wire).push(short(&format!("{} -> {said}", line.trim_end())));
    response
}

impl Shared {
    async fn ask(
        &self,
        parts: &axum::http::request::Parts,
        body: Bytes,
    ) -> Told<(StatusCode, HeaderMap, Bytes)> {
        let shop = lock(&self.shop).ok_or("there is no shop yet")?;
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut headers = parts.headers.clone();
        headers.remove(HOST);
        headers.remove(CONTENT_LENGTH);
        let url = format!("http://{shop}{path}");
        let request = self.http.request(parts.method.clone(), url).headers(headers).body(body);
        let answer = request.send().await?;
        Ok((answer.status(), answer.headers().clone(), answer.bytes().await?))
    }
}

/// A client for addresses of this machine, which no proxy knows.
pub(super) fn on_this_machine() -> Told<reqwest::Client> {
    Ok(reqwest::Client::builder().no_proxy().build()?)
}

fn bad_gateway() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_GATEWAY;
    response
}

/// The status and the members that tell how an operation stands, but for what the path says already.
fn essentials(path: &str, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> String {
    let mut said = status.as_u16().to_string();
    if let Ok(Value::Object(body)) = serde_json::from_slice(body) {
        let told = body.get("operation").and_then(Value::as_object).unwrap_or(&body);
        let wanted = ["error", "operation_id", "revision", "state", "exchanged_for", "extensions"];
        let kept = wanted.iter().filter_map(|name| Some((*name, told.get(*name)?)));
        let kept = kept.filter(|(_, value)| value.as_str().is_none_or(|text| !path.contains(text)));
        let kept: Vec<String> = kept.map(|(name, value)| format!("\"{name}\": {value}")).collect();
        said = format!("{said} {{ {} }}", kept.join(", "));
    }
    if let Some(seconds) = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()) {
        said.push_str(", Retry-After: ");
        said.push_str(seconds);
    }
    said
}

/// Ids are long, so that nobody guesses one; their beginnings are enough to tell them apart here.
pub(super) fn short(line: &str) -> String {
    let mut out = String::new();
    for word in line.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let end = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let rest = word.get(end.len()..).unwrap_or_default();
        match end.get(..8) {
            Some(begin) if end.len() == 30 && end.get(3..4) == Some("_") => {
                out.extend([begin, "…", rest]);
            }
            _ => out.push_str(word),
        }
    }
    out
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).into_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
