//! Routes such as `POST /orders/{order_id}/exchanges`.

use super::Misspelled;

/// The methods of a proposing endpoint.
pub const METHODS: [&str; 4] = ["POST", "PUT", "PATCH", "DELETE"];

const EXAMPLE: &str = "write a method and a path: `\"POST /orders/{order_id}/exchanges\"`";

/// Method and path of a proposing endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// One of [`METHODS`].
    pub method: String,
    /// The template as written.
    pub path: String,
    /// The same, cut at each `/`.
    pub segments: Vec<Segment>,
}

/// One part of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a segment is one of these two")]
pub enum Segment {
    /// This text.
    Fixed(String),
    /// Any one non-empty segment: the request's member of this name.
    Parameter(String),
}

impl Route {
    /// The names of its parameters, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Fixed(_) => None,
            Segment::Parameter(name) => Some(name.as_str()),
        })
    }
}

/// Reads a route.
///
/// # Errors
///
/// If the method proposes nothing, or the path is none that every router reads in the same way.
pub fn route(text: &str) -> Result<Route, Misspelled> {
    let Some((method, path)) = text.split_once(' ') else {
        return Err(Misspelled::new(format!("`{text}` is no route"), EXAMPLE));
    };
    if !METHODS.contains(&method) {
        let message = format!("an operation can't be proposed by `{method}`");
        return Err(Misspelled::new(message, "write one of POST, PUT, PATCH or DELETE"));
    }
    let Some(after) = path.strip_prefix('/') else {
        return Err(Misspelled::new(format!("the path `{path}` does not begin with `/`"), EXAMPLE));
    };
    let segments = after.split('/').map(segment).collect::<Result<Vec<_>, _>>()?;
    let route = Route { method: method.to_owned(), path: path.to_owned(), segments };
    let mut seen: Vec<&str> = Vec::new();
    for name in route.parameters() {
        if seen.contains(&name) {
            let message = format!("the path has `{{{name}}}` twice");
            return Err(Misspelled::new(message, "give each path parameter a name of its own"));
        }
        seen.push(name);
    }
    Ok(route)
}

fn segment(text: &str) -> Result<Segment, Misspelled> {
    if let Some(name) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return parameter(name).map(Segment::Parameter);
    }
    if text.is_empty() {
        let help = "write each segment once, without a `/` at the end";
        return Err(Misspelled::new("the path has an empty segment", help));
    }
    if text == "." || text == ".." {
        let message = format!("the path has the segment `{text}`, which clients resolve away");
        return Err(Misspelled::new(message, "write the whole path"));
    }
    if let Some(c) = text.chars().find(|c| !is_path_character(*c)) {
        let message = format!("the path has `{c}` in `{text}`");
        let help = "write letters, digits and `-._~`, and a parameter as a segment of its own: `/{order_id}/`";
        return Err(Misspelled::new(message, help));
    }
    Ok(Segment::Fixed(text.to_owned()))
}

fn parameter(name: &str) -> Result<String, Misspelled> {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(legal) {
        return Ok(name.to_owned());
    }
    let help =
        "name a member of the request between the braces: `{order_id}`; wildcards are not taken";
    Err(Misspelled::new(format!("`{{{name}}}` is no path parameter"), help))
}

/// RFC 3986: what stands in a path segment for itself, without escapes.
fn is_path_character(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '-' | '.' | '_' | '~' | '@' | '!' | '$' | '\'' | ',' | ';' | '=' | '+' | ':')
}
