//! Reads the configuration out of YAML; the legacy form becomes targets on the way.

use std::collections::HashSet;
use std::fmt;

use indexmap::IndexMap;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::problem::{Origin, Problem};
use crate::yaml;

use super::{CONFIG, Config, Target};

/// Reads a configuration.
///
/// # Errors
/// If the text is no YAML, a member has the wrong type, a target lacks its `dir`, or two targets are the
/// default: with the line.
///
/// ```
/// let config = canopy::config::parse(b"project: shop\ntargets:\n  all:\n    dir: prompts\n    default: true\n")?;
/// assert_eq!(config.targets["all"].dir, "prompts");
/// # Ok::<(), canopy::problem::Problem>(())
/// ```
pub fn parse(text: &[u8]) -> Result<Config, Problem> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    if yaml::is_bottomless(text) {
        let problem = Problem::new("the configuration cannot be used: it nests without end");
        return Err(problem.at(&Origin { path: CONFIG.into(), line: 1 }));
    }
    let file: Option<File> = serde_yaml::from_slice(text).map_err(|e| unusable(&e))?;
    Ok(file.map(File::canonical).unwrap_or_default())
}

/// What the reader says, with its place.
pub(super) fn unusable(e: &serde_yaml::Error) -> Problem {
    let place = e.location();
    let message = match e.to_string().rsplit_once(" at line ") {
        Some((message, _)) if place.is_some() => message.to_owned(),
        _ => e.to_string(),
    };
    let line = place.map_or(1, |place| place.line());
    Problem::new(format!("the configuration cannot be used: {message}"))
        .at(&Origin { path: CONFIG.into(), line })
        .hint("targets look like this: `targets: {agents: {dir: agents, default: true}}`")
}

/// The file as it is written, in the canonical or the legacy form; members that we do not know are left alone.
#[derive(Default)]
struct File {
    project: Option<Word>,
    version: Option<Word>,
    targets: Option<Targets>,
    emit_dir: Option<String>,
    emit_dir_by_tag: Option<IndexMap<String, String>>,
}

/// What a file may say, each once.
const KNOWN: [&str; 5] = ["project", "version", "targets", "emitDir", "emitDirByTag"];

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileVisitor;
        impl<'de> Visitor<'de> for FileVisitor {
            type Value = File;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("members by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<File, A::Error> {
                let mut file = File::default();
                let mut seen = HashSet::new();
                while let Some(key) = map.next_key::<String>()? {
                    if KNOWN.contains(&key.as_str()) && !seen.insert(key.clone()) {
                        return Err(A::Error::custom(format!("`{key}` is there twice")));
                    }
                    match key.as_str() {
                        "project" => file.project = map.next_value()?,
                        "version" => file.version = map.next_value()?,
                        "targets" => file.targets = map.next_value()?,
                        "emitDir" => file.emit_dir = map.next_value()?,
                        "emitDirByTag" => file.emit_dir_by_tag = map.next_value()?,
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(file)
            }
        }
        deserializer.deserialize_map(FileVisitor)
    }
}

impl File {
    fn canonical(self) -> Config {
        let missing = Config::default();
        let targets = match self.targets {
            Some(Targets(targets)) => targets,
            None => legacy_targets(self.emit_dir, self.emit_dir_by_tag.unwrap_or_default()),
        };
        Config {
            project: self.project.map_or(missing.project, |word| word.0),
            version: self.version.map_or(missing.version, |word| word.0),
            targets,
        }
    }
}

/// `emitDir` becomes the default target, `emitDirByTag` one target for each folder, under the folder's name.
fn legacy_targets(dir: Option<String>, by_tag: IndexMap<String, String>) -> IndexMap<String, Target> {
    let mut targets = IndexMap::new();
    if let Some(dir) = dir.filter(|dir| !dir.is_empty()) {
        targets.insert("default".to_owned(), Target { dir, default: true, tags: Vec::new() });
    }
    for (tag, dir) in by_tag.into_iter().filter(|(_, dir)| !dir.is_empty()) {
        let name = if dir == "default" { "default-by-tag".to_owned() } else { dir.clone() };
        let target = targets.entry(name).or_insert_with(|| Target { dir, ..Target::default() });
        target.tags.push(tag);
    }
    targets
}

/// A word that people write with or without quotes: `1.10` and `"1.10"` are the same.
struct Word(String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Word)
    }
}

/// The targets by name: each once, at most one of them the default.
struct Targets(IndexMap<String, Target>);

impl<'de> Deserialize<'de> for Targets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TargetsVisitor;
        impl<'de> Visitor<'de> for TargetsVisitor {
            type Value = Targets;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("targets by their names")
            }

            fn visit_unit<E: Error>(self) -> Result<Targets, E> {
                Ok(Targets(IndexMap::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Targets, A::Error> {
                let mut targets: IndexMap<String, Target> = IndexMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let earlier = targets.iter().find(|(_, t)| t.default).map(|(name, _)| name.clone());
                    let seed = TargetSeed { name: &name, twice: targets.contains_key(&name), earlier };
                    let target = map.next_value_seed(seed)?;
                    targets.insert(name, target);
                }
                Ok(Targets(targets))
            }
        }
        deserializer.deserialize_any(TargetsVisitor)
    }
}

/// Reads one target, knowing what came before, so that an error stands where the target stands.
struct TargetSeed<'a> {
    name: &'a str,
    twice: bool,
    earlier: Option<String>,
}

impl<'de> serde::de::DeserializeSeed<'de> for TargetSeed<'_> {
    type Value = Target;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Target, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TargetSeed<'_> {
    type Value = Target;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the members of target `{}`", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Target, A::Error> {
        let (mut dir, mut default, mut tags) = (None, None, None);
        if self.twice {
            return Err(A::Error::custom(format!("target `{}` is there twice", self.name)));
        }
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "dir" => dir = map.next_value::<Option<String>>()?,
                "default" => default = map.next_value::<Option<Word>>()?,
                "tags" => tags = map.next_value::<Option<Vec<Word>>>()?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let dir = dir.filter(|dir| !dir.is_empty());
        let dir = dir.ok_or_else(|| A::Error::custom(format!("target `{}` has no `dir`", self.name)))?;
        let default = match default.as_ref().map(|word| word.0.as_str()) {
            None | Some("false") => false,
            Some("true") => true,
            Some(word) => {
                let message = format!("`default` of target `{}` is `{word}`, not true or false", self.name);
                return Err(A::Error::custom(message));
            }
        };
        if let (true, Some(earlier)) = (default, self.earlier) {
            return Err(A::Error::custom(format!("`{}` and `{earlier}` are both the default", self.name)));
        }
        let tags = tags.into_iter().flatten().map(|word| word.0).collect();
        Ok(Target { dir, default, tags })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (usize, String) {
        let problem = parse(text.as_bytes()).unwrap_err();
        (problem.origin.unwrap().line, problem.message)
    }

    #[test]
    fn the_legacy_form_becomes_targets() {
        let config =
            parse(b"project: t\nversion: 1\nemitDir: out\nemitDirByTag:\n  a: cmds\n  b: cmds\n").unwrap();
        assert_eq!(config.version, "1");
        assert!(config.targets["default"].default);
        assert_eq!(config.targets["cmds"].tags, ["a", "b"]);
        assert!(parse(b"emitDir:\nemitDirByTag:\n  a:\n").unwrap().targets.is_empty());
    }

    #[test]
    fn an_empty_configuration_is_the_default_one() {
        assert_eq!(parse(b"").unwrap(), Config::default());
        assert_eq!(parse(b"# nothing yet\n").unwrap(), Config::default());
        assert_eq!(parse(b"targets:\n").unwrap(), Config::default());
        assert_eq!(parse(b"\xEF\xBB\xBFproject: t\r\n").unwrap().project, "t");
    }

    #[test]
    fn what_cannot_be_used_is_said_with_its_line() {
        for (text, line, words) in [
            ("project: t\ntargets:\n  a:\n    tags: [x]\n", 4, "target `a` has no `dir`"),
            (
                "targets:\n  a:\n    dir: x\n    default: true\n  b:\n    dir: y\n    default: true\n",
                6,
                "`b` and `a` are both the default",
            ),
            ("project: t\ntargets:\n  - a\n", 3, "targets by their names"),
            ("project: t\n\tversion: 1\n", 2, ""),
            ("targets: {a: {dir: x}, a: {dir: y}}\n", 1, "twice"),
            ("a: [", 2, ""),
            ("- a\n", 1, ""),
            ("project: [1]\n", 1, "expected a string"),
            ("targets:\n  a:\n    dir: x\n    default: truu\n", 3, "`truu`, not true or false"),
        ] {
            let (at, message) = wrong(text);
            assert!(message.contains(words), "{text:?}: {message}");
            assert_eq!(at, line, "{text:?}: {message}");
        }
    }
}
