//! `cn prime`: what an agent needs to know to work with canopy.

use canopy::files::{DiskFiles, Files as _};
use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Prime;
use crate::context::{Context, failure};
use crate::report::{Reply, Styled};

const FULL: &str = include_str!("prime/full.md");
const COMPACT: &str = include_str!("prime/compact.md");

/// A project's own text, printed in the place of ours.
const OWN: &str = ".canopy/PRIME.md";

/// Prints the project's own text if it has one, else ours.
pub(crate) fn prime(context: &Context, typed: &Prime) -> Result<Reply, Failure> {
    let ours = if typed.compact { COMPACT } else { FULL };
    let own = if typed.export { None } else { own(context)? };
    let content = own.unwrap_or_else(|| ours.to_owned());
    let reply = Reply::default().with("content", content.as_str());
    Ok(Reply { data: Styled::Verbatim(content), ..reply })
}

fn own(context: &Context) -> Result<Option<String>, Failure> {
    let wrong = |e: &dyn std::fmt::Display| failure(Problem::new(e.to_string()));
    let files = DiskFiles::new(&context.root()?).map_err(|e| wrong(&e))?;
    let Some(bytes) = files.read(OWN).map_err(|e| wrong(&e))? else { return Ok(None) };
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| wrong(&format!("`{OWN}` is not UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::{COMPACT, FULL};
    use crate::args;

    /// The command lines that a text names: what stands in backticks or begins a line of code.
    fn named(text: &str) -> Vec<&str> {
        let in_code = text.lines().filter(|line| line.starts_with("cn "));
        let in_text = text.lines().filter(|line| !line.starts_with("cn "));
        let in_text = in_text
            .flat_map(|line| line.split('`').skip(1).step_by(2))
            .filter(|code| code.starts_with("cn "));
        in_code.map(|line| line.split(" #").next().unwrap_or(line)).chain(in_text).collect()
    }

    #[test]
    fn every_command_that_a_text_names_exists() {
        for text in [FULL, COMPACT, crate::onboard::SECTION] {
            let found = named(text);
            assert!(found.len() > 3, "{text}");
            for line in found {
                let root = args::command();
                let mut command = &root;
                for word in line.split(' ').skip(1) {
                    if let Some(option) = word.strip_prefix("--") {
                        let is_it = |arg: &clap::Arg| arg.get_long() == Some(option);
                        assert!(command.get_arguments().any(is_it), "{line}: --{option}");
                    } else if command.has_subcommands() {
                        command = command.find_subcommand(word).unwrap_or_else(|| panic!("{line}: {word}"));
                    }
                }
                assert!(!command.has_subcommands(), "{line}");
            }
        }
    }

    #[test]
    fn every_command_line_of_the_texts_is_taken() {
        for line in [FULL, COMPACT].into_iter().flat_map(str::lines).filter(|line| line.starts_with("cn ")) {
            let line = line.split(" #").next().unwrap_or(line).trim_end();
            let mut words = vec![String::new()];
            let mut quote = None;
            for c in line.chars() {
                match (c, quote) {
                    (' ', None) => words.push(String::new()),
                    ('"' | '\'', None) => quote = Some(c),
                    (c, Some(open)) if c == open => quote = None,
                    (c, _) => words.last_mut().unwrap().push(c),
                }
            }
            let taken = args::command().try_get_matches_from(&words);
            assert!(taken.is_ok(), "{line}: {}", taken.unwrap_err());
        }
    }
}
