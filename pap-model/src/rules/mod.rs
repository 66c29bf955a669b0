//! The rules: one function per rule, every independent mistake at once.

mod fields;
mod named;
mod operation;
mod stated;
mod term;
mod terms;
mod values;

pub(crate) use named::runtime_of;
pub(crate) use operation::operation;
pub(crate) use terms::terms;
pub(crate) use values::{shape, term};
