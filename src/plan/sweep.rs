//! Finds files that prompts were emitted to once and are no more.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::files::Standing;
use crate::path;
use crate::render::Output;

use super::{Change, IsOurs, Look, Plan, Rules, Step, refuse_place};

/// A file that may have been an output once.
#[derive(Debug)]
pub struct Leftover {
    /// The file, and the prompt that may have been emitted to it; its contents are empty.
    pub output: Output,
    /// Whether it is known that we wrote to that path, whatever stands there now.
    pub recorded: bool,
}

/// Adds to `plan` those `leftovers` that are files of ours, or are known to have been, and the output of no prompt.
///
/// Only ours are removed, and only if the rules say so. `keep` holds folders that stay even if they are empty.
pub fn sweep(
    plan: &mut Plan,
    leftovers: Vec<Leftover>,
    (rules, keep): (Rules<'_>, &HashSet<PathBuf>),
    look: Look<'_>,
    is_ours: IsOurs<'_>,
) {
    let mut taken: HashSet<String> = plan.steps.iter().map(|step| key(&step.output.path)).collect();
    taken.extend(plan.steps.iter().map(|step| key(&step.target.to_string_lossy())));
    for Leftover { output, recorded } in leftovers {
        // What cannot be looked at is no file that could be removed.
        let Ok((target, Standing::File(found))) = look(Path::new(&output.path)) else { continue };
        let real = key(&target.to_string_lossy());
        if taken.contains(&key(&output.path)) || taken.contains(&real) {
            continue;
        }
        let ours = is_ours(&output, &found);
        if !(ours || recorded) || refuse_place(&output, &target, rules).is_err() {
            continue;
        }
        taken.insert(real);
        let change = if ours && rules.prune { Change::Remove } else { Change::Orphan };
        let folders = emptied(&output, &target, rules.root, keep);
        plan.steps.push(Step { output, change, target, found, folders });
    }
}

fn key(path: &str) -> String {
    path::key(path).into_owned()
}

/// The folders that emitting may have made for this file, the innermost first; none if a link leads to it.
fn emptied(output: &Output, target: &Path, root: &Path, keep: &HashSet<PathBuf>) -> Vec<PathBuf> {
    if target != root.join(&output.path) {
        return Vec::new();
    }
    let above = target.ancestors().skip(1).take_while(|folder| *folder != root && !keep.contains(*folder));
    above.map(Path::to_owned).collect()
}
