//! The values that terms, requests and results are made of: each has one text, none is a float.

mod currency;
mod date;
mod decimal;
mod instant;
mod local_time;
mod money;
mod not_a_value;
mod rfc3339;
mod url;
mod words;

pub use currency::Currency;
pub use date::Date;
pub use decimal::Decimal;
pub use instant::Instant;
pub use local_time::LocalTime;
pub use money::Money;
pub use not_a_value::NotAValue;
pub use url::Url;
