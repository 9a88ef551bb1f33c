//! Finds outputs that would overwrite one another.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::path;
use crate::problem::Problem;
use crate::render::Output;

/// One problem for each output whose path is taken by an earlier one, or is a folder of another's path.
pub(super) fn between<'o>(outputs: impl Iterator<Item = (&'o Output, Cow<'o, str>)>) -> Vec<Problem> {
    let key = |path: Cow<'o, str>| match path {
        Cow::Borrowed(path) => path::key(path),
        Cow::Owned(path) => path::key(&path).into_owned().into(),
    };
    let outputs: Vec<(&Output, Cow<'o, str>)> = outputs.map(|(output, path)| (output, key(path))).collect();
    let mut taken: HashMap<&str, &Output> = HashMap::with_capacity(outputs.len());
    let mut problems = Vec::new();
    for (output, key) in &outputs {
        match taken.get(key.as_ref()) {
            Some(first) => problems.push(same_file(first, output)),
            None => drop(taken.insert(key, output)),
        }
    }
    let mut last = None;
    for (output, key) in &outputs {
        // Most lie in the folder of the one before.
        let folder = key.rsplit_once('/').map(|(folder, _)| folder);
        if folder.is_none() || last == folder {
            continue;
        }
        let mut folders = key.match_indices('/').filter_map(|(at, _)| key.get(..at));
        match folders.find_map(|folder| taken.get(folder)) {
            Some(file) => problems.push(file_and_folder(file, output)),
            None => last = folder,
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
