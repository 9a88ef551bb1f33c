//! `cn pin` and `cn unpin`: a prompt held at one of its versions.

use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::store::edit::Edit;

use crate::args::{Pin, Unpin};
use crate::context::{self, Context};
use crate::report::Reply;
use crate::update;
use crate::usage;

/// Pins the prompt.
pub(crate) fn pin(context: &Context, typed: &Pin) -> Result<Reply, Failure> {
    let Some((name, version)) = typed.name.rsplit_once('@') else {
        let problem = Problem::new(format!("`{}` names no version", typed.name));
        return Ok(usage::wrong(problem.hint(format!("`cn pin {}@VERSION` pins it to one", typed.name))));
    };
    let Ok(version) = version.parse::<u64>() else {
        return Ok(usage::wrong(Problem::new(format!("`{version}` is no version number"))));
    };
    let project = context.open()?;
    let versions = context::named(&project, name)?;
    if versions.at(version).is_none() {
        let problem = Problem::new(format!("`{name}` has no version {version}"));
        return Err(context::of(&project, problem.hint(format!("`cn history {name}` lists the versions"))));
    }
    if versions.latest().pinned == Some(version) {
        return Err(context::of(
            &project,
            Problem::new(format!("`{name}` is pinned to version {version} already")),
        ));
    }
    let written = update::change(context, name, &[Edit::Pin(version)])?;
    let reply = Reply { news: format!("pinned {name} to v{version}\n").into(), ..Reply::default() };
    Ok(reply.with("name", name).with("pinned", version).warn(written.warnings))
}

/// Takes the pin out.
pub(crate) fn unpin(context: &Context, typed: &Unpin) -> Result<Reply, Failure> {
    let project = context.open()?;
    let name = &typed.name;
    if context::named(&project, name)?.latest().pinned.is_none() {
        return Err(context::of(&project, Problem::new(format!("`{name}` is not pinned"))));
    }
    let written = update::change(context, name, &[Edit::Unpin])?;
    let reply = Reply { news: format!("unpinned {name}\n").into(), ..Reply::default() };
    Ok(reply.with("name", name.as_str()).with("version", written.record.version).warn(written.warnings))
}
