//! What this process has used, and what time it is.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::error::Error;

/// CPU time of all threads of this process, of the user and the system.
pub(crate) fn cpu() -> Duration {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (u64::try_from(spent.tv_sec), u32::try_from(spent.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}

/// The seconds since 1970.
pub(crate) fn now() -> i64 {
    clock_gettime(ClockId::Realtime).tv_sec
}

/// The memory that this process holds now, in KiB.
pub(crate) fn resident() -> Result<u64, Error> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or_else(|| Error::said("the system does not say VmRSS"))?.parse()?)
}
