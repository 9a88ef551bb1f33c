//! A look at YAML before it is read, for what would keep a reader busy for minutes.

/// How deeply lists and maps in brackets may nest; the reader gives up long before, but not soon.
const DEEPEST: usize = 500;

/// Whether brackets open in the text so often that it is no document of a person's.
///
/// Brackets in words count as well: a document that is refused for them would have to hold hundreds more that
/// open than close.
#[must_use]
pub fn is_bottomless(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    text.iter().any(|byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nests_without_end_is_bottomless() {
        assert!(!is_bottomless(&b"a: [x, {b: [c]}]\n".repeat(10_000)));
        assert!(is_bottomless(&b"[".repeat(50_000)));
    }
}
