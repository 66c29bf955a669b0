//! The parts of a route.

/// The names in braces, in order: `order_id` of `/orders/{order_id}`.
pub fn parameters(path: &str) -> Vec<&str> {
    path.split('/').filter_map(parameter).collect()
}

/// The path with the names of its parameters erased: two routes that are equal without names answer
/// the same requests.
pub fn without_names(path: &str) -> String {
    let erased: Vec<&str> =
        path.split('/').map(|part| if parameter(part).is_some() { "{}" } else { part }).collect();
    erased.join("/")
}

/// Why a route is none, if it is none.
pub(super) fn fault(method: &str, path: &str) -> Option<&'static str> {
    if !["POST", "PUT", "PATCH", "DELETE"].contains(&method) {
        return Some("its method is not POST, PUT, PATCH or DELETE");
    }
    let Some(parts) = path.strip_prefix('/') else {
        return Some("its path does not begin with `/`");
    };
    let mut names = parameters(path);
    names.sort_unstable();
    if names.windows(2).any(|pair| pair.first() == pair.last()) {
        return Some("its path names one parameter twice");
    }
    let fits = parts.split('/').all(|part| match parameter(part) {
        Some(name) => is_name(name),
        None => !part.is_empty() && part.chars().all(is_letter),
    });
    if fits {
        None
    } else {
        Some("its path has a part that is neither plain nor one `{parameter}`")
    }
}

fn parameter(part: &str) -> Option<&str> {
    part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))
}

fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@%".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_that_differ_in_names_alone_are_the_same() {
        assert_eq!(parameters("/orders/{order_id}/items/{n}"), ["order_id", "n"]);
        assert_eq!(without_names("/orders/{order_id}/x"), without_names("/orders/{id}/x"));
        assert_ne!(without_names("/orders/{order_id}"), without_names("/orders/x"));
    }

    #[test]
    fn what_is_no_route_is_refused() {
        assert_eq!(fault("POST", "/orders/{order_id}/exchanges"), None);
        for (method, path) in [
            ("GET", "/orders"),
            ("POST", "orders"),
            ("POST", "/orders/"),
            ("POST", "/orders/{}"),
            ("POST", "/orders/{a}{b}"),
            ("POST", "/orders/x{a}"),
            ("POST", "/{a}/{a}"),
            ("POST", "/orders?x"),
            ("POST", "/a b"),
        ] {
            assert!(fault(method, path).is_some(), "{method} {path}");
        }
    }
}
