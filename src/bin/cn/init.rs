//! `cn init`: an empty store in the current folder.

use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::store::init::{self, InitError};

use crate::args::Init;
use crate::context::{Context, failure};
use crate::report::{Reply, Styled};

/// Makes the store.
pub(crate) fn init(context: &Context, typed: &Init) -> Result<Reply, Failure> {
    let root = context.new_root()?;
    let folder = root.file_name().map(|name| name.to_string_lossy().into_owned());
    let project = match &typed.project {
        Some(name) if is_simple(name) => name.clone(),
        Some(name) => {
            return Err(failure(
                Problem::new(format!("`{name}` cannot begin an id"))
                    .hint("a project's name is made of letters, digits, `-`, `_` and `.`"),
            ));
        }
        None => folder.filter(|name| is_simple(name)).unwrap_or_else(|| "canopy".to_owned()),
    };
    init::init(&root, &project).map_err(|e| {
        failure(match e {
            InitError::Exists => Problem::new(e.to_string()).hint("`cn list` shows what is in it"),
            InitError::Io { .. } => Problem::new(e.to_string()),
        })
    })?;
    let news = "made .canopy/ and two lines in .gitattributes\n";
    let reply = Reply { news: Styled::Text(news.to_owned()), ..Reply::default() };
    Ok(reply.with("dir", root.join(".canopy").to_string_lossy().into_owned()))
}

/// Whether a name can begin ids and stand bare in the configuration.
fn is_simple(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    begins && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
