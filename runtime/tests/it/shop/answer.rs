//! What came back over HTTP.

use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;

/// What came back.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
    pub json: Value,
}

impl Answer {
    pub async fn of(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status: parts.status, headers: parts.headers, text, json }
    }

    #[track_caller]
    pub fn is(&self, status: u16, error: &str) -> &Self {
        assert_eq!(
            (self.status.as_u16(), &self.json["error"]),
            (status, &Value::from(error)),
            "{self:?}"
        );
        assert_eq!(self.headers["cache-control"], "no-store");
        self
    }

    #[track_caller]
    pub fn state(&self, state: &str) -> &Self {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        assert_eq!(self.json["state"], state, "{self:?}");
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}
