//! The forms that values of `pap.toml` have.

/// Why a value does not fit, as the end of a sentence: "must be …".
pub(super) type Unfit = &'static str;

pub(super) fn name(text: &str) -> Result<(), Unfit> {
    let fits = !text.trim().is_empty() && text.trim() == text && !text.contains(char::is_control);
    if fits { Ok(()) } else { Err("a name on one line, without spaces around it") }
}

/// `https://` and a host, with or without a port.
pub(super) fn origin(text: &str) -> Result<(), Unfit> {
    let rule = "`https://` and a host, with nothing behind it, such as `https://api.example.com`";
    let host = text.strip_prefix("https://").ok_or(rule)?;
    if is_host(host) { Ok(()) } else { Err(rule) }
}

/// An address below an origin.
pub(super) fn resource(text: &str) -> Result<(), Unfit> {
    let rule = "an `https://` address without a fragment";
    let rest = text.strip_prefix("https://").ok_or(rule)?;
    let host = rest.split(['/', '?']).next().unwrap_or(rest);
    let fits = is_host(host) && rest.chars().all(is_address_letter);
    if fits { Ok(()) } else { Err(rule) }
}

/// `/poppy/operations`.
pub(super) fn endpoint(text: &str) -> Result<(), Unfit> {
    let rule = "a path such as `/poppy/operations`, without a slash at its end";
    let segments = text.strip_prefix('/').ok_or(rule)?;
    let fits = segments.split('/').all(|segment| {
        let plain = segment.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c));
        !segment.is_empty() && segment != "." && segment != ".." && plain
    });
    if fits { Ok(()) } else { Err(rule) }
}

/// A file or folder that stays below the folder it starts from.
pub(super) fn below(text: &str) -> Result<(), Unfit> {
    let fits = !text.is_empty()
        && !text.contains(|c: char| c.is_control() || "\\:*?\"<>|".contains(c))
        && text.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    if fits { Ok(()) } else { Err("a relative path with `/` between its parts and without `..`") }
}

/// A file anywhere.
pub(super) fn file(text: &str) -> Result<(), Unfit> {
    if text.is_empty() || text.contains('\0') { Err("the path of a file") } else { Ok(()) }
}

/// The name of a package or program, as Cargo allows it.
pub(super) fn package(text: &str) -> Result<(), Unfit> {
    let mut letters = text.chars();
    let fits = letters.next().is_some_and(|c| c.is_alphanumeric() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    if fits { Ok(()) } else { Err("a name as in the `Cargo.toml` of the package") }
}

fn is_host(text: &str) -> bool {
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    let port_fits = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    let label_fits = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    port_fits && host.split('.').all(label_fits)
}

fn is_address_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-._~:/?@!$&'()*+,;=%".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(form: fn(&str) -> Result<(), Unfit>, fits: &[&str], unfit: &[&str]) {
        for text in fits {
            assert!(form(text).is_ok(), "{text}");
        }
        for text in unfit {
            assert!(form(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host_alone() {
        let fits = ["https://api.example.com", "https://api.example.com:8443", "https://localhost"];
        let unfit = [
            "http://api.example.com",
            "https://api.example.com/",
            "https://me@api.example.com",
            "https://",
            "https://a b",
            "https://api.example.com:0",
            "https://api.example.com?x",
            "api.example.com",
        ];
        check(origin, &fits, &unfit);
    }

    #[test]
    fn an_endpoint_is_a_plain_path() {
        let unfit = ["poppy", "/", "/a/", "/a//b", "/a/../b", "/a/{id}", "/a?b", "/a b", "/ä", ""];
        check(endpoint, &["/poppy/operations", "/v1.2/ops~x"], &unfit);
    }

    #[test]
    fn outputs_stay_below_their_folder() {
        let unfit = ["", "/etc", "../x", "a/../b", "a//b", "a/", "./a", "c:/x", "a\\b", "a\nb"];
        check(below, &["docs", "a/b.json", "ä"], &unfit);
    }

    #[test]
    fn a_resource_is_an_address() {
        let unfit = ["http://a", "https://", "https://a/b#c", "https://a/b c", "a"];
        check(resource, &["https://api.example.com/poppy/operations", "https://a?x=1"], &unfit);
    }
}
