//! Texts that are the same but for their line ends, by hash.

use std::borrow::Cow;

/// Whether the file's bytes are `text`, as they stand or with other line ends.
#[must_use]
pub fn is_same(file: &[u8], text: &str) -> bool {
    hash(file) == hash(text.as_bytes())
}

/// Whether every line of the file ends as on Windows.
pub(super) fn ends_lines_with_crlf(file: &[u8]) -> bool {
    let mut ends = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).peekable();
    ends.peek().is_some() && ends.all(|at| at.checked_sub(1).and_then(|at| file.get(at)) == Some(&b'\r'))
}

/// The text with the line ends of Windows.
pub(super) fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// What texts share that are the same but for their line ends.
#[must_use]
pub fn hash(bytes: &[u8]) -> blake3::Hash {
    blake3::hash(&without_cr(bytes))
}

/// The bytes with `\n` for every `\r\n`; a `\r` elsewhere is text.
fn without_cr(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'\r') {
        return Cow::Borrowed(bytes);
    }
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&b'\n') {
            kept.push(byte);
        }
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_make_no_difference_and_nothing_else_is_forgiven() {
        assert!(is_same(b"a\r\nb\r\n", "a\nb\n"));
        assert!(is_same(b"a\nb\n", "a\r\nb\n"));
        assert!(!is_same(b"a\rb", "a\nb"));
        assert!(!is_same(b"a\nb", "a\nb\n"));
    }

    #[test]
    fn only_a_file_of_windows_line_ends_keeps_them() {
        assert!(ends_lines_with_crlf(b"a\r\nb\r\n"));
        assert!(!ends_lines_with_crlf(b"a\r\nb\n"));
        assert!(!ends_lines_with_crlf(b"a"));
        assert!(!ends_lines_with_crlf(b"\n"));
        assert_eq!(with_crlf("a\nb\r\n"), "a\r\nb\r\n");
    }
}
