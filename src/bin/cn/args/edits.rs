//! The options that say what a prompt is to be: as flags, as files, as pairs of a name and a text.

use std::path::PathBuf;

use canopy::problem::Problem;
use canopy::prompt::Status;
use canopy::store::edit::Edit;
use canopy::value::Value;
use clap::builder::NonEmptyStringValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// What may be said of a new prompt and of one that there is.
#[derive(Debug, Args)]
pub(crate) struct Edits {
    /// Say in a line what it does
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    /// Inherit from this prompt
    #[arg(long, value_name = "NAME")]
    extends: Option<String>,
    /// Mix this prompt in (repeatable)
    #[arg(long, value_name = "NAME")]
    mixin: Vec<String>,
    /// Add a tag (repeatable)
    #[arg(long, value_name = "TAG", value_parser = NonEmptyStringValueParser::new())]
    tag: Vec<String>,
    /// Hold it against this schema
    #[arg(long, value_name = "NAME")]
    schema: Option<String>,
    /// Emit it under this file name
    #[arg(long, value_name = "FILE")]
    emit_as: Option<String>,
    /// Emit it into this folder
    #[arg(long, value_name = "DIR")]
    emit_dir: Option<String>,
    /// Where it is in its life
    #[arg(long, value_name = "STATUS", value_parser = super::status())]
    status: Option<Status>,
    /// Set a front matter member: KEY=TEXT, or KEY:=JSON for other types (repeatable)
    #[arg(long, value_name = "KEY=VALUE", value_parser = member, allow_hyphen_values = true)]
    fm: Vec<(String, Value)>,
    /// Declare expertise, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = object)]
    mulch: Option<Value>,
    /// Merge the declared expertise with the inherited
    #[arg(long, value_name = "BOOL")]
    extends_mulch: Option<bool>,
}

impl Edits {
    /// What they come to, in the order in which they apply.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        let text = |text: &Option<String>, edit: fn(String) -> Edit| text.clone().map(edit);
        let mut edits = Vec::new();
        edits.extend(text(&self.description, Edit::Description));
        edits.extend(text(&self.extends, Edit::Extends));
        edits.extend(self.mixin.iter().cloned().map(Edit::Mixin));
        edits.extend(self.tag.iter().cloned().map(Edit::Tag));
        edits.extend(text(&self.schema, Edit::Schema));
        edits.extend(text(&self.emit_as, Edit::EmitAs));
        edits.extend(text(&self.emit_dir, Edit::EmitDir));
        edits.extend(self.status.map(Edit::Status));
        let members = self.fm.iter().cloned();
        edits.extend(members.map(|(key, value)| Edit::Frontmatter { key, value }));
        edits.extend(self.mulch.clone().map(Edit::Mulch));
        edits.extend(self.extends_mulch.map(Edit::ExtendsMulch));
        edits
    }
}

impl Edits {
    /// The things that are given by name, each with its kind.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let tags = self.tag.iter().map(|name| ("tag", name.as_str()));
        let mixins = self.mixin.iter().map(|name| ("mixin", name.as_str()));
        tags.chain(mixins).chain(self.fm.iter().map(|(key, _)| ("front matter member", key.as_str())))
    }
}

/// What may be taken from a prompt.
#[derive(Debug, Args)]
pub(crate) struct Removals {
    /// Inherit from no prompt
    #[arg(long, conflicts_with = "extends")]
    no_extends: bool,
    /// Do not mix this prompt in (repeatable)
    #[arg(long, value_name = "NAME")]
    remove_mixin: Vec<String>,
    /// Remove a tag (repeatable)
    #[arg(long, value_name = "TAG")]
    untag: Vec<String>,
    /// Remove a front matter member (repeatable)
    #[arg(long, value_name = "KEY")]
    remove_fm: Vec<String>,
    /// Remove a section, an inherited one as well (repeatable)
    #[arg(long, value_name = "NAME")]
    remove_section: Vec<String>,
    /// Declare no expertise
    #[arg(long, conflicts_with = "mulch")]
    no_mulch: bool,
}

impl Removals {
    /// What they come to.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        edits.extend(self.no_extends.then_some(Edit::NoExtends));
        edits.extend(self.remove_mixin.iter().cloned().map(Edit::RemoveMixin));
        edits.extend(self.untag.iter().cloned().map(Edit::Untag));
        edits.extend(self.remove_fm.iter().cloned().map(Edit::RemoveFrontmatter));
        edits.extend(self.remove_section.iter().cloned().map(Edit::RemoveSection));
        edits.extend(self.no_mulch.then_some(Edit::NoMulch));
        edits
    }
}

impl Removals {
    /// The things that are removed by name, each with its kind.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let tags = self.untag.iter().map(|name| ("tag", name.as_str()));
        let mixins = self.remove_mixin.iter().map(|name| ("mixin", name.as_str()));
        let members = self.remove_fm.iter().map(|name| ("front matter member", name.as_str()));
        tags.chain(mixins)
            .chain(members)
            .chain(self.remove_section.iter().map(|name| ("section", name.as_str())))
    }
}

/// The sections that were given texts, in the order in which they were typed.
#[derive(Debug, Default)]
pub(crate) struct Bodies(pub(crate) Vec<(String, Body)>);

/// Where the text of a section comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    /// From the command line.
    Text(String),
    /// From a file; `-` is standard input.
    File(PathBuf),
}

impl Bodies {
    /// The sections, each with its kind.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, _)| ("section", name.as_str()))
    }

    /// That standard input cannot be read twice, if two sections ask for it.
    pub(crate) fn read_twice(&self) -> Option<Problem> {
        let from_stdin = |(_, body): &&(String, Body)| *body == Body::File(PathBuf::from("-"));
        let twice = self.0.iter().filter(from_stdin).count() > 1;
        let problem = || Problem::new("standard input can be the text of one section only");
        twice.then(|| problem().hint("give the others as files"))
    }
}

impl Args for Bodies {
    fn augment_args(command: Command) -> Command {
        let option = |name: &'static str, value: &'static str, help: &'static str| {
            let arg = Arg::new(name).long(name).value_name(value).action(ArgAction::Append);
            arg.allow_hyphen_values(true).help(help)
        };
        command
            .arg(option("section", "NAME[=TEXT]", "Set a section's text, here or with --body (repeatable)"))
            .arg(option("add-section", "NAME[=TEXT]", "The same, for a section that is new (repeatable)"))
            .arg(option("body", "TEXT", "The text of the section that was named just before"))
            .arg(option("body-file", "PATH", "The same, out of a file; `-` is standard input"))
            .arg(option("section-file", "NAME=PATH", "Set a section's text out of a file (repeatable)"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Bodies {
    fn from_arg_matches(found: &ArgMatches) -> Result<Self, clap::Error> {
        let mut typed: Vec<(usize, &str, &String)> = Vec::new();
        for option in ["section", "add-section", "body", "body-file", "section-file"] {
            let places = found.indices_of(option).into_iter().flatten();
            let values = found.get_many::<String>(option).into_iter().flatten();
            typed.extend(places.zip(values).map(|(place, value)| (place, option, value)));
        }
        typed.sort_unstable();
        let mut bodies = Vec::new();
        let mut typed = typed.into_iter().peekable();
        while let Some((_, option, value)) = typed.next() {
            let pair = value.split_once('=').filter(|(name, _)| !name.is_empty());
            let (name, body) = match (option, pair) {
                ("section" | "add-section", Some((name, text))) => (name, Body::Text(text.to_owned())),
                ("section-file", Some((name, path))) => (name, Body::File(path.into())),
                ("section" | "add-section", None) if !value.is_empty() => {
                    let text = typed.next_if(|(_, next, _)| matches!(*next, "body" | "body-file"));
                    let wanted = format!(
                        "`--{option} {value}` has no text: give it as `{value}=TEXT` or with `--body`"
                    );
                    let (_, next, text) = text.ok_or_else(|| wrong(wanted))?;
                    let file = next == "body-file";
                    (value.as_str(), if file { Body::File(text.into()) } else { Body::Text(text.clone()) })
                }
                ("body" | "body-file", _) => {
                    return Err(wrong(format!("`--{option}` belongs behind a `--section NAME`")));
                }
                _ => return Err(wrong(format!("`--{option} {value}` names no section"))),
            };
            if name.trim() != name || name.contains(char::is_control) {
                return Err(wrong(format!("`{}` is no name of a section", name.escape_debug())));
            }
            bodies.push((name.to_owned(), body));
        }
        Ok(Bodies(bodies))
    }

    fn update_from_arg_matches(&mut self, found: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}

fn wrong(message: String) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, message + "\n")
}

/// `KEY=TEXT` or `KEY:=JSON`.
fn member(typed: &str) -> Result<(String, Value), String> {
    let (key, text) = typed.split_once('=').ok_or("neither KEY=TEXT nor KEY:=JSON")?;
    let (key, value) = match key.strip_suffix(':') {
        Some(key) => (key, json(text)?),
        None => (key, Value::from(text)),
    };
    if key.is_empty() { Err("the key is empty".to_owned()) } else { Ok((key.to_owned(), value)) }
}

fn object(text: &str) -> Result<Value, String> {
    match json(text)? {
        Value::Map(map) => Ok(Value::Map(map)),
        other => Err(format!("{}, not an object", other.kind())),
    }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(args: &[&str]) -> Result<Vec<(String, Body)>, String> {
        let command = Bodies::augment_args(Command::new("x").no_binary_name(true));
        let found = command.try_get_matches_from(args).map_err(|e| e.to_string())?;
        Bodies::from_arg_matches(&found).map(|bodies| bodies.0).map_err(|e| e.to_string())
    }

    #[test]
    fn names_and_texts_find_one_another() {
        let text = |name: &str, text: &str| (name.to_owned(), Body::Text(text.to_owned()));
        let file = |name: &str, path: &str| (name.to_owned(), Body::File(path.into()));
        assert_eq!(bodies(&["--section", "a=b=c"]), Ok(vec![text("a", "b=c")]));
        assert_eq!(bodies(&["--section", "a", "--body", "-x"]), Ok(vec![text("a", "-x")]));
        assert_eq!(
            bodies(&[
                "--add-section",
                "a",
                "--body-file",
                "-",
                "--section",
                "b=",
                "--section-file",
                "c=d/e.md"
            ]),
            Ok(vec![file("a", "-"), text("b", ""), file("c", "d/e.md")])
        );
        for wrong in
            [&["--section", "a"][..], &["--body", "x"], &["--section", "=x"], &["--section-file", "a"]]
        {
            assert!(bodies(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn front_matter_members_are_text_or_json() {
        assert_eq!(member("k=3"), Ok(("k".into(), Value::from("3"))));
        assert_eq!(member("k:=3"), Ok(("k".into(), Value::from(3_u64))));
        assert_eq!(member("k=a:=b"), Ok(("k".into(), Value::from("a:=b"))));
        assert!(member("k:={bad").is_err() && member("k").is_err() && member("=x").is_err());
    }
}
