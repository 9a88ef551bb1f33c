//! Where a value stands in the configuration: names with points between them.

use crate::problem::Problem;

/// The names that a typed place means; never empty.
///
/// Names have points between them. A name that holds a point stands in quotes of either kind:
/// `targets.".claude/commands".dir`.
///
/// # Errors
/// If a name is missing or a quote is not closed.
///
/// ```
/// let names = canopy::config::place("targets.'v1.2'.dir")?;
/// assert_eq!(names, ["targets", "v1.2", "dir"]);
/// # Ok::<(), canopy::problem::Problem>(())
/// ```
pub fn place(typed: &str) -> Result<Vec<String>, Problem> {
    let wrong = |why: &str| {
        Problem::new(format!("`{typed}` is no place in the configuration: {why}"))
            .hint("names have points between them; a name with a point stands in quotes: targets.\"a.b\".dir")
    };
    let mut names = Vec::new();
    let mut rest = typed;
    loop {
        let (name, behind) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => rest
                .get(1..)
                .and_then(|inside| inside.split_once(quote))
                .ok_or_else(|| wrong("a quote is not closed"))?,
            _ => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        if name.is_empty() {
            return Err(wrong("a name is missing"));
        }
        names.push(name.to_owned());
        match behind.strip_prefix('.') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(names),
            None => return Err(wrong("behind a quoted name comes a point or nothing")),
        }
    }
}

/// The place as it is typed.
#[cfg(feature = "store")]
pub(super) fn spelled<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |name: &str| match name.contains(['.', '"']) {
        true if name.contains('"') => format!("'{name}'"),
        true => format!("\"{name}\""),
        false => name.to_owned(),
    };
    names.into_iter().map(quoted).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_points_between_them_and_quotes_around_their_own() {
        for (typed, names) in [
            ("project", &["project"] as &[_]),
            ("targets.a.dir", &["targets", "a", "dir"]),
            ("targets.\".claude/commands\".dir", &["targets", ".claude/commands", "dir"]),
            ("targets.'a\".b'", &["targets", "a\".b"]),
            ("a b.ü", &["a b", "ü"]),
        ] {
            assert_eq!(place(typed).unwrap(), names, "{typed}");
        }
        for typed in ["", ".", "a.", ".a", "a..b", "\"a", "'a'b", "a.\"\""] {
            assert!(place(typed).is_err(), "{typed}");
        }
    }
}
