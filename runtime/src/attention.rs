//! When a person has to look.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use pap_protocol::operation::OperationId;

/// An operation in progress that a person has to look at. Asking about it goes on, unless three processes
/// died asking.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Attention {
    /// Which operation.
    pub id: OperationId,
    /// Its action.
    pub action: String,
    /// How often it was asked about.
    pub asks: u32,
    /// For the operator, never terms.
    pub why: String,
}

/// What the company does when a person has to look.
#[derive(Clone, Default)]
pub(crate) struct OnAttention(Option<Arc<dyn Fn(Attention) + Send + Sync>>);

impl OnAttention {
    pub(crate) fn calling(call: impl Fn(Attention) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(call)))
    }

    pub(crate) fn call(&self, attention: Attention) {
        if let Some(call) = &self.0 {
            call(attention);
        }
    }
}

impl Debug for OnAttention {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OnAttention").field(&self.0.is_some()).finish()
    }
}
