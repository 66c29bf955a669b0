//! TLS to the server, on a provider that is named here: nothing is set for the whole process.

use std::fmt;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// How a connection is kept private.
#[derive(Clone)]
pub(super) enum Tls {
    /// Not at all: it does not leave the machine, or the operator said so.
    Off,
    /// By TLS, with the server's name checked.
    On(Connector),
}

impl Tls {
    /// What the address and the file of certificates ask for: without a word in the address, TLS for every
    /// server that is not this machine. Certificates are checked against the file, or else the public roots.
    pub(super) fn asked_for(config: &mut Config, ca_file: Option<&Path>) -> Result<Self, String> {
        let asked = config.get_ssl_mode();
        let nothing_said = asked == SslMode::Prefer && ca_file.is_none();
        let off = asked == SslMode::Disable || (nothing_said && stays_here(config));
        if off {
            config.ssl_mode(SslMode::Disable);
            return Ok(Self::Off);
        }
        config.ssl_mode(SslMode::Require);
        let roots = match ca_file {
            Some(file) => from_file(file)?,
            None => RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() },
        };
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let tls = tls.map_err(|error| format!("TLS cannot be set up: {error}"))?;
        let tls = tls.with_root_certificates(roots).with_no_client_auth();
        Ok(Self::On(Connector(TlsConnector::from(Arc::new(tls)))))
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "Off",
            Self::On(_) => "On",
        })
    }
}

fn stays_here(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            name == "localhost"
                || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

fn from_file(file: &Path) -> Result<RootCertStore, String> {
    let cannot = |why: &dyn fmt::Display| {
        format!(
            "`{}` holds no certificates that can be read: {why}\n\
             help: name the PEM file of the authority that signed the server's certificate",
            file.display()
        )
    };
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(file).map_err(|error| cannot(&error))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| cannot(&error))?;
        roots.add(certificate).map_err(|error| cannot(&error))?;
    }
    if roots.is_empty() {
        return Err(cannot(&"it is empty"));
    }
    Ok(roots)
}

/// Begins TLS on a connection.
#[derive(Clone)]
pub(super) struct Connector(TlsConnector);

impl<S> MakeTlsConnect<S> for Connector
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Private<S>;
    type TlsConnect = To;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<To, Self::Error> {
        Ok(To { connector: self.0.clone(), server: ServerName::try_from(host)?.to_owned() })
    }
}

/// Begins TLS with one server.
pub(super) struct To {
    connector: TlsConnector,
    server: ServerName<'static>,
}

impl<S> TlsConnect<S> for To
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Private<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Private<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { self.connector.connect(self.server, stream).await.map(Private) })
    }
}

/// A connection under TLS.
pub(super) struct Private<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Private<S> {
    fn channel_binding(&self) -> ChannelBinding {
        // the server is known by its certificate
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Private<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Private<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
