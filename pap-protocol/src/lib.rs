//! The words and the wire of the Operations extension (version 1) of the Personal Agent Protocol.
//!
//! No I/O and no clock: bytes and moments come in as arguments.

pub mod catalogue;
