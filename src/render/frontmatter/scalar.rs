//! When a string may stand bare in YAML, and how it is quoted when it may not.

/// A string as a value: bare where the reference writes it bare and every reader gets the string back.
pub(super) fn string(text: &str) -> String {
    let quoted_by_the_reference = text.contains([':', '#', '"', '\'', '\n']);
    if quoted_by_the_reference || !is_plain(text) { quoted(text) } else { text.to_owned() }
}

/// Whether `text` may stand bare as a key.
pub(super) fn is_plain_key(text: &str) -> bool {
    is_plain(text) && !starts_document_marker(text)
}

/// The string in double quotes, on one line, with escapes where a bare character would not come back.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push('\t'),
            c if is_printable(c) => quoted.push(c),
            c if u32::from(c) <= 0xFF => quoted.push_str(&format!("\\x{:02X}", u32::from(c))),
            c => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a bare `text` on one line reads back as this string in YAML 1.1 and in YAML 1.2.
fn is_plain(text: &str) -> bool {
    let edges_are_visible = !text.starts_with([' ', '\t']) && !text.ends_with([' ', '\t']);
    edges_are_visible
        && starts_plainly(text)
        && text.chars().all(|c| c != '\t' && is_printable(c))
        && !text.contains(": ")
        && !text.ends_with(':')
        && !text.contains(" #")
        && !is_other_type(text)
}

/// Whether the first characters do not begin another kind of node.
fn starts_plainly(text: &str) -> bool {
    let mut chars = text.chars();
    match chars.next() {
        None => false,
        Some('-' | '?' | ':') => chars.next().is_some_and(|next| next != ' '),
        Some(first) => !",[]{}#&*!|>'\"%@`".contains(first),
    }
}

fn starts_document_marker(text: &str) -> bool {
    ["---", "..."].iter().any(|marker| {
        text.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    })
}

/// What YAML 1.1 lets stand unescaped; its own line ends and the byte order mark are not among it.
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
        && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
}

/// Whether a reader of YAML 1.1 or of YAML 1.2 takes the bare word for something else than a string.
fn is_other_type(text: &str) -> bool {
    is_word_with_meaning(text) || is_integer(text) || is_float(text) || is_date(text) || is_time(text)
}

fn is_word_with_meaning(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let is_lower = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_upper = |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase());
    // Capitals count only all along or in the first place.
    let is_cased = || is_lower(text) || is_upper(text) || text.get(1..).is_some_and(is_lower);
    matches!(text, "~" | "=" | "<<")
        || (WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) && is_cased())
}

/// Decimal, octal (`017`, `0o17`), hexadecimal and binary, with YAML 1.1's underscores.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let all = |digits: &str, radix: u32| {
        !digits.is_empty() && digits.chars().all(|c| c == '_' || c.is_digit(radix))
    };
    if let Some(rest) = digits.strip_prefix("0x") {
        return all(rest, 16);
    }
    if let Some(rest) = digits.strip_prefix("0o") {
        return all(rest, 8);
    }
    if let Some(rest) = digits.strip_prefix("0b") {
        return all(rest, 2);
    }
    digits.starts_with(|c: char| c.is_ascii_digit()) && all(digits, 10)
}

/// With a point, an exponent, or both; infinity and not-a-number.
fn is_float(text: &str) -> bool {
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(number, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number, None),
    };
    let digits = |text: &str| text.chars().all(|c| c == '_' || c.is_ascii_digit());
    let begins_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let mantissa_is_number = match mantissa.split_once('.') {
        // Older readers of YAML 1.1 take `._` for a number and stumble over it.
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => begins_with_digit(whole) && digits(whole) && digits(fraction),
        None => begins_with_digit(mantissa) && digits(mantissa),
    };
    let exponent_is_number = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !exponent.is_empty() && exponent.chars().all(|c| c.is_ascii_digit())
    });
    mantissa_is_number && exponent_is_number
}

/// `12:30` is a number to the base of 60, `2026-01-31T12:30:00Z` a time; both begin with a digit and have colons.
fn is_time(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains(':')
}

/// `2026-01-31`
fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
