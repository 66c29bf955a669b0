//! The card system: a payment is prepared by an idempotency key, then captured or voided, once.

use pap_runtime::value::Money;
use rusqlite::{OptionalExtension as _, Transaction};

use super::database::enter;
use super::{Fault, Order, PaymentId, Shop};

/// How a payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaymentState {
    Prepared,
    Captured,
    Voided,
    Refunded,
}

/// The card system did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CardError {
    /// It says no: nothing was moved.
    #[error("declined: {0}")]
    Declined(&'static str),
    /// Nobody knows.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl CardError {
    /// Whether the card system itself said that nothing was moved.
    pub(crate) fn declined(&self) -> bool {
        matches!(self, Self::Declined(_))
    }
}

impl From<rusqlite::Error> for CardError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Fault(error.into())
    }
}

impl Shop {
    /// The one payment of this key, for what is named by `reference`. Nothing is moved yet.
    pub(crate) async fn prepare_payment(
        &self,
        order: &Order,
        amount: &Money,
        reference: &str,
        key: String,
    ) -> Result<PaymentId, CardError> {
        let (card, amount) = (order.card.clone(), amount.amount().to_string());
        let reference = reference.to_owned();
        let prepared = self.database.transaction(move |tx| {
            let payment_id = format!("pay_{}", key.replace(':', "_"));
            tx.execute(
                "INSERT OR IGNORE INTO payments VALUES (?1, ?2, ?3, ?4, ?5, 'prepared')",
                (&payment_id, key, card, amount, reference),
            )?;
            Ok::<_, CardError>(PaymentId(payment_id))
        });
        let payment = prepared.await?;
        self.answers(Self::CARDS).await?;
        Ok(payment)
    }

    /// Moves the money, once.
    pub(crate) async fn capture(&self, payment: &PaymentId) -> Result<(), CardError> {
        let id = payment.0.clone();
        let captured = self.database.transaction(move |tx| {
            match state(tx, &id)? {
                Some(PaymentState::Captured) => return Ok(()),
                Some(PaymentState::Prepared) => {}
                _ => return Err(CardError::Declined("the payment was voided")),
            }
            let paid_for = open_card(tx, &id)?;
            set(tx, &id, "captured")?;
            Ok(enter(tx, "card charged", &paid_for)?)
        });
        captured.await?;
        Ok(self.answers(Self::CARDS).await?)
    }

    /// From now on the payment cannot be captured, unless it was: how it stands then.
    pub(crate) async fn void(&self, payment: &PaymentId) -> Result<PaymentState, Fault> {
        self.answers(Self::CARDS).await?;
        let id = payment.0.clone();
        self.database
            .transaction(move |tx| {
                let stands = state(tx, &id)?;
                if stands == Some(PaymentState::Prepared) {
                    set(tx, &id, "voided")?;
                    return Ok(PaymentState::Voided);
                }
                // a payment that was never prepared is never captured either
                Ok(stands.unwrap_or(PaymentState::Voided))
            })
            .await
    }

    /// Gives a captured payment back, once.
    pub(crate) async fn give_back(&self, payment: &PaymentId) -> Result<(), Fault> {
        self.answers(Self::CARDS).await?;
        let id = payment.0.clone();
        self.database
            .transaction(move |tx| {
                if state(tx, &id)? == Some(PaymentState::Captured) {
                    set(tx, &id, "refunded")?;
                    enter(tx, "card refunded", &card(tx, &id)?.paid_for)?;
                }
                Ok(())
            })
            .await
    }

    /// Pays `amount` to the card of an order for what is named by `reference`, once for each key.
    pub(crate) async fn refund(
        &self,
        order: &Order,
        amount: &Money,
        reference: &str,
        key: String,
    ) -> Result<(), CardError> {
        let payment = self.prepare_payment(order, amount, reference, key).await?;
        self.database
            .transaction(move |tx| {
                if state(tx, &payment.0)? == Some(PaymentState::Refunded) {
                    return Ok(());
                }
                let paid_for = open_card(tx, &payment.0)?;
                set(tx, &payment.0, "refunded")?;
                Ok(enter(tx, "card refunded", &paid_for)?)
            })
            .await
    }
}

struct Card {
    closed: bool,
    paid_for: String,
}

fn card(tx: &Transaction<'_>, payment: &str) -> Result<Card, rusqlite::Error> {
    let select =
        "SELECT closed, reference FROM payments JOIN cards USING (card) WHERE payment_id = ?1";
    tx.query_row(select, [payment], |row| Ok(Card { closed: row.get(0)?, paid_for: row.get(1)? }))
}

/// What the payment is for, if its card takes payments.
fn open_card(tx: &Transaction<'_>, payment: &str) -> Result<String, CardError> {
    let card = card(tx, payment)?;
    if card.closed { Err(CardError::Declined("the card was closed")) } else { Ok(card.paid_for) }
}

fn state(tx: &Transaction<'_>, payment: &str) -> Result<Option<PaymentState>, rusqlite::Error> {
    let select = "SELECT state FROM payments WHERE payment_id = ?1";
    let state: Option<String> = tx.query_row(select, [payment], |row| row.get(0)).optional()?;
    Ok(state.map(|state| match state.as_str() {
        "prepared" => PaymentState::Prepared,
        "captured" => PaymentState::Captured,
        "refunded" => PaymentState::Refunded,
        // the table takes no other word
        _ => PaymentState::Voided,
    }))
}

fn set(tx: &Transaction<'_>, payment: &str, state: &str) -> Result<(), rusqlite::Error> {
    let update = "UPDATE payments SET state = ?2 WHERE payment_id = ?1";
    tx.execute(update, (payment, state)).map(drop)
}
