//! What a request carries: bounded, strict JSON, with the path's parameters as members.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::http::request::Parts;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use pap_protocol::json;
use serde_json::value::RawValue;

use super::route::decoded;
use crate::declaration::Schema;
use crate::refusal::Refusal;
use crate::terms::members;

/// Longest body that is read.
const BODY_MAX: usize = 1024 * 1024;
/// How long a body may take to come: a request that waits longer would outlive its proof.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// The body's bytes, if it may be JSON and is not too long.
pub(super) async fn bytes(parts: &Parts, body: Body) -> Result<Bytes, Refusal> {
    if let Some(kind) = parts.headers.get(header::CONTENT_TYPE)
        && !is_json(kind.to_str().unwrap_or_default())
    {
        let why = "the body's type is not JSON: send `Content-Type: application/json`";
        return Err(Refusal::InvalidRequest(why.to_owned()));
    }
    let read = tokio::time::timeout(BODY_WITHIN, Limited::new(body, BODY_MAX).collect()).await;
    let Ok(read) = read else {
        return Err(Refusal::InvalidRequest("the body did not come in time".to_owned()));
    };
    match read {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Refusal::TooLarge),
        Err(_) => Err(Refusal::InvalidRequest("the body ended before it was complete".to_owned())),
    }
}

/// The body as the text of a JSON object; an empty body is an empty object.
pub(super) async fn json(parts: &Parts, body: Body) -> Result<String, Refusal> {
    let bytes = bytes(parts, body).await?;
    if bytes.is_empty() {
        return Ok("{}".to_owned());
    }
    let text = json::strict(&bytes, json::Limits::default())
        .map_err(|error| Refusal::InvalidRequest(error.to_string()))?;
    if !text.trim_start().starts_with('{') {
        return Err(Refusal::InvalidRequest("the body is not a JSON object".to_owned()));
    }
    Ok(text.to_owned())
}

fn is_json(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
}

/// The body with the path's parameters as members, each decoded and in the form that the request declares
/// for it.
pub(super) fn with_parameters(
    request: &Schema,
    body: &str,
    parameters: &[(String, String)],
) -> Result<String, Refusal> {
    let mut out = Vec::new();
    let sent = members(body).map_err(|error| Refusal::InvalidRequest(error.to_string()))?;
    for (name, written) in parameters {
        let value = decoded(written).ok_or_else(|| {
            Refusal::InvalidRequest(format!("`{name}` in the path is no percent-encoded UTF-8"))
        })?;
        let value = in_form(form(request, name), &value);
        if let Some((_, in_body)) = sent.iter().find(|(member, _)| member == name)
            && json::canonical(in_body.get()) != json::canonical(&value)
        {
            return Err(Refusal::InvalidRequest(format!(
                "`{name}` in the body is not the one in the path"
            )));
        }
        out.push(member(name, &value)?);
    }
    let rest = sent.iter().filter(|(name, _)| !parameters.iter().any(|(named, _)| named == name));
    for (name, value) in rest {
        out.push(member(name, RawValue::get(value))?);
    }
    Ok(format!("{{{}}}", out.join(",")))
}

fn member(name: &str, value: &str) -> Result<String, Refusal> {
    let name =
        serde_json::to_string(name).map_err(|error| Refusal::InvalidRequest(error.to_string()))?;
    Ok(format!("{name}:{value}"))
}

/// The declared form of a member, names of wrapped values put aside.
fn form<'a>(request: &'a Schema, name: &str) -> Option<&'a Schema> {
    let Schema::Record(record) = request else { return None };
    let mut form = &record.fields.iter().find(|field| field.name == name)?.schema;
    while let Schema::Named { of, .. } | Schema::Optional { of } = form {
        form = of;
    }
    Some(form)
}

/// A path parameter as JSON: a number or boolean where one is declared and written, text otherwise.
fn in_form(form: Option<&Schema>, value: &str) -> String {
    let bare = match form {
        Some(Schema::Integer { .. }) => {
            value.parse::<i64>().is_ok() || value.parse::<u64>().is_ok()
        }
        Some(Schema::Boolean) => matches!(value, "true" | "false"),
        _ => false,
    };
    if bare { value.to_owned() } else { serde_json::Value::from(value).to_string() }
}
