//! Ports that servers of trials listen on, each of one trial alone.

use std::fs::{File, TryLockError};
use std::net::TcpListener;

use crate::Fault;

/// Below the ports that a system gives to whoever asks for any: none is taken while its server is stopped.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A port, held against every other trial on this machine until it is dropped.
#[derive(Debug)]
pub struct Port {
    number: u16,
    /// Locked as long as the process lives; the lock ends with it however it ends.
    _held: File,
}

impl Port {
    /// One that no other trial has, and nobody listens on right now.
    ///
    /// # Errors
    ///
    /// If there is none, or the folder for temporary files cannot be written.
    pub fn take() -> Result<Self, Fault> {
        let folder = std::env::temp_dir().join("pap-trials-ports");
        std::fs::create_dir_all(&folder)?;
        let all = u32::from(PORTS.end - PORTS.start);
        // those that begin at the same time look in different places
        let first = std::process::id().wrapping_mul(613) % all;
        for step in 0..all {
            let number = PORTS.start + u16::try_from((first + step) % all)?;
            let held = File::create(folder.join(number.to_string()))?;
            match held.try_lock() {
                Ok(()) if TcpListener::bind(("127.0.0.1", number)).is_ok() => {
                    return Ok(Self { number, _held: held });
                }
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
        Err("every port for trials is taken".into())
    }

    /// Its number.
    pub fn number(&self) -> u16 {
        self.number
    }
}
