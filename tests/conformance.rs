//! Runs the conformance cases in `tests/conformance/` against the command, with their own matchers.

use std::path::Path;

use serde_json::Value;

use crate::support::run;

#[test]
fn every_case_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut held = 0;
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        for case in file["cases"].as_array().unwrap() {
            match run_case(case) {
                Ok(()) => held += 1,
                Err(why) => failures.push(format!("{}: {why}", case["name"])),
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), held + failures.len(), failures.join("\n"));
    assert!(held >= 131, "only {held} cases were found");
}

fn run_case(case: &Value) -> Result<(), String> {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().canonicalize().unwrap().join("p");
    std::fs::create_dir(&folder).unwrap();
    for (path, text) in members(&case["setup"]) {
        write(&folder, path, text.as_str().unwrap());
    }
    #[cfg(unix)]
    for (path, target) in members(&case["links"]) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let target = in_folder(target.as_str().unwrap(), &folder);
        std::os::unix::fs::symlink(target, path).unwrap();
    }
    for (number, step) in case["steps"].as_array().unwrap().iter().enumerate() {
        run_step(step, &folder).map_err(|why| format!("step {}: {why}", number + 1))?;
    }
    Ok(())
}

fn run_step(step: &Value, folder: &Path) -> Result<(), String> {
    for (path, text) in members(&step["write"]) {
        write(folder, path, text.as_str().unwrap());
    }
    for path in items(&step["remove"]) {
        std::fs::remove_file(folder.join(path)).unwrap();
    }
    let args: Vec<String> = items(&step["args"]).map(|arg| in_folder(arg, folder)).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let env: Vec<(&str, &str)> =
        members(&step["env"]).map(|(key, value)| (key, value.as_str().unwrap())).collect();
    let cwd = folder.join(step["cwd"].as_str().unwrap_or("."));
    let ran = run(&cwd, &args, step["stdin"].as_str().unwrap_or_default(), &env);

    let wanted = &step["exit"];
    let ended = match wanted {
        Value::Null => true,
        Value::String(_) => ran.status != 0,
        number => number.as_i64() == Some(i64::from(ran.status)),
    };
    check(ended, || format!("exit {}, wanted {wanted}: {ran:?}", ran.status))?;
    if !step["json"].is_null() || !step["json_absent"].is_null() {
        let got: Value = serde_json::from_str(&ran.stdout).map_err(|e| format!("{e}: {ran:?}"))?;
        matches(&step["json"], &got, folder, "$")?;
        for path in items(&step["json_absent"]) {
            check(!is_there(&got, path), || format!("{path} must be absent from {got}"))?;
        }
    }
    if let Some(wanted) = step["stdout"].as_str() {
        check(ran.stdout == in_folder(wanted, folder), || format!("stdout differs: {ran:?}"))?;
    }
    for (text, wanted) in [(&ran.stdout, &step["stdout_contains"]), (&ran.stderr, &step["stderr_contains"])] {
        for part in items(wanted) {
            check(text.contains(part), || format!("{part:?} is not in {text:?}"))?;
        }
    }
    check_files(step, folder)
}

fn check_files(step: &Value, folder: &Path) -> Result<(), String> {
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).map_err(|e| format!("{path}: {e}"));
    for (path, wanted) in members(&step["files"]) {
        let got = read(path)?;
        check(got == wanted.as_str().unwrap(), || format!("{path} is {got:?}, wanted {wanted}"))?;
    }
    for (path, parts) in members(&step["contains"]) {
        let got = read(path)?;
        for part in items(parts) {
            check(got.contains(part), || format!("{path} lacks {part:?}"))?;
        }
    }
    for path in items(&step["absent"]) {
        check(!folder.join(path).exists(), || format!("{path} must not exist"))?;
    }
    for (path, wanted) in members(&step["yaml_frontmatter"]) {
        let text = read(path)?;
        let block = text.strip_prefix("---\n").and_then(|rest| rest.split("\n---\n").next()).unwrap();
        let got = crate::yaml::read_as_yaml_1_1(block);
        let wanted: canopy::value::Value = serde_json::from_str(&wanted.to_string()).unwrap();
        check(got == wanted, || format!("{path} reads back as {got:?}, wanted {wanted:?}"))?;
    }
    let module = &step["node_equals"];
    if let Some(path) = module["file"].as_str() {
        let got = evaluate(&read(path)?, module["export"].as_str().unwrap());
        check(got.as_deref() == module["value"].as_str(), || format!("{path} exports {got:?}"))?;
    }
    Ok(())
}

/// Whether `got` holds what `wanted` says: objects may hold more members, lists may not.
fn matches(wanted: &Value, got: &Value, folder: &Path, at: &str) -> Result<(), String> {
    let fail = || format!("{at}: wanted {wanted}, got {got}");
    match wanted {
        Value::Null => Ok(()),
        Value::String(word) => {
            let text = got.as_str().unwrap_or_default();
            let held = match word.as_str() {
                "<any>" => true,
                "<error>" => !text.trim().is_empty(),
                "<id>" => is_id(text),
                "<time>" => text.len() >= 20 && text.as_bytes()[10] == b'T',
                word => got.is_string() && text == in_folder(word, folder),
            };
            check(held, fail)
        }
        Value::Object(members) => members.iter().try_for_each(|(key, wanted)| {
            let got = got.get(key).ok_or_else(|| format!("{at}.{key}: missing"))?;
            matches(wanted, got, folder, &format!("{at}.{key}"))
        }),
        Value::Array(wanted) => {
            let got = got.as_array().filter(|got| got.len() == wanted.len()).ok_or_else(fail)?;
            let pairs = wanted.iter().zip(got).enumerate();
            pairs.into_iter().try_for_each(|(index, (wanted, got))| {
                matches(wanted, got, folder, &format!("{at}[{index}]"))
            })
        }
        Value::Number(_) => check(wanted.as_f64() == got.as_f64(), fail),
        Value::Bool(_) => check(wanted == got, fail),
    }
}

fn is_id(text: &str) -> bool {
    text.rsplit_once('-').is_some_and(|(prefix, digits)| {
        !prefix.is_empty()
            && matches!(digits.len(), 4 | 8)
            && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    })
}

fn is_there(value: &Value, dotted: &str) -> bool {
    let step = |value: Option<&Value>, part: &str| match value? {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?).cloned(),
        Value::Object(members) => members.get(part).cloned(),
        _ => None,
    };
    let mut found = Some(value.clone());
    for part in dotted.split('.') {
        found = step(found.as_ref(), part);
    }
    found.is_some()
}

/// What the exported constant of a module evaluates to, by JavaScript's rules for template literals.
fn evaluate(module: &str, export: &str) -> Option<String> {
    let begin = format!("export const {export} = `");
    let mut rest = module.get(module.find(&begin)? + begin.len()..)?.chars();
    let mut value = String::new();
    loop {
        match rest.next()? {
            '`' => return Some(value),
            '$' if rest.clone().next() == Some('{') => return None,
            '\\' => match rest.next()? {
                'r' => value.push('\r'),
                c @ ('\\' | '`' | '$') => value.push(c),
                _ => return None,
            },
            '\r' => return None,
            c => value.push(c),
        }
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn items(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn in_folder(text: &str, folder: &Path) -> String {
    text.replace("<root>", &folder.to_string_lossy())
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn check(held: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if held { Ok(()) } else { Err(why()) }
}
