//! The list of a company's operations: what is served is what is on it.

use std::fmt::{Debug, Formatter};
use std::marker::PhantomData;

use crate::action::{Action, Typed};
use crate::declaration::OperationDeclaration;
use crate::private::Declared;
use std::sync::Arc;

/// The operations of one company, made by `operations![…]`.
pub struct Operations<S> {
    pub(crate) declared: Vec<Listed<S>>,
    state: PhantomData<fn(&S)>,
}

/// One entry: the declaration, and how to bind its functions to the company's state.
#[doc(hidden)]
pub struct Listed<S> {
    /// What was declared.
    pub declaration: &'static OperationDeclaration,
    pub(crate) bind: fn(Arc<S>) -> Arc<dyn Action>,
}

impl<S> Debug for Listed<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Listed").field(&self.declaration.action).finish()
    }
}

/// The entry of an operation, also in a constant.
#[doc(hidden)]
pub const fn listed<O: Declared<State = S>, S>() -> Listed<S> {
    let () = O::CHECKED;
    Listed { declaration: O::OPERATION, bind: |state| Arc::new(Typed::<O>::new(state)) }
}

impl<S: Send + Sync + 'static> Operations<S> {
    /// An empty list; `operations![…]` is the usual way to make one.
    pub fn new() -> Self {
        Self { declared: Vec::new(), state: PhantomData }
    }

    /// Adds an operation to the list.
    #[must_use]
    pub fn with<O: Declared<State = S>>(self) -> Self {
        self.listing(listed::<O, S>())
    }

    /// Adds an entry of `operations![…]`.
    #[doc(hidden)]
    #[must_use]
    pub fn listing(mut self, listed: Listed<S>) -> Self {
        self.declared.push(listed);
        self
    }

    /// Adds all operations of another list, such as one of another module. Duplicates are found by
    /// [`crate::company::Builder::start`].
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.declared.extend(other.declared);
        self
    }

    /// What was declared, in order.
    pub fn declarations(&self) -> impl Iterator<Item = &'static OperationDeclaration> {
        self.declared.iter().map(|listed| listed.declaration)
    }
}

impl<S: Send + Sync + 'static> Default for Operations<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Debug for Operations<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.declared.iter().map(|listed| listed.declaration.action))
            .finish()
    }
}
