//! A shop with one operation in every state.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pap_ops::prometheus::Prometheus;
use pap_runtime::clock::SetClock;
use pap_runtime::company::Builder;
use pap_runtime::operators::Operators;
use pap_runtime::store::{Known, Store, TakeAskable};
use pap_runtime::{
    ApprovedBy, Company, ConfirmRequest, Confirmed, ExtensionDescriptor, Finding, OperationId,
    Outcome, Retry, Role, Session, failed_after, handed_over, not_seen_yet, operation, operations,
    succeeded, unknown,
};

pub const COMPANY: &str = "Example Outfitters";
/// Stands in every word that is the User's: no default output may have it.
pub const SECRET: &str = "burgundy";

/// Exchanges something.
#[operation(action = "orders.exchange", scopes = ["orders:write"], id_prefix = "exc", identity(order_id),
            reference = "order:{order_id}",
            summary = "Exchange {item} of order {order_id}: {how}.",
            terms = { order_id: String, item: String, how: String }, reconcile = was_it)]
async fn exchange(_: &Street, op: Confirmed<ExchangeTerms>) -> Outcome {
    match op.terms.how.as_str() {
        "fails" => failed_after(["The burgundy jacket was sent back."], "No jacket is left."),
        "loses" => {
            op.remember("payment", &"burgundy").await?;
            op.note_change("The burgundy jacket was sent back.").await;
            unknown("the warehouse did not answer")
        }
        "hands-over" => handed_over("the workshop", Duration::from_secs(86_400)),
        _ => succeeded("The burgundy jacket is on its way.", ()),
    }
}

async fn was_it(street: &Street, _: &Confirmed<ExchangeTerms>) -> Result<Finding, Retry> {
    street.look().await;
    not_seen_yet()
}

/// What the shop knows by itself: nothing.
pub struct Street;

impl Street {
    async fn look(&self) {
        tokio::task::yield_now().await;
    }
}

/// The shop, its store, and what its operations are called in the tests.
pub struct Shop {
    pub store: Arc<dyn Store>,
    pub clock: SetClock,
    pub company: Company<Street>,
    /// A process that only confirms.
    web: Company<Street>,
    pub prometheus: Prometheus,
    /// Ids by name, such as `lost`.
    pub ids: BTreeMap<&'static str, OperationId>,
}

/// The moment at which every shop opens.
pub fn opening() -> SetClock {
    SetClock::at("2026-10-08T09:00:00Z".parse().unwrap())
}

impl Shop {
    /// An empty shop on this store and the store's clock.
    pub fn open(store: Arc<dyn Store>, clock: SetClock) -> Self {
        let prometheus = Prometheus::new();
        let builder = |role| {
            Company::builder(Street)
                .name(COMPANY)
                .origin("https://api.example.com")
                .shared_store(store.clone())
                .operations(operations![exchange])
                .meter(prometheus.clone())
                .attention_after(2)
                // an outcome that nobody knows is not waited for
                .answer_within(Duration::from_millis(1))
                .role(role)
        };
        let company = by_hand(builder(Role::Both));
        let web = by_hand(builder(Role::Serve));
        Self { store, clock, company, web, prometheus, ids: BTreeMap::new() }
    }

    pub fn operators(&self) -> Operators {
        Operators::over(self.store.clone(), COMPANY)
    }

    pub fn id(&self, name: &str) -> &OperationId {
        &self.ids[name]
    }

    pub fn session() -> Session {
        Session::new("ses_1", "https://juniper.example/agent.json", "usr_ada")
            .signed_in("acc_ada", ["orders:write"])
            .with_extensions(BTreeMap::from([(
                "operations".to_owned(),
                ExtensionDescriptor::new("1"),
            )]))
    }

    /// Proposes, under the name in these tests.
    pub async fn propose(&mut self, name: &'static str, how: &str) -> OperationId {
        self.clock.advance(Duration::from_secs(60));
        let terms = ExchangeTerms {
            order_id: format!("ord_{name}"),
            item: SECRET.to_owned(),
            how: how.to_owned(),
        };
        let proposed = self.company.propose::<exchange>(&Self::session(), terms).await.unwrap();
        self.ids.insert(name, proposed.operation_id.clone());
        proposed.operation_id
    }

    /// Proposes and confirms, where nothing is performed: it waits to be started.
    pub async fn deferred(&mut self, name: &'static str, how: &str) -> OperationId {
        let id = self.propose(name, how).await;
        confirm(&self.web, &id).await;
        id
    }

    /// Proposes and confirms, and its handler has answered.
    pub async fn confirmed(&mut self, name: &'static str, how: &str) -> OperationId {
        let id = self.propose(name, how).await;
        self.confirm(name).await;
        id
    }

    /// Confirms, and its handler has answered.
    pub async fn confirm(&self, name: &str) {
        let id = self.id(name);
        confirm(&self.company, id).await;
        let answered = async {
            loop {
                let stored = self.operators().history(id).await.unwrap().stored;
                if !stored.running.is_some_and(|running| running.performing) {
                    return;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), answered).await.unwrap();
    }

    /// A later process over the same operations.
    pub fn with_ids_of(self, ids: BTreeMap<&'static str, OperationId>) -> Self {
        Self { ids, ..self }
    }

    /// One operation in every state.
    pub async fn with_all(mut self) -> Self {
        self.propose("expired", "is never confirmed").await;
        self.clock.advance(Duration::from_secs(3600));
        self.company.sweep().await.unwrap();
        self.confirmed("lost", "loses").await;
        for _ in 0..3 {
            self.clock.advance(Duration::from_secs(3600));
            self.company.ask_due().await.unwrap();
        }
        self.confirmed("deadly", "loses").await;
        self.put_aside("deadly").await;
        self.confirmed("workshop", "hands-over").await;
        self.confirmed("done", "succeeds").await;
        self.confirmed("failed", "fails").await;
        let declined = self.propose("declined", "is declined").await;
        self.company.cancel(&Self::session(), declined.as_str()).await.unwrap();
        self.propose("open", "is open").await;
        self.deferred("deferred", "waits").await;
        self
    }

    /// Three processes die asking about this one.
    async fn put_aside(&self, name: &str) {
        let known = vec![Known { action: "orders.exchange".to_owned(), versions: vec![1] }];
        for _ in 0..3 {
            self.clock.advance(Duration::from_secs(3600));
            let lease = Duration::from_secs(60);
            let (company, known) = (COMPANY.to_owned(), known.clone());
            let take = TakeAskable { company, limit: 10, lease, known };
            let taken = self.store.take_askable(take).await.unwrap();
            for asked in taken.iter().filter(|asked| asked.stored.key.id != *self.id(name)) {
                self.answer(asked).await;
            }
        }
    }

    /// The process lives on to say that it does not know.
    async fn answer(&self, asked: &pap_runtime::store::Asked) {
        use pap_runtime::store::{AskLater, AskLaterBy};
        let running = asked.stored.running.as_ref().unwrap();
        let later = AskLater {
            key: asked.stored.key.clone(),
            by: AskLaterBy::Asker { epoch: running.epoch },
            ask_after: self.store.clock().now().saturating_add(Duration::from_secs(600)),
            due: None,
            attention: true,
            why: "it was not seen".to_owned(),
        };
        drop(self.store.ask_later(later).await.unwrap());
    }

    /// The text with each random id replaced by its name, as long as it was.
    pub fn named(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, id) in &self.ids {
            let short = format!("exc_{name}");
            let padded = format!("{short:0<width$}", width = id.as_str().len());
            text = text.replace(id.as_str(), &padded);
        }
        text
    }
}

async fn confirm(company: &Company<Street>, id: &OperationId) {
    let request = ConfirmRequest::new(1_u32.try_into().unwrap(), ApprovedBy::User);
    company.confirm(&Shop::session(), id.as_str(), request).await.unwrap();
}

/// A company whose own tasks stand still: nothing is asked, swept or started but when the test says so.
fn by_hand(builder: Builder<Street>) -> Company<Street> {
    let start = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let company = runtime.block_on(builder.start()).unwrap();
        // what it has spawned is never run again
        std::mem::forget(runtime);
        company
    };
    std::thread::spawn(start).join().unwrap()
}
