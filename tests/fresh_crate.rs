//! A crate outside of this workspace whose build script emits: what Cargo builds anew, and what it is told.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{record, run};

const BUILD: &str = "fn main() {\n    canopy_build::emit().expect(\"prompts\");\n}\n";

const MAIN: &str = r#"canopy_build::include_prompts!();

fn main() {
    for prompt in prompts::ALL {
        println!("{} v{} {:?}: {}", prompt.name, prompt.version, prompt.description, prompt.text);
        assert_eq!(prompt.hash.len(), 64);
        assert!(prompt.sections.iter().all(|section| prompt.text.contains(section.body)));
    }
}
"#;

/// Two crates that emit the prompts of one store, one that checks committed files, and one to publish, under a path with
/// blanks and letters that are not ASCII.
struct Crates {
    root: PathBuf,
    target: PathBuf,
}

/// What Cargo answered.
#[derive(Debug)]
struct Built {
    success: bool,
    stdout: String,
    stderr: String,
}

impl Crates {
    fn new() -> Crates {
        let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // A place that stays the same: what others wrote is compiled once.
        let crates = Crates { root: tmp.join("fresh crätes ´n paths"), target: tmp.join("fresh target") };
        let _ = std::fs::remove_dir_all(&crates.root);
        let workspace = "[workspace]\nmembers = [\"one\", \"two\", \"checked\", \"packed\"]\nresolver = \"3\"\n\n[profile.dev]\ndebug = false\n";
        crates.write("Cargo.toml", workspace);
        let lock = std::fs::read(repository().join("Cargo.lock")).unwrap();
        crates.write("Cargo.lock", &lock);
        for name in ["one", "two", "checked", "packed"] {
            crates.member(name);
        }
        crates.write("two/build.rs", BUILD.replace("emit()", "Builder::new().select(\"b*\").emit()"));
        crates.write("checked/build.rs", BUILD.replace("emit()", "Builder::new().root(\"..\").check()"));
        crates.write("checked/src/main.rs", "fn main() {}\n");
        crates.write(
            "packed/.canopy/prompts.jsonl",
            record(r#"{"name":"a","sections":{"r":"packed"}}"#) + "\n",
        );
        crates.store("one");
        crates.write(".canopy/config.yaml", "targets:\n  x:\n    dir: prompts\n    default: true\n");
        crates
    }

    fn member(&self, name: &str) {
        let support = repository().join("build-support");
        let path = serde_json::Value::from(support.to_str().unwrap());
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\ndescription = \"x\"\nlicense = \"MIT\"\n\
             include = [\"/src\", \"/build.rs\", \"/.canopy\"]\n\n\
             [dependencies]\ncanopy-build = {{ version = \"0.1\", path = {path}, default-features = false }}\n\n\
             [build-dependencies]\ncanopy-build = {{ version = \"0.1\", path = {path} }}\n"
        );
        self.write(&format!("{name}/Cargo.toml"), manifest);
        self.write(&format!("{name}/build.rs"), BUILD);
        self.write(&format!("{name}/src/main.rs"), MAIN);
    }

    /// The store: a base with this text, and a prompt that inherits it.
    fn store(&self, text: &str) {
        let base = record(&format!(r#"{{"name":"a","sections":{{"r":"{text}"}}}}"#));
        let below = record(r#"{"name":"b","extends":"a","description":"B","sections":{"s":"two"}}"#);
        self.write(".canopy/prompts.jsonl", format!("{base}\n{below}\n"));
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn cargo(&self, args: &[&str]) -> Built {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.root).args(args).args(["--offline", "--color", "never"]);
        cargo.env("CARGO_TARGET_DIR", &self.target);
        for variable in
            ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_MANIFEST_DIR", "OUT_DIR"]
        {
            cargo.env_remove(variable);
        }
        let output = cargo.output().unwrap();
        Built {
            success: output.status.success(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Builds the two, and says of each whether it was fresh.
    fn build(&self) -> [bool; 2] {
        let built = self.cargo(&["build", "-p", "one", "-p", "two", "--message-format", "json"]);
        assert!(built.success, "{built:?}");
        let messages: Vec<serde_json::Value> =
            built.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        ["one", "two"].map(|name| {
            let is_program = |message: &&serde_json::Value| {
                message["target"]["name"] == name && message["target"]["kind"][0] == "bin"
            };
            messages.iter().find(is_program).unwrap()["fresh"].as_bool().unwrap()
        })
    }

    fn says(&self, name: &str) -> String {
        let output = Command::new(self.target.join("debug").join(name)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the build scripts wrote for a crate, with the times.
    fn written(&self, name: &str) -> Vec<(PathBuf, std::time::SystemTime)> {
        let folders =
            std::fs::read_dir(self.target.join("debug/build")).unwrap().map(|entry| entry.unwrap().path());
        let folders = folders.filter(|path| {
            path.file_name().unwrap().to_string_lossy().starts_with(&format!("{name}-"))
                && path.join("out/prompts.rs").exists()
        });
        let files = folders.flat_map(|path| {
            let out = path.join("out");
            let texts = std::fs::read_dir(out.join("prompts")).unwrap().map(|entry| entry.unwrap().path());
            texts.chain([out.join("prompts.rs")]).collect::<Vec<_>>()
        });
        let mut files: Vec<_> =
            files.map(|path| (path.clone(), path.metadata().unwrap().modified().unwrap())).collect();
        files.sort();
        files
    }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_crate_is_built_anew_when_its_prompts_change_and_only_then() {
    let crates = Crates::new();
    // Both scripts run at once, each on its own.
    crates.build();
    assert_eq!(crates.says("one"), "a v1 None: one\nb v1 Some(\"B\"): ## r\n\none\n\n## s\n\ntwo\n");
    assert_eq!(crates.says("two"), "b v1 Some(\"B\"): ## r\n\none\n\n## s\n\ntwo\n");
    // A second build is fresh,
    assert_eq!(crates.build(), [true, true]);
    // also after a file that has nothing to do with it, and after the command was there,
    crates.write("one/README.md", "new\n");
    crates.write(".canopy/cache/something", "new\n");
    crates.write(".canopy/prompts.jsonl.lock", "");
    std::fs::remove_file(crates.root.join(".canopy/prompts.jsonl.lock")).unwrap();
    let ran = run(&crates.root, &["emit", "--all"], "", &[]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(crates.build(), [true, true]);
    // and a prompt that changed is built once.
    crates.store("changed");
    assert_eq!(crates.build(), [false, false]);
    assert!(crates.says("one").contains("a v1 None: changed\n"));
    assert_eq!(crates.build(), [true, true]);
    store_that_says_the_same(&crates);
    store_that_goes_and_comes(&crates);
    what_is_wrong_fails_the_build(&crates);
    committed_files_are_checked(&crates);
    a_package_has_its_prompts_in_it(&crates);
}

/// Cargo compiles what has a build script that ran; what the script wrote before stays as it is.
fn store_that_says_the_same(crates: &Crates) {
    let before = (crates.written("one"), crates.says("one"));
    let store = std::fs::read_to_string(crates.root.join(".canopy/prompts.jsonl")).unwrap();
    crates.write(".canopy/prompts.jsonl", store.replace(r#""status""#, r#""tags": ["x"], "status""#));
    crates.build();
    assert!(before.0.len() >= 4, "{before:?}");
    assert_eq!((crates.written("one"), crates.says("one")), before);
    assert_eq!(crates.build(), [true, true]);
}

/// A store without prompts is one that waits for them.
fn store_that_goes_and_comes(crates: &Crates) {
    crates.write("two/build.rs", BUILD);
    std::fs::remove_file(crates.root.join(".canopy/prompts.jsonl")).unwrap();
    crates.build();
    assert_eq!(crates.says("one"), "");
    assert_eq!(crates.build(), [true, true]);
    crates.store("again");
    assert_eq!(crates.build(), [false, false]);
    assert!(crates.says("one").contains("again"));
}

fn what_is_wrong_fails_the_build(crates: &Crates) {
    let store = std::fs::read_to_string(crates.root.join(".canopy/prompts.jsonl")).unwrap();
    for (line, words) in [
        (record(r#"{"name":"c","extends":"ghost"}"#), "`c` extends `ghost`"),
        ("<<<<<<< ours".to_owned(), "conflict markers"),
    ] {
        crates.write(".canopy/prompts.jsonl", format!("{store}{line}\n"));
        let built = crates.cargo(&["build", "-p", "one"]);
        assert!(!built.success, "{built:?}");
        let told = built.stderr.lines().find(|line| line.starts_with("error: one@0.1.0: ")).unwrap();
        assert!(told.contains("prompts.jsonl:3: ") && told.contains(words), "{told}");
    }
    crates.write(".canopy/prompts.jsonl", format!("{store}{{\"id\n"));
    let built = crates.cargo(&["build", "-p", "one"]);
    assert!(
        built.success && built.stderr.contains("prompts.jsonl:3: the line is not valid JSON"),
        "{built:?}"
    );
    crates.write(".canopy/prompts.jsonl", store);
}

fn committed_files_are_checked(crates: &Crates) {
    let check = || crates.cargo(&["build", "-p", "checked"]);
    run(&crates.root, &["emit", "--all", "--force"], "", &[]);
    let store = std::fs::read_to_string(crates.root.join(".canopy/prompts.jsonl")).unwrap();
    let later = record(r#"{"name":"a","version":2,"sections":{"r":"later"}}"#);
    crates.write(".canopy/prompts.jsonl", format!("{store}{later}\n"));
    let built = check();
    assert!(!built.success, "{built:?}");
    assert!(
        built.stderr.contains(".canopy/prompts.jsonl:3: `prompts/a.md` is stale (`cn emit a` writes it)"),
        "{built:?}"
    );
    assert!(built.stderr.contains("prompts.jsonl:2: `prompts/b.md` is stale"), "{built:?}");
    assert!(std::fs::read_to_string(crates.root.join("prompts/a.md")).unwrap().contains("again"));
    run(&crates.root, &["emit", "--all"], "", &[]);
    assert!(check().success);
    let again = check();
    assert!(!again.stderr.contains("Compiling"), "{again:?}");
    std::fs::remove_file(crates.root.join("prompts/b.md")).unwrap();
    let built = check();
    assert!(!built.success && built.stderr.contains("`prompts/b.md` is missing"), "{built:?}");
}

fn a_package_has_its_prompts_in_it(crates: &Crates) {
    // The crate for build scripts is not published from here: Cargo takes it from the folder in its stead.
    let patch = |name: &str, path: &Path| format!("patch.crates-io.{name}.path={:?}", path.to_str().unwrap());
    let support = patch("canopy-build", &repository().join("build-support"));
    let library = patch("canopy", repository());
    let args = ["package", "-p", "packed", "--allow-dirty", "--config", &support, "--config", &library];
    let built = crates.cargo(&args);
    assert!(built.success, "{built:?}");
    let listed = crates.cargo(&["package", "-p", "packed", "--list", "--allow-dirty"]);
    assert!(
        listed.stdout.lines().any(|line| line.replace('\\', "/") == ".canopy/prompts.jsonl"),
        "{listed:?}"
    );
    assert!(built.stderr.contains("Verifying packed"), "{built:?}");
}
