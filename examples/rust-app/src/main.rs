//! Prints the prompt for a kind of mail, as a program would send it to a model.

use std::io::Write as _;

use prompts::Prompt;

canopy_build::include_prompts!();

/// The prompt for a kind of mail: the words of its name behind `answer-`.
fn prompt_for(kind: &str) -> &'static Prompt {
    let meant = |prompt: &&Prompt| prompt.name.strip_prefix("answer-") == Some(kind);
    prompts::ALL.iter().find(meant).unwrap_or(&prompts::ANSWER_ANYTHING)
}

#[expect(clippy::disallowed_methods, reason = "a program is typed and prints")]
fn main() -> std::io::Result<()> {
    let kind = std::env::args().nth(1).unwrap_or_default();
    let prompt = prompt_for(&kind);
    writeln!(std::io::stdout(), "{} v{}\n\n{}", prompt.name, prompt.version, prompt.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_of_mail_has_its_prompt_and_inherits_the_manners() {
        let prompt = prompt_for("complaint");
        assert_eq!(prompt.name, "answer-complaint");
        assert_eq!(prompt.description, Some("Answers somebody who is not content"));
        assert_eq!(prompt.sections.first().map(|section| section.name), Some("manners"));
        assert!(prompt.text.starts_with("## manners\n\n"));
        assert!(prompt.text.contains(prompts::MANNERS.text));
        assert_eq!(prompt.hash.len(), 64);
    }

    #[test]
    fn what_nobody_thought_of_is_answered_all_the_same() {
        assert_eq!(prompt_for("poem").name, "answer-anything");
    }
}
