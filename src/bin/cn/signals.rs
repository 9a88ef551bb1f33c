//! How the system ends what takes its time: the first signal is heard, the second ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::report::ExitStatus;

/// A signal that ends what goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// A person pressed Ctrl-C.
    Interrupt = 1,
    /// Somebody wants the process to end.
    Terminate = 2,
}

impl Signal {
    /// Its name among signals.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Signal::Interrupt => "SIGINT",
            Signal::Terminate => "SIGTERM",
        }
    }
}

impl From<Signal> for ExitStatus {
    fn from(signal: Signal) -> ExitStatus {
        match signal {
            Signal::Interrupt => ExitStatus::Interrupted,
            Signal::Terminate => ExitStatus::Terminated,
        }
    }
}

/// Whether a signal came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicU8>);

impl Stop {
    /// The signal that came first, if one did.
    pub(crate) fn signal(&self) -> Option<Signal> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(Signal::Interrupt),
            _ => Some(Signal::Terminate),
        }
    }

    /// Takes note of a signal; says whether it is the first.
    fn set(&self, signal: Signal) -> bool {
        self.0.compare_exchange(0, signal as u8, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

/// Whether whoever started the process wants it to ignore Ctrl-C, as a shell does with what runs in the background; no
/// where that cannot be told.
#[expect(clippy::disallowed_methods, reason = "the system's own table is no project's file")]
pub(crate) fn are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    // Signals are counted from 1, and this is the second.
    ignored & 0b10 != 0
}

/// Listens from another thread and wakes whoever waits.
#[cfg(unix)]
pub(crate) fn listen(wake: impl Fn() + Send + 'static) -> io::Result<Stop> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let stop = Stop::default();
    let heard = stop.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for number in signals.forever() {
            let signal = if number == SIGINT { Signal::Interrupt } else { Signal::Terminate };
            if heard.set(signal) {
                wake();
            } else {
                // Who cannot even do that is stopped by nothing that we could do.
                let _ = signal_hook::low_level::emulate_default_handler(number);
            }
        }
    })?;
    Ok(stop)
}

/// Listens from another thread and wakes whoever waits.
#[cfg(windows)]
#[expect(clippy::disallowed_methods, reason = "who insists does not wait for what is being written")]
pub(crate) fn listen(wake: impl Fn() + Send + 'static) -> io::Result<Stop> {
    let stop = Stop::default();
    let heard = stop.clone();
    let handler = move || {
        if heard.set(Signal::Interrupt) {
            wake();
        } else {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(io::Error::other)?;
    Ok(stop)
}
