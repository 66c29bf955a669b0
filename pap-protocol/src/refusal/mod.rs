//! How a Company says no: a code, a status, and what the Personal Agent needs to go on (section 9).

mod body;
mod challenge;
mod code;

pub use body::{Code, ErrorBody};
pub use challenge::{Scheme, challenge};
pub use code::ErrorCode;
