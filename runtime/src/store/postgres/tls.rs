//! TLS to the server, on a provider that is named here: nothing is set for the whole process.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How a connection is kept private.
pub(super) enum Tls {
    /// Not at all: it does not leave the machine, or the operator said so.
    Off,
    /// By TLS, with the server's name checked.
    On(Box<MakeRustlsConnect>),
}

impl Tls {
    /// What the address and the file of certificates ask for: without a word in the address, TLS for every
    /// server that is not this machine. Certificates are checked against the file, or else the public roots.
    pub(super) fn asked_for(config: &mut Config, ca_file: Option<&Path>) -> Result<Self, String> {
        let off = match config.get_ssl_mode() {
            SslMode::Disable => true,
            SslMode::Prefer => ca_file.is_none() && stays_here(config),
            _ => false,
        };
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
        Ok(Self::On(Box::new(MakeRustlsConnect::new(tls))))
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
