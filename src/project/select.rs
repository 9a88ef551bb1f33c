//! Which prompts a build is about: all active ones, or those that names and globs mean.

use std::collections::HashSet;

use globset::Glob;

use crate::catalog::{Catalog, Versions};
use crate::problem::Problem;
use crate::prompt::Status;

/// Which prompts a build is about.
#[derive(Debug, Clone, Default)]
pub enum Selection {
    /// Every active prompt.
    #[default]
    All,
    /// Those that these names mean, whatever their status, and the active ones that these globs match.
    Named(Vec<String>),
}

/// The selected prompts, each once, in the order of the store.
///
/// # Errors
/// One problem for each name that no prompt has and each glob that matches none.
pub fn select<'a>(catalog: &'a Catalog, selection: &Selection) -> Result<Vec<&'a Versions>, Vec<Problem>> {
    let Selection::Named(names) = selection else {
        return Ok(active(catalog).collect());
    };
    let mut chosen: HashSet<&str> = HashSet::new();
    let mut problems = Vec::new();
    for name in names {
        match meant(catalog, name) {
            Ok(prompts) => chosen.extend(prompts.iter().map(|versions| versions.header().id)),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(catalog.all().filter(|versions| chosen.contains(versions.header().id)).collect())
}

fn active(catalog: &Catalog) -> impl Iterator<Item = &Versions> {
    catalog.all().filter(|versions| versions.header().status == Status::Active)
}

fn meant<'a>(catalog: &'a Catalog, name: &str) -> Result<Vec<&'a Versions>, Problem> {
    if let Some(versions) = catalog.named(name) {
        return Ok(vec![versions]);
    }
    if !name.contains(['*', '?', '[', '{']) {
        return Err(unknown(catalog, name));
    }
    let glob = Glob::new(name).map_err(|e| Problem::new(format!("`{name}` is no glob: {}", e.kind())))?;
    let glob = glob.compile_matcher();
    let matched: Vec<_> = active(catalog).filter(|versions| glob.is_match(versions.header().name)).collect();
    if matched.is_empty() {
        return Err(Problem::new(format!("no active prompt matches `{name}`"))
            .hint("`cn list` shows the names that there are"));
    }
    Ok(matched)
}

/// Says that no prompt is called `name`, and what may have been meant.
#[must_use]
pub fn unknown(catalog: &Catalog, name: &str) -> Problem {
    let hint = match (catalog.renamed(name), catalog.nearest(name), name.rsplit_once('@')) {
        (Some(now), _, _) => format!("it is called `{now}` now"),
        (None, _, Some((base, _))) if catalog.named(base).is_some() => {
            format!("the name is `{base}`; `cn show`, `render`, `diff` and `pin` take a version with it")
        }
        (None, Some(near), _) => format!("did you mean `{near}`?"),
        (None, None, _) => "`cn list` shows the names that there are".to_owned(),
    };
    Problem::new(format!("no prompt is called `{name}`")).hint(hint)
}
