//! The test language: short records, a project on disk, and what the command answered.

use canopy::files::MemoryFiles;
use canopy::problem::Problem;
use canopy::value::Value;

/// Fills a short record: the id is `t-NAME`, the version 1, the status active, and sections may be written as
/// an object of bodies by name.
pub(crate) fn record(short: &str) -> String {
    let Value::Map(mut map) = serde_json::from_str(short).unwrap_or_else(|e| panic!("{short}: {e}")) else {
        panic!("{short}: no object");
    };
    let name = map["name"].as_str().unwrap().to_owned();
    if let Some(Value::Map(bodies)) = map.get("sections") {
        let sections = bodies.iter().map(|(name, body)| {
            let members =
                [("name".to_owned(), Value::from(name.as_str())), ("body".to_owned(), body.clone())];
            Value::Map(members.into_iter().collect())
        });
        let sections = sections.collect();
        map.insert("sections".to_owned(), sections);
    }
    for (key, value) in [
        ("id", Value::from(format!("t-{name}"))),
        ("version", Value::from(1_u64)),
        ("sections", Value::List(Vec::new())),
        ("status", Value::from("active")),
        ("createdAt", Value::from("2026-01-01T00:00:00.000Z")),
        ("updatedAt", Value::from("2026-01-01T00:00:00.000Z")),
    ] {
        map.entry(key.to_owned()).or_insert(value);
    }
    serde_json::to_string(&Value::Map(map)).unwrap()
}

/// A store of short records, one a line; blank lines are left out.
pub(crate) fn store(short: &str) -> String {
    short.lines().filter(|line| !line.trim().is_empty()).map(|line| record(line) + "\n").collect()
}

/// A store of short records in memory.
pub(crate) fn memory(short: &str) -> MemoryFiles {
    [(canopy::source::PROMPTS, store(short))].into_iter().collect()
}

/// A problem as a person sees it.
pub(crate) fn shown(problem: &Problem) -> String {
    let place = problem.origin.as_ref().map(|origin| format!("  --> {origin}\n")).unwrap_or_default();
    let hint = problem.hint.as_ref().map(|hint| format!("hint: {hint}\n")).unwrap_or_default();
    format!("error: {}\n{place}{hint}", problem.message)
}

/// Compares `text` with the snapshot of that name in `snapshots/`.
pub(crate) fn snapshot(name: &str, about: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
        description => about,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

#[cfg(feature = "cli")]
pub(crate) use on_disk::Place;

#[cfg(feature = "cli")]
mod on_disk {
    use std::io::Write as _;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::store;

    /// A folder of a test's own, gone when the test ends.
    pub(crate) struct Place {
        folder: tempfile::TempDir,
    }

    /// What the command answered.
    #[derive(Debug)]
    pub(crate) struct Ran {
        pub(crate) status: i32,
        pub(crate) stdout: String,
        pub(crate) stderr: String,
    }

    impl Place {
        /// An empty folder.
        pub(crate) fn new() -> Place {
            Place { folder: tempfile::tempdir().unwrap() }
        }

        /// A folder with a store of short records and the usual configuration.
        pub(crate) fn with_store(short: &str) -> Place {
            Place::new().prompts(&store(short)).write(
                ".canopy/config.yaml",
                "project: t\nversion: \"1\"\ntargets:\n  agents:\n    dir: agents\n    default: true\n",
            )
        }

        /// Replaces the store by this text.
        pub(crate) fn prompts(self, text: &str) -> Place {
            self.write(".canopy/prompts.jsonl", text)
        }

        pub(crate) fn path(&self, path: &str) -> PathBuf {
            self.root().join(path)
        }

        pub(crate) fn root(&self) -> PathBuf {
            self.folder.path().canonicalize().unwrap()
        }

        /// Writes a file and the folders it needs.
        pub(crate) fn write(self, path: &str, text: impl AsRef<[u8]>) -> Place {
            let whole = self.path(path);
            std::fs::create_dir_all(whole.parent().unwrap()).unwrap();
            std::fs::write(whole, text).unwrap();
            self
        }

        pub(crate) fn read(&self, path: &str) -> String {
            std::fs::read_to_string(self.path(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
        }

        pub(crate) fn exists(&self, path: &str) -> bool {
            self.path(path).exists()
        }

        /// Runs the command here.
        pub(crate) fn cn(&self, args: &[&str]) -> Ran {
            run(&self.root(), args, "", &[])
        }

        /// Runs the command here and insists on its exit status.
        pub(crate) fn ok(&self, args: &[&str]) -> Ran {
            let ran = self.cn(args);
            assert_eq!(ran.status, 0, "cn {args:?}: {ran:?}");
            ran
        }

        /// The versions in the store, in the order of its lines.
        pub(crate) fn versions(&self) -> Vec<u64> {
            let text = self.read(".canopy/prompts.jsonl");
            let record = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
            text.lines().map(|line| record(line)["version"].as_u64().unwrap()).collect()
        }

        /// Exit status, stdout and stderr of a command, with this folder's path taken out.
        pub(crate) fn transcript(&self, args: &[&str]) -> String {
            let ran = self.cn(args);
            ran.transcript(args, &self.root())
        }
    }

    impl Ran {
        pub(crate) fn json(&self) -> serde_json::Value {
            serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
        }

        pub(crate) fn transcript(&self, args: &[&str], root: &Path) -> String {
            let text = format!(
                "$ cn {}\nexit: {}\n----- stdout\n{}----- stderr\n{}",
                args.join(" "),
                self.status,
                self.stdout,
                self.stderr
            );
            text.replace(&*root.to_string_lossy(), "<root>")
        }
    }

    /// Runs the command in `folder`, without what the environment may say to it.
    pub(crate) fn run(folder: &Path, args: &[&str], stdin: &str, env: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cn"));
        command.current_dir(folder).args(args).env_remove("CANOPY_ROOT").env("NO_COLOR", "1");
        command.envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not read may be gone before all is written.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ran {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

#[cfg(feature = "cli")]
pub(crate) use on_disk::{Ran, run};
