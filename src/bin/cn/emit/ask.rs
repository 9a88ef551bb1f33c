//! Asks a person about each file that is not ours.

use canopy::plan::{Change, Plan, Step};

use crate::report::hint;

use super::showing;

/// What the answers mean, for whoever asks or mistypes.
const ANSWERS: &str = "  y  overwrite it
  n  leave it as it is
  d  show what would change in it
  a  overwrite it, and all others that were edited
  q  write nothing at all and stop
";

/// Asks what becomes of each edited file; `false` if nothing is to be written at all. When nobody answers, files
/// stay as they are.
pub(super) fn settle(plan: &mut Plan, mut ask: impl FnMut(&str) -> Option<String>) -> bool {
    let mut all = false;
    for step in plan.steps.iter_mut().filter(|step| step.change == Change::Edited) {
        if all {
            step.change = Change::Update;
            continue;
        }
        let mut before = String::new();
        loop {
            let Some(answer) = ask(&(before + &question(step))) else { return true };
            before = String::new();
            match answer.trim().to_lowercase().as_str() {
                "y" | "yes" => step.change = Change::Update,
                "a" | "all" => {
                    step.change = Change::Update;
                    all = true;
                }
                "d" | "diff" => {
                    showing::push(&mut before, step);
                    continue;
                }
                "q" | "quit" => return false,
                "" | "n" | "no" => {}
                _ => {
                    before.push_str(ANSWERS);
                    continue;
                }
            }
            break;
        }
    }
    true
}

fn question(step: &Step) -> String {
    let output = &step.output;
    let told = format!("`{}` holds what no version of `{}` renders to\n", output.path, output.name);
    told + hint("y = overwrite, n = leave, d = show, a = overwrite all, q = stop").trim_end()
        + "\n[y/N/d/a/q] "
}
