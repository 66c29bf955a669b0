//! What the macros write, compiled and run against the runtime.

mod declared;
mod forms;
mod hygiene;
mod jacket;
mod renamed;
mod said;
mod shop;
mod wire_names;
