//! What a build system is told of a build: what it was made from, as Make and Ninja read it, and what it made.

use std::collections::BTreeSet;
use std::path::{MAIN_SEPARATOR, Path};

use canopy::files::{DiskFiles, Input, Standing};
use canopy::plan::Plan;
use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::{path, write};

use crate::args::Emit;
use crate::context::{Context, failure};

/// Writes the depfile and the list of outputs, as far as they were asked for.
///
/// The depfile speaks of the list if there is one, since Make has no rule for files that it does not know beforehand.
/// The list is written even if it says what it said: it is what Make compares times with.
pub(super) fn write(typed: &Emit, root: &Path, plan: &Plan, inputs: &[Input]) -> Result<(), Failure> {
    if typed.out_list.is_none() && typed.depfile.is_none() {
        return Ok(());
    }
    if typed.out_list == typed.depfile {
        return Err(failure(
            Problem::new("the list and the depfile are one file").hint("give them two paths"),
        ));
    }
    let here = Context::here()?;
    let seen = |path: &str| seen_from(&here, &root.join(path));
    let outputs: Vec<String> = match &typed.out {
        Some(file) => vec![file.to_string_lossy().into_owned()],
        None => plan.outputs().map(|step| seen(&step.output.path)).collect(),
    };
    if let Some(list) = &typed.out_list {
        place(root, plan, list, &outputs.iter().map(|path| format!("{path}\n")).collect::<String>())?;
    }
    if let Some(depfile) = &typed.depfile {
        let targets = match &typed.out_list {
            Some(list) => vec![list.to_string_lossy().into_owned()],
            None => outputs,
        };
        let inputs = inputs.iter().filter(|input| input.found).map(|input| seen(&input.path));
        place(root, plan, depfile, &rules(&targets, &inputs.collect()))?;
    }
    Ok(())
}

/// A path as it is written in a build file: from the current folder on if it is below, else whole.
fn seen_from(here: &Path, path: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

/// One rule for all targets, and for each input one that says nothing, so that Make goes on when an input is gone.
fn rules(targets: &[String], inputs: &BTreeSet<String>) -> String {
    let words = |paths: &mut dyn Iterator<Item = &String>| {
        paths.map(|path| escaped(path)).collect::<Vec<_>>().join(" \\\n  ")
    };
    let mut text = format!("{}: \\\n  {}\n", words(&mut targets.iter()), words(&mut inputs.iter()));
    for input in inputs {
        text.push_str(&format!("\n{}:\n", escaped(input)));
    }
    text
}

/// A path as one word of a depfile, as compilers write it: Make and Ninja agree on these signs.
fn escaped(path: &str) -> String {
    let mut word = String::with_capacity(path.len());
    let mut backslashes = 0;
    for c in path.chars() {
        match c {
            '$' => word.push('$'),
            // What stands before such a sign would be taken to belong to it.
            ' ' | '\t' | '#' | ':' => word.extend(std::iter::repeat_n('\\', backslashes + 1)),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        word.push(c);
    }
    word
}

/// Writes a file that was asked for, unless a store or git keeps its own files there, or a prompt's file stands there.
fn place(root: &Path, plan: &Plan, typed: &Path, text: &str) -> Result<(), Failure> {
    let refused =
        |why: &str| failure(Problem::new(format!("`{}` {why}", typed.display())).hint("give another path"));
    let files = DiskFiles::new(root).map_err(|e| failure(Problem::new(e.to_string())))?;
    let looked = files.look(&Context::typed(typed)?, None);
    let (target, standing) = looked.map_err(|e| failure(Problem::new(e.to_string())))?;
    match standing {
        Standing::Folder => return Err(refused("is a folder")),
        Standing::Special => return Err(refused("is a device or a pipe, no file")),
        Standing::Dangling => return Err(refused("is behind a symbolic link that leads to nothing")),
        Standing::Nothing | Standing::File(..) | Standing::AsWished(_) => {}
    }
    let inside = target.strip_prefix(files.root()).unwrap_or(&target);
    let kept = inside.components().find_map(|name| path::kept(&name.as_os_str().to_string_lossy()));
    if let Some(kept) = kept {
        return Err(refused(&format!("lies in `{kept}`, which holds no outputs")));
    }
    let mut outputs = plan.steps.iter();
    if let Some(step) =
        outputs.find(|step| files.root().join(&*step.output.path) == target || step.target == target)
    {
        return Err(refused(&format!("is where `{}` is emitted to", step.output.name)));
    }
    let written = write::replace(&target, text.as_bytes());
    written.map_err(|e| failure(Problem::new(format!("cannot write `{}`: {e}", typed.display()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_escaped_where_make_and_ninja_agree() {
        for (path, word) in [
            ("agents/a.md", "agents/a.md"),
            ("a b#c.md", "a\\ b\\#c.md"),
            ("$x/50%.md", "$$x/50%.md"),
            ("a:b", "a\\:b"),
            ("a\\ b", "a\\\\\\ b"),
            ("a\\b", "a\\b"),
            ("é", "é"),
        ] {
            assert_eq!(escaped(path), word);
        }
    }

    #[test]
    fn an_input_that_goes_does_not_stop_make() {
        let inputs = ["b".to_owned(), "a c".to_owned()].into_iter().collect();
        assert_eq!(
            rules(&["x".to_owned(), "y".to_owned()], &inputs),
            "x \\\n  y: \\\n  a\\ c \\\n  b\n\na\\ c:\n\nb:\n"
        );
    }
}
