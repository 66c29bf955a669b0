//! A PostgreSQL of one's own: made, started, stopped and removed, also when the trial dies.
//!
//! A watchdog process holds the other end of a pipe: when this process is gone, however it went, the
//! watchdog ends the server and removes its files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::Fault;
use crate::port::Port;

/// So long a server may take to start or to stop.
const WITHIN: Duration = Duration::from_secs(60);
/// Between two looks at whether it has.
const LOOK: Duration = Duration::from_millis(20);

/// What to do where there is no PostgreSQL.
const INSTALL: &str = "this trial needs PostgreSQL: `apt-get install postgresql` puts it where it is looked \
                       for, /usr/lib/postgresql/*/bin and PATH; `PAP_PG_BIN` names another folder";

/// A server with files, a port and a socket of its own, with `fsync` on.
#[derive(Debug)]
pub struct Cluster {
    bin: PathBuf,
    folder: PathBuf,
    port: Arc<Port>,
    server: Option<Child>,
    watchdog: Child,
    environment: Vec<(OsString, OsString)>,
}

impl Cluster {
    /// Makes and starts a server.
    pub fn start() -> Result<Self, Fault> {
        Self::start_with(&[])
    }

    /// Makes and starts a server with these lines in its configuration.
    pub fn start_with(lines: &[&str]) -> Result<Self, Fault> {
        let mut cluster = Self::empty()?;
        let made = cluster
            .as_owner("initdb")
            .args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(cluster.data())
            .output()?;
        succeeded("initdb", &made)?;
        cluster.settle_in(&["max_connections = 300", "fsync = on"])?;
        cluster.configure(lines)?;
        cluster.restart()?;
        Ok(cluster)
    }

    /// From the next start on the server has these variables.
    pub fn set_environment(&mut self, environment: Vec<(OsString, OsString)>) {
        self.environment = environment;
    }

    /// A copy of the files of this server, as a backup makes it; it is not started.
    pub fn backup(&self) -> Result<Self, Fault> {
        let copy = Self::empty()?;
        let made = copy
            .as_owner("pg_basebackup")
            .args(["-X", "stream", "-c", "fast", "-d", &self.url(), "-D"])
            .arg(copy.data())
            .output()?;
        succeeded("pg_basebackup", &made)?;
        copy.settle_in(&[])?;
        Ok(copy)
    }

    /// From the next start on it goes through its log to the end, and is promoted.
    pub fn recover(&self) -> Result<(), Fault> {
        self.configure(&["restore_command = 'false'"])?;
        Ok(std::fs::write(self.data().join("recovery.signal"), "")?)
    }

    /// It is found where the other one was, which is stopped.
    pub fn take_port_of(&mut self, other: &Self) -> Result<(), Fault> {
        self.port = Arc::clone(&other.port);
        self.configure(&[&format!("port = {}", self.port())])
    }

    /// A schema as statements that make it anew.
    pub fn dump(&self, schema: &str) -> Result<String, Fault> {
        let ran = Command::new(self.bin.join("pg_dump"))
            .args(["-n", schema, "-d", &self.url()])
            .output()?;
        succeeded("pg_dump", &ran)
    }

    /// Runs the statements of a dump.
    pub fn load(&self, dump: &str) -> Result<(), Fault> {
        let file = self.folder.join("dump.sql");
        std::fs::write(&file, dump)?;
        let ran = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", &self.url(), "-f"])
            .arg(file)
            .output()?;
        succeeded("psql", &ran).map(drop)
    }

    /// A folder, a port and a watchdog, without files of a server.
    fn empty() -> Result<Self, Fault> {
        let (bin, folder) = (bin()?, folder()?);
        let watchdog = watch(&folder)?;
        Ok(Self {
            bin,
            folder,
            port: Arc::new(Port::take()?),
            server: None,
            watchdog,
            environment: Vec::new(),
        })
    }

    /// Has the server use its own port and folder.
    fn settle_in(&self, lines: &[&str]) -> Result<(), Fault> {
        self.configure(&[
            "listen_addresses = '127.0.0.1'",
            &format!("port = {}", self.port()),
            &format!("unix_socket_directories = '{}'", self.folder.display()),
        ])?;
        self.configure(lines)
    }

    /// Adds lines to the configuration; they hold from the next start or reload.
    pub fn configure(&self, lines: &[&str]) -> Result<(), Fault> {
        let file = self.data().join("postgresql.conf");
        let mut text = std::fs::read_to_string(&file)?;
        for line in lines {
            text.push('\n');
            text.push_str(line);
        }
        text.push('\n');
        Ok(std::fs::write(file, text)?)
    }

    /// The address of the database `postgres`, over TCP.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port())
    }

    /// The same database over the socket.
    pub fn socket_url(&self) -> String {
        format!("host={} port={} user=postgres dbname=postgres", self.folder.display(), self.port())
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// A folder of its own, which is removed with it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs statements with `psql`: what they print, without headers.
    pub fn psql(&self, statements: &str) -> Result<String, Fault> {
        let ran = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-d", &self.url(), "-c"])
            .arg(statements)
            .output()?;
        succeeded("psql", &ran)
    }

    /// Ends the server as a power cut would, but for what the disk holds: no checkpoint, no goodbye.
    pub fn stop_immediate(&mut self) -> Result<(), Fault> {
        self.stop("QUIT")
    }

    /// Ends the server after a checkpoint.
    pub fn stop_fast(&mut self) -> Result<(), Fault> {
        self.stop("INT")
    }

    /// Starts the server again after a stop, and waits until it answers.
    pub fn restart(&mut self) -> Result<(), Fault> {
        let log =
            std::fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log"))?;
        let server = self
            .as_owner_with("postgres", &self.environment)
            .arg("-D")
            .arg(self.data())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        self.server = Some(server);
        let end = Instant::now() + WITHIN;
        loop {
            // by its own socket: on the port somebody else could answer
            let ready = Command::new(self.bin.join("pg_isready"))
                .args(["-q", "-p", &self.port().to_string(), "-h"])
                .arg(&self.folder)
                .status()?;
            if ready.success() {
                return Ok(());
            }
            if let Some(ended) = self.server.as_mut().map(Child::try_wait).transpose()?.flatten() {
                return Err(format!("the server ended with {ended}:\n{}", self.log()).into());
            }
            if Instant::now() > end {
                return Err(format!("the server does not answer:\n{}", self.log()).into());
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Stops every process of the server where it stands.
    pub fn sigstop(&self) -> Result<(), Fault> {
        self.signal_all("STOP")
    }

    /// Lets every process of the server go on.
    pub fn sigcont(&self) -> Result<(), Fault> {
        self.signal_all("CONT")
    }

    /// What the server has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// A program of PostgreSQL as an unprivileged user: as root it refuses to run.
    fn as_owner(&self, program: &str) -> Command {
        self.as_owner_with(program, &[])
    }

    /// The same with these variables, which whatever makes it unprivileged does not have.
    fn as_owner_with(&self, program: &str, environment: &[(OsString, OsString)]) -> Command {
        let mut command = match owner() {
            None => Command::new("env"),
            Some(owner) => {
                let mut command = Command::new("setpriv");
                command.args([
                    format!("--reuid={owner}"),
                    format!("--regid={}", group(&owner)),
                    "--clear-groups".to_owned(),
                    "env".to_owned(),
                ]);
                command.current_dir("/");
                command
            }
        };
        for (variable, value) in environment {
            let mut set = variable.clone();
            set.push("=");
            set.push(value);
            command.arg(set);
        }
        command.arg(self.bin.join(program));
        command
    }

    fn stop(&mut self, signal: &str) -> Result<(), Fault> {
        let Some(mut server) = self.server.take() else { return Ok(()) };
        kill(signal, server.id())?;
        let end = Instant::now() + WITHIN;
        while server.try_wait()?.is_none() {
            if Instant::now() > end {
                self.server = Some(server);
                return Err("the server does not stop".into());
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn signal_all(&self, signal: &str) -> Result<(), Fault> {
        let server = self.server.as_ref().ok_or("the server is stopped")?.id();
        let children =
            Command::new("ps").args(["-o", "pid=", "--ppid", &server.to_string()]).output()?;
        let children = String::from_utf8(children.stdout)?;
        kill(signal, server)?;
        for child in children.split_whitespace() {
            // one that has ended meanwhile needs no signal
            drop(kill(signal, child.parse()?));
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.sigcont());
        drop(self.stop_immediate());
        // the watchdog sees the end of its pipe, and removes the folder
        drop(self.watchdog.stdin.take());
        drop(self.watchdog.wait());
    }
}

/// Where the programs of PostgreSQL are: the newest that is installed.
fn bin() -> Result<PathBuf, Fault> {
    let mut places: Vec<PathBuf> =
        std::env::var_os("PAP_PG_BIN").map(PathBuf::from).into_iter().collect();
    let mut installed: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|found| {
            let version = found.file_name().to_str()?.parse().ok()?;
            Some((version, found.path().join("bin")))
        })
        .collect();
    installed.sort();
    places.extend(installed.into_iter().rev().map(|(_, place)| place));
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let found = places.into_iter().find(|place| {
        ["initdb", "postgres", "psql", "pg_isready"]
            .iter()
            .all(|program| place.join(program).exists())
    });
    found.ok_or_else(|| INSTALL.into())
}

/// The unprivileged user that the server runs as, if this process is root.
fn owner() -> Option<String> {
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() != b"0" {
        return None;
    }
    let known = |name: &str| {
        Command::new("id").args(["-u", name]).output().is_ok_and(|id| id.status.success())
    };
    ["postgres", "nobody"].into_iter().find(|name| known(name)).map(str::to_owned)
}

fn group(owner: &str) -> String {
    let group = Command::new("id").args(["-g", owner]).output().map(|id| id.stdout);
    group.map_or_else(|_| owner.to_owned(), |id| String::from_utf8_lossy(&id).trim().to_owned())
}

/// A folder that the server's user owns.
fn folder() -> Result<PathBuf, Fault> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::SeqCst);
    // short: a socket's path has little room
    let folder = std::env::temp_dir().join(format!("pap-pg-{}-{number}", std::process::id()));
    let mut make = Command::new("install");
    make.args(["-d", "-m", "0755"]);
    if let Some(owner) = owner() {
        make.args(["-o", &owner, "-g", &group(&owner)]);
    }
    succeeded("install", &make.arg(&folder).output()?)?;
    Ok(folder)
}

/// A process that outlives this one by a moment: it ends the server and removes the folder.
fn watch(folder: &Path) -> Result<Child, Fault> {
    use std::os::unix::process::CommandExt as _;
    let script = r#"
        cat >/dev/null
        pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
        if [ -n "$pid" ]; then
            kill -CONT "$pid" $(ps -o pid= --ppid "$pid") 2>/dev/null
            kill -QUIT "$pid" 2>/dev/null
            n=0
            while kill -0 "$pid" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
        fi
        rm -rf "$1"
    "#;
    let watchdog = Command::new("sh")
        .args(["-c", script, "watchdog"])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // what interrupts the trial does not interrupt its cleaning
        .process_group(0)
        .spawn()?;
    Ok(watchdog)
}

fn kill(signal: &str, process: u32) -> Result<(), Fault> {
    let killed = Command::new("kill").args([format!("-{signal}"), process.to_string()]).output()?;
    succeeded("kill", &killed).map(drop)
}

fn succeeded(program: &str, ran: &Output) -> Result<String, Fault> {
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned());
    }
    Err(format!("`{program}` failed: {}", String::from_utf8_lossy(&ran.stderr).trim()).into())
}
