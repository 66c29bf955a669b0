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
