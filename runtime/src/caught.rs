//! A function of the company's that panics or does not answer ends by itself, and nothing else with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::task::JoinSet;

use crate::action::Finds;
use crate::finding::Retry;
use crate::private::Pending;

/// A function of the company's panicked. Its message is the panic hook's to print.
#[derive(Debug)]
pub(crate) struct Panicked;

/// The future's output, or that it panicked. It is dropped then and never polled again.
pub(crate) fn caught<T>(future: Pending<'_, T>) -> Caught<'_, T> {
    Caught(Some(future))
}

pub(crate) struct Caught<'a, T>(Option<Pending<'a, T>>);

impl<T> Future for Caught<'_, T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(mut future) = self.0.take() else { return Poll::Ready(Err(Panicked)) };
        // what the future held is dropped on a panic, so nothing half changed is looked at again
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => {
                self.0 = Some(future);
                Poll::Pending
            }
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(_) => Poll::Ready(Err(Panicked)),
        }
    }
}

/// The answer of a question, asked in a task of its own; a panic and a time-out are no answers.
pub(crate) async fn answered<T: Send + 'static>(
    within: Duration,
    question: Finds<T>,
) -> Result<T, Retry> {
    // ends with whoever waits for it
    let mut task = JoinSet::new();
    task.spawn(question);
    match tokio::time::timeout(within, task.join_next()).await {
        Ok(Some(Ok(answer))) => answer,
        Ok(Some(Err(_)) | None) => Err(Retry::because("the question panicked")),
        Err(_) => Err(Retry::because("the question was not answered in time")),
    }
}
