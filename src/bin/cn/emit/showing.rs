//! What would change in each file, line by line.

use canopy::plan::{Change, Step};
use similar::TextDiff;

use crate::diff::words;
use crate::report::{count, dim};

/// The files with their changes under them.
pub(super) fn text(steps: &[&Step], word: impl Fn(Change) -> &'static str) -> String {
    let width = steps.iter().map(|step| word(step.change).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        text.push_str(&format!("{gap}{:width$}  {}", word(step.change), step.output.path));
        let lines = || count(step.output.contents.lines().count(), "line");
        match step.change {
            Change::Create => text.push_str(&format!("  {}\n", dim(format!("({}, all new)", lines())))),
            change if change.is_sweeping() => text.push('\n'),
            _ => {
                text.push('\n');
                push(&mut text, step);
            }
        }
    }
    text
}

/// The lines of one file that differ.
pub(super) fn push(text: &mut String, step: &Step) {
    let found = String::from_utf8_lossy(&step.found);
    match found == step.output.contents {
        true => text.push_str(&format!("  {}\n", dim("written again as it is"))),
        false => words::push(text, &found, &step.output.contents),
    }
}

/// The same without colour, as programs read it.
pub(super) fn unified(step: &Step) -> String {
    let found = String::from_utf8_lossy(&step.found);
    let path = &step.output.path;
    TextDiff::from_lines(&*found, &step.output.contents).unified_diff().header(path, path).to_string()
}
