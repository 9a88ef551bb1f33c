//! The picture: reads a project, resolves and renders what is selected, and compares it with what is there.

mod ahead;
mod explain;
mod memo;
mod outputs;
mod places;
mod select;
mod session;
mod whose;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalog::{Catalog, Versions};
use crate::config::{self, CONFIG, Config};
use crate::files::{DiskFiles, FileError, Files, Input, Memory};
use crate::ownership::Recorded;
use crate::plan::Plan;
use crate::problem::{Origin, Problem};
use crate::schema::Schema;
use crate::source::{self, Known, Log, PROMPTS, Touched};

use whose::Whose;

pub use explain::{Explained, Given, Verdict};
pub use memo::Memo;
pub use select::{Selection, select, unknown};
pub use session::Session;

/// What to build, and where to.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Which prompts.
    pub selection: Selection,
    /// Where their files go.
    pub destination: Destination,
    /// Whether files are written that are as they should be or are not ours.
    pub force: bool,
    /// Whether files of ours go that no prompt is emitted to any more.
    pub prune: bool,
    /// Whether what the last run remembered may spare this one its work.
    pub cache: bool,
    /// Whether files of which it is remembered that they are as they should be need only be counted.
    pub brief: bool,
}

impl Request {
    /// Whether it is about all files of a project: then what is no output any more can be told.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!((&self.selection, &self.destination), (Selection::All, Destination::Routed))
    }

    /// Whether what it does is to be remembered: a path that a person typed is theirs to remember.
    fn remembers(&self) -> bool {
        self.cache && matches!(self.destination, Destination::Routed)
    }
}

/// Where the files of a build go.
#[derive(Debug, Clone, Default)]
pub enum Destination {
    /// Where the prompts and the configuration say.
    #[default]
    Routed,
    /// Into this folder, wherever it is, under the names that the prompts say.
    Dir(PathBuf),
    /// To this file, wherever it is; for one prompt.
    File(PathBuf),
}

/// A build that is ready to be applied or reported.
#[derive(Debug)]
pub struct Built {
    /// What happens to which file.
    pub plan: Plan,
    /// Everything that was read to know it, and what was looked for in vain.
    pub inputs: Vec<Input>,
    /// What was wrong with the store without keeping anything from being built.
    pub warnings: Vec<Problem>,
    /// What is to be remembered once the plan was carried out.
    pub memo: Memo,
    /// What it was made of, if anything had to be read. Whoever ends soon may leave it to the system to let go of.
    pub project: Option<Project>,
}

/// Why nothing is built; never empty of problems.
#[derive(Debug, Default)]
pub struct Failure {
    /// All that is wrong.
    pub problems: Vec<Problem>,
    /// What is wrong with the store beside that.
    pub warnings: Vec<Problem>,
    /// Everything that was read until then: a watcher waits for one of these to change.
    pub inputs: Vec<Input>,
}

/// An opened project: its prompts, and the way to its other files.
#[derive(Debug)]
pub struct Project {
    /// All prompts.
    pub catalog: Catalog,
    /// Lines of the store that are no records.
    pub warnings: Vec<Problem>,
    files: DiskFiles,
    /// What we remember of the files that we wrote.
    recorded: Arc<Recorded>,
}

/// Builds what `request` asks for, of the project at `root`; writes nothing.
///
/// # Errors
/// With any problem at all nothing is built: no half-emitted tree.
pub fn build(root: &Path, request: &Request) -> Result<Built, Failure> {
    made(root, request, None, true)
}

/// As [`build`], for whoever builds the same again and again: only what changed is read and rendered.
///
/// # Errors
/// As for [`build`].
pub fn rebuild(root: &Path, request: &Request, session: &mut Session) -> Result<Built, Failure> {
    made(root, request, Some(session), true)
}

/// Builds, beginning with what another run left if it `may`.
fn made(root: &Path, request: &Request, session: Option<&mut Session>, may: bool) -> Result<Built, Failure> {
    let files = disk(root)?;
    let packed = if request.cache { memo::packed(&files) } else { None };
    // Whoever builds again and again is to know all of it before something changes.
    let is_known = session.as_ref().is_none_or(|session| session.is_warm());
    let last = packed.as_ref().filter(|_| request.is_whole() && !request.force && is_known);
    if let Some((plan, warnings)) = last.and_then(|last| memo::nothing_to_do(&files, last, request.brief)) {
        return Ok(Built { plan, inputs: files.inputs(), warnings, memo: Memo::default(), project: None });
    }
    let mut own = Session::once();
    let is_own = session.is_none();
    let wants_own = is_own && request.is_whole() && request.remembers();
    let mut session = if wants_own { Some(&mut own) } else { session };
    let mut recorded = match &mut session {
        Some(session) if may && request.is_whole() && !session.is_warm() => {
            memo::taken_over(packed.as_ref(), session)
        }
        _ => memo::recorded(packed.as_ref()),
    };
    if let Some(session) = &session {
        recorded.files.extend(session.wrote.clone());
    }
    let recorded = Arc::new(recorded);
    let files = files.with_memory(Arc::clone(&recorded) as Arc<dyn Memory>);
    let known = session.as_mut().map(|session| session.known());
    let (project, touched) = opened(files, recorded, known)?;
    // Read once: what is rendered is remembered as rendered with this text.
    let text = project.files.read(CONFIG);
    let config = parsed(text.as_ref().map(Option::as_deref));
    let text = text.ok().flatten();
    // What keeps it from being read is said where it is needed.
    let unknown = text.as_deref().map(config::unknown).unwrap_or_default();
    let spared = session.as_mut().filter(|_| !request.force);
    let spared = spared.map(|session| session.spared(&project.catalog, text.as_deref(), touched.as_ref()));
    let mut memo = Memo::new(&project.files, &project.recorded, request.remembers());
    let spared = spared.unwrap_or_default();
    let planned = config.map_err(|problem| vec![problem]);
    let planned = planned.and_then(|config| project.plan(request, &config, &spared, &mut memo));
    if let Some(lost) = project.catalog.lost().filter(|_| !may) {
        return Err(project.unreadable(lost));
    }
    if project.catalog.lost().is_some() {
        // What was known of it is not so, or not any more: all of it is read.
        let mut session = session.filter(|_| !is_own);
        session.iter_mut().for_each(|session| session.forget());
        return made(root, request, session, false);
    }
    match (session, &planned) {
        (Some(session), Ok(plan)) if session.known.stands() => {
            memo.basis = request.is_whole().then(|| session.basis(text.as_deref()));
            session.keep(text, plan, spared);
        }
        // Records that were read late may be others than those of the segments.
        (Some(session), Ok(_)) => session.forget(),
        _ => {}
    }
    let warnings: Vec<Problem> = project.warnings.iter().cloned().chain(unknown).collect();
    memo.warn(&warnings);
    let inputs = project.files.inputs();
    match planned {
        Ok(plan) => Ok(Built { plan, inputs, warnings, memo, project: Some(project) }),
        Err(problems) => Err(Failure { problems, inputs, warnings }),
    }
}

/// Opens the project at `root`, the folder that holds `.canopy`.
///
/// # Errors
/// If the store cannot be read.
pub fn open(root: &Path) -> Result<Project, Failure> {
    let files = disk(root)?;
    let recorded = Arc::new(memo::recorded(memo::packed(&files).as_ref()));
    opened(files, recorded, None).map(|(project, _)| project)
}

fn disk(root: &Path) -> Result<DiskFiles, Failure> {
    DiskFiles::new(root)
        .map_err(|e| Failure { problems: vec![Problem::new(e.to_string())], ..Failure::default() })
}

fn opened(
    files: DiskFiles,
    recorded: Arc<Recorded>,
    known: Option<&mut Known>,
) -> Result<(Project, Option<Touched>), Failure> {
    match source::log(&files, known) {
        Ok(Log { versions, warnings, touched, .. }) => {
            Ok((Project { catalog: Catalog::of(versions), warnings, files, recorded }, touched))
        }
        Err(problem) => {
            Err(Failure { problems: vec![problem], inputs: files.inputs(), ..Failure::default() })
        }
    }
}

/// The configuration of the project whose files these are, whatever state its prompts are in.
///
/// # Errors
/// If it cannot be read or used.
pub fn config(files: &dyn Files) -> Result<Config, Problem> {
    parsed(files.read(CONFIG).as_ref().map(Option::as_deref))
}

fn parsed(text: Result<Option<&[u8]>, &FileError>) -> Result<Config, Problem> {
    match text {
        Ok(Some(text)) => config::parse(text),
        Ok(None) => Ok(Config::default()),
        Err(e) => Err(Problem::new(e.to_string())),
    }
}

/// The place of a prompt's record.
fn origin(line: usize) -> Origin {
    Origin { path: PROMPTS.into(), line }
}

impl Project {
    /// Whether all of the store could be read: else what no prompt is emitted to any more cannot be told.
    fn is_sound(&self) -> bool {
        let is_store = |input: &Input| input.path == PROMPTS && input.found;
        self.warnings.is_empty() && self.files.inputs().iter().any(is_store)
    }

    /// Says that a record could not be read when it was wanted.
    fn unreadable(&self, lost: &Versions) -> Failure {
        let problem = Problem::new(format!("cannot read `{PROMPTS}`: it was changed while it was read"));
        let problems = vec![problem.at(&origin(lost.header().line)).hint("run it again")];
        Failure { problems, inputs: self.inputs(), warnings: Vec::new() }
    }

    /// Everything that was read so far.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        self.files.inputs()
    }

    /// The configuration; a project without one has the default.
    ///
    /// # Errors
    /// If it cannot be read or used.
    pub fn config(&self) -> Result<Config, Problem> {
        config(&self.files)
    }

    /// The schemas, each once, and the lines that are none.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn schemas(&self) -> Result<(Vec<Schema>, Vec<Problem>), Problem> {
        let read = source::schemas(&self.files)?;
        Ok((source::latest_schemas(read.records), read.warnings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Pieces;
    use crate::prompt::{Brief, Empty, Place, Shelf, Status, Version};

    #[test]
    fn nothing_is_built_of_a_record_that_is_gone_when_it_is_wanted() {
        let brief = Brief {
            status: Status::Active,
            pinned: None,
            extends: None,
            mixins: Vec::new(),
            tags: Vec::new(),
            emit_as: None,
            emit_dir: None,
        };
        let place = Place { line: 7, at: 0, length: 1 };
        let version = Version::waiting(place, ("x-1".into(), "a".into()), 2, 0).in_brief(brief);
        let catalog = Catalog::of(vec![version.moved(0, &(Arc::new(Empty) as Arc<dyn Shelf>))]);
        let files = disk(Path::new(".")).unwrap();
        let project = Project { catalog, warnings: Vec::new(), files, recorded: Arc::default() };
        assert!(project.catalog.lost().is_none());
        let planned = project.plan(
            &Request::default(),
            &Config::default(),
            &session::Spared::default(),
            &mut Memo::default(),
        );
        assert!(planned.is_ok());
        let failure = project.unreadable(project.catalog.lost().unwrap());
        let problem = failure.problems.first().unwrap();
        assert_eq!(problem.origin.as_ref().map(|origin| origin.line), Some(7));
        assert!(problem.message.contains("it was changed while it was read"), "{}", problem.message);
    }

    #[test]
    fn what_was_known_wrongly_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let record =
            r#"{"id":"x-1","name":"a","version":1,"sections":[{"name":"r","body":"x"}],"status":"active"}"#;
        let good = format!("{record}\n");
        let broken = good.replace("\"body\"", "\"bodY\"");
        let store = folder.path().join(PROMPTS);
        crate::write::aside(store.parent().unwrap(), &[], &store, broken.as_bytes()).unwrap();
        let session = || {
            let mut known = Known::default();
            let pieces: Arc<dyn Pieces> = Arc::new(good.clone().into_bytes());
            let log = source::log::reread(PROMPTS, &pieces, &mut known).unwrap();
            let current = log.versions.iter().filter_map(Version::header).collect();
            let mut session = Session::default();
            let known = Known::unpack(&known.pack(current)).unwrap().vouching_for(broken.as_bytes());
            session.begin_with(session::Basis::of(known), Default::default());
            session
        };
        // The record is known in brief, and is none when it is wanted.
        let mut begun = session();
        let built = rebuild(folder.path(), &Request::default(), &mut begun).unwrap();
        let alone = build(folder.path(), &Request::default()).unwrap();
        assert_eq!((built.plan.count(), built.warnings.len()), (0, 1));
        assert_eq!(built.warnings, alone.warnings);
        assert!(session().ahead(folder.path(), &Request::default()).is_none());
    }
}
