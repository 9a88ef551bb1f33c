//! A project on disk with files of the README in it, and the tools that are run there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of a test's own, gone when the test ends.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

/// What a tool answered: its output and messages in one.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) success: bool,
    pub(crate) said: String,
}

/// A prompt's record.
pub(crate) fn record(name: &str, version: u32, text: &str) -> String {
    format!(
        r#"{{"id":"t-{name}","name":"{name}","version":{version},"sections":[{{"name":"role","body":"{text}"}}],"status":"active"}}"#
    ) + "\n"
}

impl Place {
    /// A project with a builder and a reviewer, in a folder whose name has a blank, a `#`, a `$` and other letters.
    pub(crate) fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write(
            ".canopy/prompts.jsonl",
            record("builder", 1, "You build.") + &record("reviewer", 1, "You review."),
        );
        place
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("än app #1 $x")
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    /// Adds a version of a prompt.
    pub(crate) fn change(&self, name: &str, version: u32, text: &str) {
        let store = self.read(".canopy/prompts.jsonl");
        self.write(".canopy/prompts.jsonl", store + &record(name, version, text));
    }

    /// Takes over the block of the README whose first line is a comment with this file's name.
    pub(crate) fn take(&self, file: &str) {
        self.write(file, block(file));
    }

    /// Runs a tool here, with `cn` on its path.
    pub(crate) fn run(&self, tool: &str, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let mut command = self.command(&path_of(tool));
        command.args(args).envs(env.iter().copied());
        ran(&mut command)
    }

    /// As [`Place::run`], and insists on success.
    pub(crate) fn ok(&self, tool: &str, args: &[&str]) -> String {
        let ran = self.run(tool, args, &[]);
        assert!(ran.success, "{tool} {args:?}: {}", ran.said);
        ran.said
    }

    pub(crate) fn command(&self, program: &Path) -> Command {
        let bin = Path::new(env!("CARGO_BIN_EXE_cn")).parent().unwrap();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([bin.to_owned()].into_iter().chain(std::env::split_paths(&others)));
        let mut command = Command::new(program);
        command.current_dir(self.root()).env("PATH", path.unwrap()).env("NO_COLOR", "1");
        for variable in ["CI", "CN", "CANOPY_ROOT", "MAKEFLAGS", "MAKELEVEL", "GITHUB_ACTIONS"] {
            command.env_remove(variable);
        }
        command
    }
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = [output.stdout, output.stderr].concat();
    Ran { success: output.status.success(), said: String::from_utf8_lossy(&said).into_owned() }
}

/// Where a tool is.
pub(crate) fn path_of(tool: &str) -> PathBuf {
    if tool == "cn" {
        return PathBuf::from(env!("CARGO_BIN_EXE_cn"));
    }
    let variable = format!("CANOPY_TEST_{}", tool.to_uppercase().replace('-', "_"));
    let path = std::env::var_os(&variable).map_or_else(|| PathBuf::from(tool), PathBuf::from);
    let answer = Command::new(&path).arg("--version").output();
    assert!(answer.is_ok(), "`{tool}` is not here: install it, or say in {variable} where it is");
    path
}

/// The fenced block of the README that opens with this comment.
pub(crate) fn block(file: &str) -> String {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let mut blocks = readme.split("\n```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap().1);
    let opens = |block: &&str| {
        let first = block.lines().next().unwrap_or_default();
        first.trim_start_matches(['#', '/']).trim() == file && first != file
    };
    let block = blocks.find(opens).unwrap_or_else(|| panic!("the README has no block for {file}"));
    block.to_owned() + "\n"
}

pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
