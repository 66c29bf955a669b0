//! A panic in a function of the company's ends that function, and nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

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
