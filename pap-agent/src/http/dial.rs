//! Where a request goes: its public URL says who is meant, the dialled address says where they listen.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use reqwest::{Client, redirect, retry};
use url::Url;

use crate::error::NotSent;

/// How hosts are reached. By default as their URLs say, over TLS.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dial {
    /// By host, in lower case.
    pub(crate) addresses: BTreeMap<String, SocketAddr>,
    /// For tests: a dialled loopback address is spoken to without TLS.
    pub(crate) plain_on_loopback: bool,
}

/// What the HTTP client gets.
pub(super) struct Dialled {
    pub(super) url: Url,
    /// The `Host` header, where it is not the URL's.
    pub(super) host: Option<String>,
}

impl Dial {
    /// The HTTP client: no redirects, no retries of its own, no plain HTTP unless it was allowed.
    pub(super) fn client(&self) -> Result<Client, reqwest::Error> {
        let mut client = Client::builder()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .https_only(!self.plain_on_loopback);
        if !self.addresses.is_empty() {
            // a proxy would look the host up by itself
            client = client.no_proxy();
        }
        for (host, address) in &self.addresses {
            client = client.resolve(host, *address);
        }
        client.build()
    }

    /// Where this URL is sent. The URL itself is what the proof is about.
    pub(super) fn address(&self, url: &Url) -> Result<Dialled, NotSent> {
        let host = url.host_str().unwrap_or_default();
        if url.scheme() != "https" {
            return Err(NotSent::NotHttps { host: host.to_owned() });
        }
        let address = self.addresses.get(&host.to_ascii_lowercase());
        let plain = address.filter(|address| self.plain_on_loopback && address.ip().is_loopback());
        let Some(address) = plain else { return Ok(Dialled { url: url.clone(), host: None }) };

        let path_and_query = url.as_str().get(url[..url::Position::BeforePath].len()..);
        let plain = format!("http://{address}{}", path_and_query.unwrap_or_default());
        let plain =
            plain.parse().map_err(|_unreachable| NotSent::NotHttps { host: host.into() })?;
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        Ok(Dialled { url: plain, host: Some(format!("{host}{port}")) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dial(host: &str, address: &str, plain_on_loopback: bool) -> Dial {
        let addresses = BTreeMap::from([(host.to_owned(), address.parse().unwrap())]);
        Dial { addresses, plain_on_loopback }
    }

    #[track_caller]
    fn check(dial: &Dial, url: &str, dialled: &str, host: Option<&str>) {
        let to = dial.address(&url.parse().unwrap()).unwrap();
        assert_eq!((to.url.as_str(), to.host.as_deref()), (dialled, host));
    }

    #[test]
    fn an_allowed_loopback_address_gets_the_path_and_the_public_host() {
        let plain = dial("api.example.com", "127.0.0.1:8080", true);
        let url = "https://API.example.com/a%2Fb?c=%20d";
        check(&plain, url, "http://127.0.0.1:8080/a%2Fb?c=%20d", Some("api.example.com"));
        let url = "https://api.example.com:8443/";
        check(&plain, url, "http://127.0.0.1:8080/", Some("api.example.com:8443"));
        let plain = dial("api.example.com", "[::1]:8080", true);
        let url = "https://api.example.com/a";
        check(&plain, url, "http://[::1]:8080/a", Some("api.example.com"));
    }

    #[test]
    fn everything_else_stays_https() {
        let url = "https://api.example.com/a";
        check(&Dial::default(), url, url, None);
        check(&dial("api.example.com", "127.0.0.1:8080", false), url, url, None);
        check(&dial("api.example.com", "192.0.2.1:8080", true), url, url, None);
        check(&dial("other.example", "127.0.0.1:8080", true), url, url, None);
        let plain = dial("api.example.com", "127.0.0.1:8080", true);
        assert!(plain.address(&"http://api.example.com/a".parse().unwrap()).is_err());
    }
}
