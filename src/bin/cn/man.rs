//! `cn man`: the manual's pages, one a command; for those who package canopy.
#![expect(clippy::disallowed_methods, reason = "the pages go where a person says, in the project or not")]

use std::io;
use std::path::Path;

use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::write;
use clap::Command;
use clap_mangen::Man;

use crate::args;
use crate::context::{Context, failure};
use crate::report::Reply;

/// Writes the pages into a folder.
pub(crate) fn man(typed: &args::Man) -> Result<Reply, Failure> {
    let folder = Context::typed(&typed.out)?;
    let mut command = args::command();
    command.build();
    let mut pages = Vec::new();
    let written = std::fs::create_dir_all(&folder).and_then(|()| write_pages(&command, &folder, &mut pages));
    written.map_err(|e| {
        failure(Problem::new(format!("cannot write the manual into `{}`: {e}", typed.out.display())))
    })?;
    let news = format!("wrote {} pages\n", pages.len());
    let reply = Reply { news: news.into(), ..Reply::default() };
    Ok(reply.with("pages", pages.into_iter().collect::<canopy::value::Value>()))
}

/// Writes the page of a command and those of the commands below it.
fn write_pages(command: &Command, folder: &Path, pages: &mut Vec<String>) -> io::Result<()> {
    let man = Man::new(command.clone()).source(concat!("canopy ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let name = man.get_filename();
    write::replace(&folder.join(&name), &page)?;
    pages.push(name);
    let mut below = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    below.try_for_each(|sub| write_pages(sub, folder, pages))
}
