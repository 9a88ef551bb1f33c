//! `cn completions`: the script that lets a shell complete commands and options.

use crate::args::{self, Completions};
use crate::report::{Reply, Styled};

/// Prints the script for a shell.
pub(crate) fn completions(typed: &Completions) -> Reply {
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut args::command(), "cn", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let reply = Reply::default().with("shell", typed.shell.to_string()).with("script", script.as_str());
    Reply { data: Styled::Verbatim(script), ..reply }
}
