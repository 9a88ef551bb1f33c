//! Finds files that prompts were emitted to once and are no more.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::files::Standing;
use crate::path;
use crate::render::Output;

use super::{Change, IsOurs, Look, Plan, Rules, Step, refuse_place, text};

/// Adds to `plan` those `leftovers`, files that may have been outputs once, that are ours and the output of no prompt.
/// Returns whether nothing else stood at their paths.
///
/// What somebody changed is theirs, and is not named; nor is what a link leads to. Files are removed only if the rules
/// say so. `keep` holds folders that stay even if they are empty.
pub fn sweep(
    plan: &mut Plan,
    leftovers: Vec<Output>,
    (rules, keep): (Rules<'_>, &HashSet<PathBuf>),
    look: Look<'_>,
    is_ours: IsOurs<'_>,
) -> bool {
    if leftovers.is_empty() {
        return true;
    }
    let mut taken: HashMap<String, Option<u64>> = HashMap::new();
    for step in &plan.steps {
        let inode = step.stat.map(|stat| stat.inode);
        taken.insert(key(&step.target.to_string_lossy()), inode);
        taken.insert(key(&step.output.path), inode);
    }
    let mut is_clear = true;
    for output in leftovers {
        let (target, found, stat) = match look(Path::new(&*output.path), None) {
            Ok((target, Standing::File(found, stat))) => (target, found, stat),
            Ok((_, Standing::Nothing)) => continue,
            // What cannot be looked at is no file that could be removed.
            _ => {
                is_clear = false;
                continue;
            }
        };
        // Names that some system takes for one are two files on another.
        let is_output = |inode: &Option<u64>| *inode == Some(stat.inode) || stat.inode == 0;
        if taken.get(&key(&output.path)).is_some_and(is_output) {
            continue;
        }
        let is_plain = target == rules.root.join(&*output.path);
        if !is_plain || !is_ours(&output, &found) || refuse_place(&output, &target, rules).is_err() {
            is_clear = false;
            continue;
        }
        taken.insert(key(&output.path), Some(stat.inode));
        let change = if rules.prune { Change::Remove } else { Change::Orphan };
        let folders = emptied(&target, rules.root, keep);
        let hash = text::hash(&found);
        plan.steps.push(Step { output, change, target, found, stat: Some(stat), hash, folders });
    }
    is_clear
}

fn key(path: &str) -> String {
    path::key(path).into_owned()
}

/// The folders that emitting may have made for this file, the innermost first.
fn emptied(target: &Path, root: &Path, keep: &HashSet<PathBuf>) -> Vec<PathBuf> {
    let above = target.ancestors().skip(1).take_while(|folder| *folder != root && !keep.contains(*folder));
    above.map(Path::to_owned).collect()
}
