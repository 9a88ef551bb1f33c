//! Two texts line by line, with the words that differ marked.

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use crate::report::dim;

/// How many unchanged lines are shown around a change.
const CONTEXT: usize = 2;

/// Writes the lines that differ, with some around them; the words that changed are marked.
pub(crate) fn push(text: &mut String, from: &str, to: &str) {
    let diff = TextDiff::from_lines(from, to);
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            text.push_str(&format!("  {}\n", dim("…")));
        }
        for change in group.iter().flat_map(|op| diff.iter_inline_changes(op)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', AnsiColor::Red.on_default()),
                ChangeTag::Insert => ('+', AnsiColor::Green.on_default()),
                ChangeTag::Equal => (' ', Style::new().dimmed()),
            };
            text.push_str(&format!("  {style}{sign} "));
            for (marked, words) in change.iter_strings_lossy() {
                let words = words.trim_end_matches(['\n', '\r']);
                let style = if marked { style.underline().bold() } else { style };
                text.push_str(&format!("{style:#}{style}{words}{style:#}"));
            }
            text.push_str(&format!("{style:#}\n"));
        }
    }
}
