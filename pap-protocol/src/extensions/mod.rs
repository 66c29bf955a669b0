//! Which extensions a Company and a Personal Agent use with each other.
//!
//! Each side lists what it supports, by name and major version: the Company in its discovery document,
//! the agent in its client metadata. Both negotiate by the same function of both lists.

mod descriptor;
mod name;
mod negotiate;
mod operations;

pub use descriptor::ExtensionDescriptor;
pub(crate) use descriptor::entries;
pub use name::ExtensionName;
pub use negotiate::{SUPPORTED_EXTENSIONS, negotiate_extensions, negotiate_with};
pub use operations::{OPERATIONS, OperationsEndpoint, lists_operations, operations_endpoint};
