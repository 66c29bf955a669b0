//! The shop as a process, and an agent that speaks to it over HTTP.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use jacket_exchange::serve::CrashAfter;
use jacket_exchange::{NewSession, ORIGIN, SessionTable, Shop};
use pap_runtime::clock::{Clock as _, SystemClock};
use pap_runtime::dpop::{Key, prove};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const EXCHANGES: &str = "/orders/ord_7Hk2/exchanges";

/// The longest that anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_jacket-exchange"))
}

/// A shop that serves, until it is dropped.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
}

impl Serving {
    pub(crate) fn start(data: &Path, crash_after: Option<CrashAfter>) -> Self {
        let mut command = program();
        command.args(["serve", "--port", "0", "--data"]).arg(data);
        if let Some(moment) = crash_after {
            command.args(["--crash-after", &moment.to_string()]);
        }
        let log = File::options().create(true).append(true).open(data.join("log")).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.trim().strip_prefix("listening on ").expect("it serves").to_owned();
        Self { child, address }
    }

    /// Waits until it has died.
    pub(crate) fn dead(mut self) -> ExitStatus {
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::yield_now();
        }
        panic!("the shop did not die");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // it may have died already
        drop(self.child.kill());
        self.child.wait().unwrap();
    }
}

/// Two files, the shop that serves from them, and Ada's agent.
pub(crate) struct Street {
    pub(crate) folder: TempDir,
    pub(crate) shop: Shop,
    pub(crate) serving: Serving,
    pub(crate) ada: Agent,
}

impl Street {
    pub(crate) async fn open(crash_after: Option<CrashAfter>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shop = Shop::open(folder.path()).unwrap();
        let ada = Agent::sign_in(&shop, Some("acc_ada"), Some("1")).await;
        let serving = Serving::start(folder.path(), crash_after);
        Self { folder, shop, serving, ada }
    }

    /// A new process on the same files, after the old one died by itself.
    pub(crate) fn restart(self) -> Self {
        let Self { folder, shop, serving, ada } = self;
        assert!(!serving.dead().success());
        let serving = Serving::start(folder.path(), None);
        Self { folder, shop, serving, ada }
    }

    /// A new process on the same files, after the old one was killed.
    pub(crate) fn kill_and_restart(self) -> Self {
        let Self { folder, shop, serving, ada } = self;
        drop(serving);
        let serving = Serving::start(folder.path(), None);
        Self { folder, shop, serving, ada }
    }

    pub(crate) async fn send(
        &self,
        agent: &Agent,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Answer {
        let answer = agent.try_send(&self.serving.address, method, path, body).await;
        Answer::of(answer.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(&self.ada, Method::POST, path, &body).await
    }

    /// Proposes, and answers the operation's id.
    pub(crate) async fn propose(&self, path: &str, body: Value) -> String {
        let answer = self.post(path, body).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
        answer.json["operation"]["operation_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn confirm(&self, id: &str, approved_by: &str) -> Answer {
        let path = format!("/poppy/operations/{id}/confirm");
        self.post(&path, json!({ "revision": 1, "approved_by": approved_by })).await
    }

    /// Confirms while the shop dies: there is no answer.
    pub(crate) async fn confirm_into_death(&self, id: &str) {
        let path = format!("/poppy/operations/{id}/confirm");
        let body = json!({ "revision": 1, "approved_by": "user" });
        let sent = self.ada.try_send(&self.serving.address, Method::POST, &path, &body).await;
        sent.expect_err("the shop has died");
    }

    /// Confirms and, where the answer did not wait so long, reads until it is final.
    pub(crate) async fn performed(&self, agent: &Agent, id: &str) -> Answer {
        let path = format!("/poppy/operations/{id}/confirm");
        let by_user = json!({ "revision": 1, "approved_by": "user" });
        let confirmed = self.send(agent, Method::POST, &path, &by_user).await;
        assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
        self.until_final_to(agent, id).await
    }

    /// Reads until it is final.
    pub(crate) async fn until_final(&self, id: &str) -> Answer {
        self.until_final_to(&self.ada, id).await
    }

    async fn until_final_to(&self, agent: &Agent, id: &str) -> Answer {
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up {
            let path = format!("/poppy/operations/{id}");
            let answer = self.send(agent, Method::GET, &path, &Value::Null).await;
            if answer.json["state"] != "in_progress" {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("`{id}` is not final");
    }

    /// Waits until the shop's log has these words so many times.
    pub(crate) async fn logged(&self, words: &str, times: usize) {
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up {
            let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap();
            if log.matches(words).count() >= times {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("`{words}` is not in the log");
    }

    pub(crate) async fn times(&self, effect: &str, of: &str) -> u32 {
        self.shop.times(effect, of).await.unwrap()
    }
}

/// A client for addresses of this machine, which no proxy knows.
pub(crate) fn http() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// A Session Token and its key.
pub(crate) struct Agent {
    http: reqwest::Client,
    token: String,
    key: Key,
}

impl Agent {
    pub(crate) async fn sign_in(
        shop: &Shop,
        account: Option<&str>,
        operations: Option<&str>,
    ) -> Self {
        let key = Key::generate().unwrap();
        let session = NewSession {
            id: &format!("ses_{}", key.thumbprint()),
            client: "https://juniper.example/agent.json",
            user: "usr_ada",
            account,
            scopes: "orders:read orders:write",
            operations,
            key_thumbprint: &key.thumbprint(),
        };
        let token = SessionTable::of(shop).issue(session).await.unwrap();
        Self { http: http(), token, key }
    }

    async fn try_send(
        &self,
        address: &str,
        method: Method,
        path: &str,
        body: &Value,
    ) -> reqwest::Result<Response> {
        let now = SystemClock::default().now().as_millis().div_euclid(1000);
        let url = format!("{ORIGIN}{path}");
        let proof = prove(&self.key, method.as_str(), &url, Some(&self.token), now, None).unwrap();
        let request = self
            .http
            .request(method, format!("{address}{path}"))
            .header("authorization", format!("DPoP {}", self.token))
            .header("dpop", proof);
        let request = if body.is_null() { request } else { request.json(body) };
        request.send().await
    }
}

/// What came back.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) retry_after: Option<String>,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Self {
        let status = response.status();
        let retry_after = response.headers().get("retry-after");
        let retry_after = retry_after.map(|value| value.to_str().unwrap().to_owned());
        let text = response.text().await.unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status, retry_after, text, json }
    }

    /// The final state and what the shop says about it.
    #[track_caller]
    pub(crate) fn ended(&self, state: &str) -> &str {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        assert_eq!(self.json["state"], state, "{}", self.text);
        self.json["result"]["summary"].as_str().expect("a final operation has a result")
    }
}
