//! Whom a command asks: the admin router, over a store in this process or over HTTP.

use axum::Router;
use axum::body::Body;
use http::header::CONTENT_TYPE;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower::ServiceExt as _;

use super::console::Stop;
use super::exit::Exit;
use crate::causes::innermost;
use crate::form::Fault;

/// Where the admin router is.
pub(super) enum Source {
    /// In this process.
    Here(Router),
    /// At an address.
    There(Remote),
}

/// The admin router of a running company.
pub(super) struct Remote {
    client: reqwest::Client,
    /// Without a slash at the end.
    address: String,
    token: Option<String>,
}

/// What was answered, as it came and as what it is.
pub(super) struct Said<T> {
    pub(super) json: String,
    pub(super) is: T,
}

impl Remote {
    /// At this address, with this bearer token. It goes over TLS, or stays on this machine.
    pub(super) fn at(address: &str, token: Option<String>) -> Result<Self, Stop> {
        let parsed = reqwest::Url::parse(address);
        let url = parsed.map_err(|error| Stop::usage(format!("--admin `{address}`: {error}")))?;
        let here = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if url.scheme() != "https" && !(url.scheme() == "http" && here) {
            let what =
                format!("--admin `{address}` is not https: a token would be sent in the open");
            return Err(Stop::usage(what).help("only this machine itself may be asked over http"));
        }
        let client = reqwest::Client::builder()
            // a token is not carried on to wherever an answer points
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| Stop::unreached(error.to_string()))?;
        Ok(Self { client, address: address.trim_end_matches('/').to_owned(), token })
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<(StatusCode, String), reqwest::Error> {
        let mut request = self.client.request(method, format!("{}{path}", self.address));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let response = request.send().await?;
        Ok((response.status(), response.text().await?))
    }
}

impl Source {
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Said<T>, Stop> {
        self.ask(Method::GET, path, None).await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<Said<T>, Stop> {
        let body = serde_json::to_string(body).map_err(|error| Stop::usage(error.to_string()))?;
        self.ask(Method::POST, path, Some(body)).await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<Said<T>, Stop> {
        let (status, json) = match self {
            Self::Here(router) => here(router.clone(), method, path, body).await?,
            Self::There(remote) => remote.send(method, path, body).await.map_err(|error| {
                let at = &remote.address;
                let why = innermost(&error);
                Stop::unreached(format!("the admin router at `{at}` did not answer: {why}"))
            })?,
        };
        if !status.is_success() {
            return Err(refused(status, &json));
        }
        match serde_json::from_str(&json) {
            Ok(is) => Ok(Said { json, is }),
            Err(error) => Err(not_ours(&format!("its answer is not of version 1: {error}"))),
        }
    }
}

async fn here(
    router: Router,
    method: Method,
    path: &str,
    body: Option<String>,
) -> Result<(StatusCode, String), Stop> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body.unwrap_or_default()))
        .map_err(|error| Stop::usage(error.to_string()))?;
    let Ok(response) = router.oneshot(request).await;
    let status = response.status();
    let body = response.into_body().collect().await;
    let bytes = body.map_err(|error| Stop::unreached(error.to_string()))?.to_bytes();
    Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
}

fn refused(status: StatusCode, json: &str) -> Stop {
    let Ok(fault) = serde_json::from_str::<Fault>(json) else {
        return not_ours(&format!("it answered {status}"));
    };
    let exit = match status {
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => Exit::Usage,
        StatusCode::SERVICE_UNAVAILABLE => Exit::Unreached,
        _ => Exit::Failed,
    };
    let stop = Stop::new(exit, &fault.error, fault.message);
    match fault.error.as_str() {
        "store_unknown" => {
            stop.help("it may have been written: look with `show` before you say it again")
        }
        "no_such_cursor" => stop.help(
            "a cursor is what `events` printed for this store; without --after it begins with the first event",
        ),
        "not_started" => {
            stop.help("start a process that performs, or raise the limits of its action")
        }
        "not_let_in" => stop.help(
            "put a token that the company accepts into PAP_ADMIN_TOKEN, or into the variable that --token-env names",
        ),
        _ => stop,
    }
}

fn not_ours(why: &str) -> Stop {
    Stop::unreached(format!("there is no admin router at this address: {why}"))
        .help("--admin is the address at which the company nests `pap_ops::router`")
}

/// A value in a query.
pub(super) fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}
