//! `cn archive`: a prompt out of use, and still there to inherit from.

use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::prompt::Status;
use canopy::store::edit::Edit;

use crate::args::Archive;
use crate::context::{self, Context};
use crate::report::Reply;
use crate::update;

/// Archives the prompt.
pub(crate) fn archive(context: &Context, typed: &Archive) -> Result<Reply, Failure> {
    let project = context.open()?;
    let prompt = context::named(&project, &typed.name)?.latest();
    if prompt.status == Status::Archived {
        let problem = Problem::new(format!("`{}` is archived already", typed.name)).at(&prompt.origin);
        let hint = format!("`cn update {} --status active` brings it back", typed.name);
        return Err(context::of(&project, problem.hint(hint)));
    }
    let written = update::change(context, &typed.name, &[Edit::Status(Status::Archived)])?;
    let prompt = &written.record;
    let reply = Reply { news: format!("archived {}\n", prompt.name).into(), ..Reply::default() };
    let reply = reply.with("id", prompt.id.as_str()).with("name", prompt.name.as_str());
    Ok(reply.warn(written.warnings))
}
