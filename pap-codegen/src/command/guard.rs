//! The last line of defence: a panic is our mistake, and is said to be ours.

use std::any::Any;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};

use crate::diagnostic::Problem;
use crate::exit::Exit;

/// Runs `work`; a panic in it is reported to `err` as a bug of ours, with exit code 70.
pub fn guarded(err: &mut dyn Write, work: impl FnOnce() -> Exit) -> Exit {
    let (sender, receiver) = std::sync::mpsc::channel();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or_else(String::new, |at| format!(" at {at}"));
        let what = message(info.payload());
        // the receiver outlives the hook, and a second panic has nothing to add
        drop(sender.send(format!("{what}{place}")));
    }));
    let ended = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(before);
    let Ok(exit) = ended else {
        let message = receiver.try_recv().unwrap_or_else(|_| "a panic".to_owned());
        // nobody is left to tell if standard error is closed too
        drop(Problem::bug(message).write_human(err, false));
        return Exit::Bug;
    };
    exit
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}
