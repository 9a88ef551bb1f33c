//! Finds files that prompts were emitted to once and are no more.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::files::Standing;
use crate::path;
use crate::render::Output;

use super::{Change, IsOurs, Look, Plan, Rules, Step, refuse_place, text};

/// Adds to `plan` those `leftovers`, files that may have been outputs once, that are ours and the output of no prompt.
///
/// What somebody changed is theirs, and is not named. Files are removed only if the rules say so. `keep` holds folders that stay even if they are empty.
pub fn sweep(
    plan: &mut Plan,
    leftovers: Vec<Output>,
    (rules, keep): (Rules<'_>, &HashSet<PathBuf>),
    look: Look<'_>,
    is_ours: IsOurs<'_>,
) {
    let mut taken: HashSet<String> = plan.steps.iter().map(|step| key(&step.output.path)).collect();
    taken.extend(plan.steps.iter().map(|step| key(&step.target.to_string_lossy())));
    for output in leftovers {
        // What cannot be looked at is no file that could be removed.
        let Ok((target, Standing::File(found, _))) = look(Path::new(&output.path), None) else { continue };
        let real = key(&target.to_string_lossy());
        if taken.contains(&key(&output.path)) || taken.contains(&real) {
            continue;
        }
        if !is_ours(&output, &found) || refuse_place(&output, &target, rules).is_err() {
            continue;
        }
        taken.insert(real);
        let change = if rules.prune { Change::Remove } else { Change::Orphan };
        let folders = emptied(&output, &target, rules.root, keep);
        let hash = text::hash(&found);
        plan.steps.push(Step { output, change, target, found, stat: None, hash, folders });
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
