//! A person at a terminal: whether there is one, and what they answer.

use std::io::{self, IsTerminal as _};

/// Whether questions are seen and can be answered.
pub(crate) fn is_somebody_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on stderr and waits for a line; `None` if nobody will answer any more.
pub(crate) fn ask(question: &str) -> Option<String> {
    super::say(question);
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(answer),
    }
}
