//! What should be against what is: which files a build creates, updates, removes and leaves alone.

mod clash;
mod sweep;
pub mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{FileError, Standing, Stat};
use crate::path;
use crate::problem::Problem;
use crate::render::Output;

pub use sweep::sweep;

/// What happens to one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is not there yet.
    Create,
    /// It is there with another text.
    Update,
    /// It is as it should be and is not touched.
    Unchanged,
    /// Somebody wrote it or changed what we wrote: it is not touched.
    Edited,
    /// No prompt is emitted to it any more; it is not touched.
    Orphan,
    /// No prompt is emitted to it any more, and it goes.
    Remove,
}

impl Change {
    /// Whether something is written or removed.
    #[must_use]
    pub fn is_done(self) -> bool {
        matches!(self, Change::Create | Change::Update | Change::Remove)
    }

    /// Whether it is about a file that no prompt is emitted to.
    #[must_use]
    pub fn is_sweeping(self) -> bool {
        matches!(self, Change::Orphan | Change::Remove)
    }
}

/// One file of a plan.
#[derive(Debug, Clone)]
pub struct Step {
    /// The file as it should be, with the line ends that the file on disk has; without its text if the file holds it.
    pub output: Output,
    /// What happens to it.
    pub change: Change,
    /// Where it really is, once symbolic links are followed; empty if the whole run was found to have nothing to do.
    pub target: PathBuf,
    /// What stands there now, unless it is as it should be.
    pub found: Vec<u8>,
    /// What the system said of the file that stands there; `None` if there is none.
    pub stat: Option<Stat>,
    /// What the text as it should be has in common with those that are the same but for their line ends.
    pub hash: blake3::Hash,
    /// The folders that go with a file that is removed if nothing else is in them, the innermost first.
    pub folders: Vec<PathBuf>,
}

/// What a build does to the files of a project.
///
/// Invariant: each path is there once; first the outputs, in the order in which the prompts appear in the store,
/// then what was one once.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The files.
    pub steps: Vec<Step>,
    /// How many more outputs there are, which are as they should be: only their number was asked for.
    pub unlisted: usize,
}

impl Plan {
    /// The steps that change a file.
    pub fn changes(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.change.is_done())
    }

    /// The steps of files that are not as they should be, whether that is changed or not.
    pub fn differing(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.change != Change::Unchanged)
    }

    /// How many files there are, those that are only counted among them.
    #[must_use]
    pub fn count(&self) -> usize {
        self.steps.len() + self.unlisted
    }

    /// The steps of files that prompts are emitted to.
    pub fn outputs(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| !step.change.is_sweeping())
    }
}

/// How outputs are compared with what is there.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The project's root, without symbolic links.
    pub root: &'a Path,
    /// Whether a file may lie outside the root: only where a person typed the path.
    pub anywhere: bool,
    /// Whether files are written that are as they should be or are not ours.
    pub force: bool,
    /// Whether files go that no prompt is emitted to any more.
    pub prune: bool,
}

/// Finds what stands at a path, and where that really is; a file that is known to hold the text of that hash need not
/// be read.
pub type Look<'a> = &'a dyn Fn(&Path, Option<blake3::Hash>) -> Found;

/// What stands at a path, and where that really is.
pub type Found = Result<(PathBuf, Standing), FileError>;

/// Whether a file that holds these bytes at an output's path is ours to change.
pub type IsOurs<'a> = &'a dyn Fn(&Output, &[u8]) -> bool;

/// An output and what stands at its path.
#[derive(Debug)]
pub struct Looked {
    output: Output,
    hash: blake3::Hash,
    found: Found,
}

impl Looked {
    /// The path of the output.
    #[must_use]
    pub fn path(&self) -> &Arc<str> {
        &self.output.path
    }
}

/// Looks at the path of `output`. Where its text is known or found to stand there, nobody needs it, and it is let go of.
#[must_use]
pub fn look(mut output: Output, rules: Rules<'_>, look: Look<'_>) -> Looked {
    let hash = text::hash(output.contents.as_bytes());
    let mut found = look(Path::new(&*output.path), (!rules.force).then_some(hash));
    if let Ok((_, standing)) = &mut found
        && !rules.force
    {
        if let Standing::File(bytes, stat) = standing
            && text::hash(bytes) == hash
        {
            *standing = Standing::AsWished(*stat);
        }
        if let Standing::AsWished(_) = standing {
            output.contents = String::new();
        }
    }
    Looked { output, hash, found }
}

/// An output whose text is known by its hash alone, and what was found to stand at its path.
#[must_use]
pub fn looked(output: Output, hash: blake3::Hash, found: Found) -> Looked {
    Looked { output, hash, found }
}

/// Compares outputs with what stands at their paths; only files that differ are asked about.
///
/// # Errors
/// One problem for each output that cannot be written: two with one path, a path that leads outside the
/// project, a folder in the way, a file that cannot be read. With any of them there is no plan.
pub fn plan(outputs: Vec<Looked>, rules: Rules<'_>, is_ours: IsOurs<'_>) -> Result<Plan, Vec<Problem>> {
    let mut problems =
        clash::between(outputs.iter().map(|looked| (&looked.output, (*looked.output.path).into())));
    let mut steps = Vec::with_capacity(outputs.len());
    for Looked { output, hash, found } in outputs {
        match found {
            Ok((target, standing)) => match step(output, hash, (target, standing), rules, is_ours) {
                Ok(step) => steps.push(step),
                Err(problem) => problems.push(problem),
            },
            Err(e) => problems.push(Problem::new(e.to_string()).at(&output.origin)),
        }
    }
    let is_linked = |step: &Step| step.target != rules.root.join(&*step.output.path);
    if problems.is_empty() && steps.iter().any(is_linked) {
        // Two paths may still meet in one file, through a link on the way.
        problems = clash::between(steps.iter().map(|step| (&step.output, step.target.to_string_lossy())));
    }
    if problems.is_empty() { Ok(Plan { steps, unlisted: 0 }) } else { Err(problems) }
}

fn step(
    mut output: Output,
    hash: blake3::Hash,
    (target, standing): (PathBuf, Standing),
    rules: Rules<'_>,
    is_ours: IsOurs<'_>,
) -> Result<Step, Problem> {
    refuse_place(&output, &target, rules)?;
    let (change, found, stat) = match standing {
        Standing::Nothing => (Change::Create, Vec::new(), None),
        Standing::AsWished(stat) => (Change::Unchanged, Vec::new(), Some(stat)),
        Standing::File(bytes, stat) => {
            let change = match text::hash(&bytes) == hash {
                _ if rules.force => Change::Update,
                true => Change::Unchanged,
                false if is_ours(&output, &bytes) => Change::Update,
                false => Change::Edited,
            };
            if text::ends_lines_with_crlf(&bytes) {
                output.contents = text::with_crlf(&output.contents);
            }
            (change, if change == Change::Unchanged { Vec::new() } else { bytes }, Some(stat))
        }
        Standing::Folder => {
            return Err(refused(&output, "is a folder").hint("move the folder away, or set `emitAs`"));
        }
        Standing::Special => {
            return Err(refused(&output, "is a device or a pipe, no file").hint("give another path"));
        }
        Standing::Dangling => {
            return Err(refused(&output, "is behind a symbolic link that leads to nothing")
                .hint("remove the link, or make what it leads to"));
        }
    };
    Ok(Step { output, change, target, found, stat, hash, folders: Vec::new() })
}

fn refuse_place(output: &Output, target: &Path, rules: Rules<'_>) -> Result<(), Problem> {
    match target.strip_prefix(rules.root) {
        Err(_) if rules.anywhere => Ok(()),
        Err(_) => Err(refused(output, &format!("leads outside the project, to `{}`", target.display()))
            .hint("replace the symbolic link, or give the path with `--out`")),
        Ok(inside) => {
            let mut names = inside.components().map(|name| name.as_os_str().to_string_lossy());
            match names.find_map(|name| path::kept(&name)) {
                Some(kept) => Err(refused(output, &format!("lies in `{kept}`, which holds no outputs"))),
                None => Ok(()),
            }
        }
    }
}

fn refused(output: &Output, why: &str) -> Problem {
    Problem::new(format!("`{}` cannot be emitted: `{}` {why}", output.name, output.path)).at(&output.origin)
}
