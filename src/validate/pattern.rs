//! JavaScript's regular expressions, spelled for an engine that reads Perl's.

use fancy_regex::{Regex, RegexBuilder};

/// How many steps back a match may take before it is given up: far more than an honest pattern needs.
const MOST_STEPS: usize = 1_000_000;

/// What a JavaScript `\s` matches.
const SPACES: &str =
    r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// A compiled pattern of a schema.
pub(super) struct Pattern(Regex);

/// Whether a text matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It does.
    Matches,
    /// It does not.
    Fails,
    /// Finding out would take too long.
    Undecided,
}

impl Pattern {
    /// Compiles what JavaScript's `new RegExp(source)` would.
    pub(super) fn new(source: &str) -> Result<Pattern, String> {
        let built = RegexBuilder::new(&translate(source)?).backtrack_limit(MOST_STEPS).build();
        built.map(Pattern).map_err(|e| last_line(&e.to_string()))
    }

    /// Looks for a match anywhere in `text`.
    pub(super) fn is_match(&self, text: &str) -> Verdict {
        match self.0.is_match(text) {
            Ok(true) => Verdict::Matches,
            Ok(false) => Verdict::Fails,
            Err(_) => Verdict::Undecided,
        }
    }
}

fn last_line(message: &str) -> String {
    message.lines().last().unwrap_or(message).trim().to_owned()
}

/// Spells a JavaScript pattern for the engine: what means something else there is written out.
fn translate(source: &str) -> Result<String, String> {
    let mut out = String::with_capacity(source.len());
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => push_escape(&mut out, &mut rest, false)?,
            '[' => push_class(&mut out, &mut rest)?,
            '.' => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            // Flags inside a pattern are not JavaScript's, and would change what follows.
            '(' if rest.peek() == Some(&'?') => {
                out.push(c);
                let kind = rest.clone().nth(1);
                if !matches!(kind, Some(':' | '=' | '!' | '<')) {
                    return Err("`(?` begins no group that JavaScript knows".to_owned());
                }
            }
            // A brace that begins no count is a character.
            '{' if !is_count(rest.clone()) => out.push_str(r"\{"),
            '}' if !ends_count(&out) => out.push_str(r"\}"),
            ']' => out.push_str(r"\]"),
            c => out.push(c),
        }
    }
    Ok(out)
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Whether `3}`, `3,}` or `3,5}` follows.
fn is_count(rest: Rest<'_>) -> bool {
    let inside: String = rest.take_while(|c| *c != '}').collect();
    let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    !least.is_empty() && digits(least) && digits(most)
}

/// Whether the brace that comes now ends a count that was begun.
fn ends_count(out: &str) -> bool {
    out.rfind('{').is_some_and(|at| {
        let begun = !out.get(..at).is_some_and(|before| before.ends_with(['\\', 'u', 'x', 'p', 'P', 'k']));
        begun && out.get(at + 1..).is_some_and(|count| count.chars().all(|c| c.is_ascii_digit() || c == ','))
    })
}

/// Writes what a backslash and the characters behind it mean, in a class or outside.
fn push_escape(out: &mut String, rest: &mut Rest<'_>, in_class: bool) -> Result<(), String> {
    let Some(c) = rest.next() else { return Err(r"`\` at the end of the pattern".to_owned()) };
    match c {
        'd' => out.push_str(bracket("0-9", in_class).as_str()),
        'w' => out.push_str(bracket("A-Za-z0-9_", in_class).as_str()),
        's' => out.push_str(bracket(SPACES, in_class).as_str()),
        'D' => out.push_str("[^0-9]"),
        'W' => out.push_str("[^A-Za-z0-9_]"),
        'S' => out.push_str(&format!("[^{SPACES}]")),
        'b' if in_class => out.push_str(r"\x08"),
        // Words are of ASCII in JavaScript.
        'b' => out.push_str(r"(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))"),
        'B' if !in_class => {
            out.push_str(r"(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))");
        }
        't' | 'n' | 'r' => out.extend(['\\', c]),
        'f' => out.push_str(r"\x0C"),
        'v' => out.push_str(r"\x0B"),
        '0' if !rest.peek().is_some_and(char::is_ascii_digit) => out.push_str(r"\x00"),
        '1'..='9' if !in_class => out.extend(['\\', c]),
        'k' if !in_class && rest.peek() == Some(&'<') => out.push_str(r"\k"),
        'c' if rest.peek().is_some_and(char::is_ascii_alphabetic) => {
            let letter = rest.next().unwrap_or('@');
            out.push_str(&format!(r"\x{:02X}", u32::from(letter) % 32));
        }
        'x' => push_code(out, rest, 2, 'x'),
        'u' => push_code(out, rest, 4, 'u'),
        c if c.is_ascii_alphanumeric() => out.push(c),
        c if c.is_ascii() && !c.is_ascii_control() => out.extend(['\\', c]),
        c => out.push(c),
    }
    Ok(())
}

fn bracket(set: &str, in_class: bool) -> String {
    if in_class { set.to_owned() } else { format!("[{set}]") }
}

/// `\x41` or `\u0041`; without the digits the letter stands for itself.
fn push_code(out: &mut String, rest: &mut Rest<'_>, digits: usize, letter: char) {
    let code: String = rest.clone().take(digits).take_while(char::is_ascii_hexdigit).collect();
    if code.len() == digits {
        rest.by_ref().take(digits).for_each(drop);
        out.push_str(&format!(r"\x{{{code}}}"));
    } else {
        out.push(letter);
    }
}

/// Writes the class that begins after `[`: in JavaScript it holds no classes and knows no set operations.
fn push_class(out: &mut String, rest: &mut Rest<'_>) -> Result<(), String> {
    let negated = rest.next_if_eq(&'^').is_some();
    match (rest.peek(), negated) {
        // Nothing at all, and anything at all.
        (Some(']'), false) => {
            rest.next();
            out.push_str("(?!)");
            return Ok(());
        }
        (Some(']'), true) => {
            rest.next();
            out.push_str(r"[\s\S]");
            return Ok(());
        }
        _ => out.push_str(if negated { "[^" } else { "[" }),
    }
    // A set such as `\d` is no end of a range: the dash beside it is a character.
    let mut behind_set = false;
    loop {
        let next = rest.next();
        let was_behind_set = std::mem::replace(&mut behind_set, next == Some('\\') && is_set(rest.peek()));
        match next {
            None => return Err("`[` is not closed".to_owned()),
            Some(']') => break,
            Some('\\') => push_escape(out, rest, true)?,
            Some('-') if was_behind_set || begins_set(rest.clone()) => out.push_str(r"\-"),
            Some(c @ ('[' | '&' | '~' | '^')) => out.extend(['\\', c]),
            // A range needs both ends; a second dash beside the first would be a set operation.
            Some('-') if rest.peek() == Some(&'-') => out.push_str(r"\-"),
            Some(c) => out.push(c),
        }
    }
    out.push(']');
    Ok(())
}

fn is_set(letter: Option<&char>) -> bool {
    letter.is_some_and(|letter| "dDwWsS".contains(*letter))
}

fn begins_set(mut rest: Rest<'_>) -> bool {
    rest.next() == Some('\\') && is_set(rest.peek())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(pattern: &str, text: &str) -> Verdict {
        Pattern::new(pattern).map_err(|e| format!("{pattern}: {e}")).unwrap().is_match(text)
    }

    #[test]
    fn patterns_mean_what_javascript_means() {
        for (pattern, yes, no) in [
            (r"Never push", "- Never push to main", "never push"),
            (r"(?=.*a)(?=.*b)", "xbya", "xx"),
            (r"(?<!not )ready", "now ready", "not ready"),
            (r"(['\x22]).*?\1", "say 'x'", "say 'x\""),
            (r"(?<q>a)\k<q>", "aa", "ab"),
            (r"^\d+$", "42", "٤٢"),
            (r"^\w+$", "ab_1", "né"),
            (r"\bcat\b", "a cat", "concat"),
            (r"a.b", "a-b", "a\rb"),
            (r"^[^]+$", "a\nb", ""),
            (r"[\s\S]{3,}", "a\nb", "ab"),
            (r"a{,2}", "a{,2}", "aa"),
            (r"\{x\}", "{x}", "x"),
            (r"{{name}}", "{{name}}", "name"),
            (r"^\$\{x\}", "${x}", "$x"),
            (r"[[]x", "[x", "x"),
            (r"[a&&b]+$", "a&", "c"),
            (r"x]", "x]", "x"),
            (r"\u0041\x42", "AB", "ab"),
            (r"^\/path", "/path", "path"),
            (r"\-\:", "-:", "--"),
            (r"[\d-x]", "-", "y"),
            (r"[\w.-]+@", "a.b-c@", "é@"),
            (r"end$", "the end", "the end\n"),
            (r"^[\w-.]+$", "a-b.c", "a b"),
            (r"^[\w-x]+$", "a-b", "a b"),
            (r"^[+-\d]+$", "5-+", "a"),
            (r"^[\s-x]+$", " -x", "a"),
            (r"\cJ", "\n", "J"),
        ] {
            assert_eq!(verdict(pattern, yes), Verdict::Matches, "{pattern} on {yes:?}");
            assert_eq!(verdict(pattern, no), Verdict::Fails, "{pattern} on {no:?}");
        }
    }

    #[test]
    fn what_javascript_does_not_compile_is_an_error() {
        for pattern in ["(", "[", r"a\", "(?i)a", "*", "[z-a]"] {
            assert!(Pattern::new(pattern).is_err(), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_takes_forever_is_given_up() {
        let text = format!("{}b", "a".repeat(60));
        assert_eq!(verdict(r"^((?=a)a|(?=a)aa)+c$", &text), Verdict::Undecided);
    }
}
