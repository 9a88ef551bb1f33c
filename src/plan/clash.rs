//! Finds outputs that would overwrite one another.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::path;
use crate::problem::Problem;
use crate::render::Output;

/// One problem for each output whose path is taken by an earlier one, or is a folder of another's path.
pub(super) fn between<'o>(outputs: impl Iterator<Item = (&'o Output, Cow<'o, str>)>) -> Vec<Problem> {
    let outputs: Vec<(&Output, String)> =
        outputs.map(|(output, path)| (output, path::key(&path).into_owned())).collect();
    let mut taken: HashMap<&str, &Output> = HashMap::with_capacity(outputs.len());
    let mut problems = Vec::new();
    for (output, key) in &outputs {
        match taken.get(key.as_str()) {
            Some(first) => problems.push(same_file(first, output)),
            None => drop(taken.insert(key, output)),
        }
    }
    for (output, key) in &outputs {
        let mut folders = key.match_indices('/').filter_map(|(at, _)| key.get(..at));
        if let Some(file) = folders.find_map(|folder| taken.get(folder)) {
            problems.push(file_and_folder(file, output));
        }
    }
    problems
}

fn same_file(first: &Output, second: &Output) -> Problem {
    let (a, b) = (&first.name, &second.name);
    let both = match first.path == second.path {
        true => format!("`{}`", first.path),
        false => format!("`{}` and `{}`, which are one file on some systems", first.path, second.path),
    };
    Problem::new(format!("`{a}` ({}) and `{b}` would both be emitted to {both}", first.origin))
        .at(&second.origin)
        .hint(format!("give one of them another `emitAs` or `emitDir`, or archive `{b}`"))
}

fn file_and_folder(file: &Output, below: &Output) -> Problem {
    let (a, b) = (&file.name, &below.name);
    Problem::new(format!(
        "`{a}` would be emitted to `{}`, which is a folder of `{b}`'s `{}`",
        file.path, below.path
    ))
    .at(&file.origin)
    .hint("give one of them another `emitAs` or `emitDir`")
}
