//! The comments of a configuration: which of them a change took away.

use std::collections::HashMap;

use crate::problem::{Origin, Problem};

use super::CONFIG;

/// One for each comment of `before` that `after` does not have, with the line where it stood.
#[must_use]
pub fn lost(before: &str, after: &str) -> Vec<Problem> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for (_, comment) in comments(after) {
        *left.entry(comment).or_default() += 1;
    }
    let mut lost = Vec::new();
    for (line, comment) in comments(before) {
        match left.get_mut(comment).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => {
                let problem =
                    Problem::new(format!("the comment `{comment}` stood in what was changed, and is gone"));
                lost.push(problem.at(&Origin { path: CONFIG.into(), line }));
            }
        }
    }
    lost
}

/// The comments with their lines, as far as they can be told without reading the YAML: a sign in a text of several
/// lines may count as one, which makes no difference as long as it stays.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(index, line)| comment(line).map(|comment| (index + 1, comment)))
}

/// What stands behind the first `#` that is neither in quotes nor in a word.
fn comment(line: &str) -> Option<&str> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return line.get(at..).map(str::trim_end),
            (None, '"' | '\'') if " [{,:".contains(before) => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_went_are_named_with_their_lines() {
        let before = "# top\na: 'x # y' # one\nb:\n- p # two\n- q#r\n";
        let lines = |after: &str| -> Vec<usize> {
            lost(before, after).into_iter().map(|problem| problem.origin.unwrap().line).collect()
        };
        assert_eq!(lines(before), [0; 0]);
        assert_eq!(lines("# top\na: z # one\nb: [p]\n"), [4]);
        assert_eq!(lines(""), [1, 2, 4]);
    }
}
