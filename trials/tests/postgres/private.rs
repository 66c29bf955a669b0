//! TLS, with an authority of one's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use pap_runtime::store::Store as _;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_trials::cluster::Cluster;

use crate::draft::{LIFE, now, operation, propose};
use crate::server::shared;

fn openssl(folder: &Path, arguments: &str) {
    let arguments = arguments.split_whitespace();
    let ran = Command::new("openssl").args(arguments).current_dir(folder).output();
    let ran = ran.expect("this trial needs `openssl`: `apt-get install openssl`");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// An authority, whose certificate is answered, and a server's certificate by it.
fn certificates(folder: &Path) -> PathBuf {
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    openssl(
        folder,
        &format!("req -x509 {new} -keyout ca.key -out ca.pem -subj /CN=trial-authority"),
    );
    openssl(
        folder,
        &format!("req {new} -keyout server.key -out server.csr -subj /CN=trial-server"),
    );
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    openssl(
        folder,
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names \
         -out server.crt",
    );
    folder.join("ca.pem")
}

/// A server whose certificate is by the named authority is trusted, and no other.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_is_known_by_its_certificate() {
    let mut cluster = Cluster::start().unwrap();
    let ca = certificates(cluster.folder());
    let another = cluster.folder().join("another");
    std::fs::create_dir(&another).unwrap();
    let another = certificates(&another);
    for file in ["server.crt", "server.key"] {
        let from = cluster.folder().join(file);
        let to = cluster.folder().join("data").join(file);
        let owner = cluster.folder().join("data").join("PG_VERSION");
        std::fs::copy(&from, &to).unwrap();
        let owned = Command::new("chown").arg("--reference").args([&owner, &to]).status().unwrap();
        let closed = Command::new("chmod").arg("600").arg(&to).status().unwrap();
        assert!(owned.success() && closed.success());
    }
    cluster.stop_fast().unwrap();
    cluster.configure(&["ssl = on"]).unwrap();
    cluster.restart().unwrap();

    let config = Config::at(cluster.url()).single_node();
    let store = Postgres::connect(config.clone().ca_file(&ca)).await.unwrap();
    store.begin_life(LIFE).await.unwrap();
    propose(&store, operation(1, now())).await;
    let private = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                   WHERE application_name = 'pap-runtime'";
    assert_eq!(cluster.psql(private).unwrap(), "t");

    let refused = Postgres::connect(config.clone().ca_file(another)).await.unwrap_err().to_string();
    assert!(refused.contains("certificate"), "{refused}");
    let public = Config::at(format!("{}?sslmode=require", cluster.url())).single_node();
    let refused = Postgres::connect(public).await.unwrap_err().to_string();
    assert!(refused.contains(".ca_file("), "{refused}");
    // a server without TLS is not talked to in the clear when TLS was asked for
    let plain = Config::at(shared().url()).single_node().ca_file(ca);
    assert!(Postgres::connect(plain).await.is_err());
}
