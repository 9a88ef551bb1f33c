//! `cn emit --watch`: builds, then waits until something changes that the build read, and again.

mod eyes;
mod gather;
mod mounts;
mod places;
mod stamps;
mod told;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use canopy::config::CONFIG;
use canopy::files::{self, DiskFiles, Input, Stat};
use canopy::plan::{Change, Plan, Step};
use canopy::problem::Problem;
use canopy::project::{self, Built, Failure, Request, Session};
use canopy::source::PROMPTS;
use canopy::write::{self, Applied};

use crate::args::Emit;
use crate::context::{Context, failure};
use crate::emit;
use crate::report::{ExitStatus, Reply, Report};
use crate::signals::{self, Signal, Stop};
use crate::watcher::Seen;
use eyes::Eyes;
use gather::Gather;

/// What wakes the loop.
enum News {
    /// The system reports something.
    Seen(Seen),
    /// A signal came.
    Signal,
}

/// Builds until a signal comes or nobody reads on; all that there is to say is said on the way.
pub(crate) fn watch(context: &Context, typed: &Emit, report: &Report) -> Reply {
    let ended = match Watch::start(context, typed, report) {
        Ok(watch) => watch.run(),
        Err(failure) => {
            report.warn(&failure.warnings);
            report.event(told::failed(failure.problems, Duration::ZERO)).map(|()| ExitStatus::Failed)
        }
    };
    Reply { status: report.ended(ended), is_told: true, ..Reply::default() }
}

struct Watch<'a> {
    context: &'a Context,
    typed: &'a Emit,
    report: &'a Report,
    root: PathBuf,
    request: Request,
    stop: Stop,
    news: Receiver<News>,
    eyes: Eyes,
    gather: Gather,
    /// What the last good build was like; none before there was one.
    good: Option<Good>,
    /// Whether a doubtful state was already given the time to become a whole one.
    has_waited: bool,
    warned: Vec<Problem>,
    /// What was wrong with the last build that was written.
    wrong: Vec<Problem>,
    inputs: Vec<Input>,
    /// What was written ahead of the build that is to tell of it, and what the system says of these files.
    ahead: Vec<(Step, Stat)>,
    /// What one build leaves to the next.
    session: Session,
}

/// What a build was like.
struct Good {
    files: usize,
    warnings: usize,
    has_store: bool,
}

impl<'a> Watch<'a> {
    fn start(context: &'a Context, typed: &'a Emit, report: &'a Report) -> Result<Self, Failure> {
        let root = context.root()?;
        let root = DiskFiles::new(&root).map_err(|e| failure(Problem::new(e.to_string())))?.root().to_owned();
        let request = emit::request(typed)?;
        let (tell, news) = mpsc::channel();
        let wake = tell.clone();
        // If nobody hears any more, it is over.
        let stop = signals::listen(move || drop(wake.send(News::Signal)))
            .map_err(|e| failure(Problem::new(format!("cannot listen for signals: {e}"))))?;
        // What every build reads; the first one tells the rest.
        let inputs = |found| [CONFIG, PROMPTS].map(|path| Input { path: path.to_owned(), found }).to_vec();
        let eyes = Eyes::open(&root, inputs(true), typed.poll.map(Duration::from_millis), tell);
        Ok(Watch {
            context,
            typed,
            report,
            root,
            request,
            stop,
            news,
            eyes,
            gather: Gather::default(),
            good: None,
            has_waited: false,
            warned: Vec::new(),
            wrong: Vec::new(),
            inputs: inputs(false),
            ahead: Vec::new(),
            session: Session::default(),
        })
    }

    fn run(mut self) -> io::Result<ExitStatus> {
        self.build()?;
        self.report.event(told::ready(&self.root, self.eyes.every()))?;
        loop {
            if let Some(signal) = self.wait() {
                self.tell_ahead(Instant::now())?;
                self.report.event(told::stopped(signal))?;
                return Ok(signal.into());
            }
            self.build()?;
        }
    }

    /// Waits until a build is due, or for a signal.
    fn wait(&mut self) -> Option<Signal> {
        loop {
            self.hear();
            if let Some(signal) = self.stop.signal() {
                return Some(signal);
            }
            let now = Instant::now();
            let due = self.gather.due();
            if self.eyes.look(due.is_some(), now) {
                self.gather.note(gather::Change::Begun, now);
                continue;
            }
            if due.is_some_and(|due| due <= now) {
                return None;
            }
            let news = match due.into_iter().chain(self.eyes.next(due.is_some())).min() {
                None => self.news.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(next) => self.news.recv_timeout(next.saturating_duration_since(now)),
            };
            match news {
                Ok(news) => self.take(news),
                Err(RecvTimeoutError::Timeout) => {}
                // It cannot be: we hold the other end ourselves.
                Err(RecvTimeoutError::Disconnected) => return Some(Signal::Terminate),
            }
        }
    }

    /// Takes note of all that was told and not heard yet.
    fn hear(&mut self) {
        while let Ok(news) = self.news.try_recv() {
            self.take(news);
        }
    }

    fn take(&mut self, news: News) {
        if let News::Seen(seen) = news
            && let Some(change) = self.eyes.judge(seen)
        {
            self.gather.note(change, Instant::now());
        }
    }

    /// One build and its ending: written and told, or what is wrong told, or put off a little.
    fn build(&mut self) -> io::Result<()> {
        let is_certain = self.gather.begin();
        self.eyes.refresh();
        let start = Instant::now();
        self.write_ahead();
        let built = self.read();
        let inputs = match &built {
            Ok(built) => built.inputs.clone(),
            // A build that failed did not come to all of them.
            Err(failure) => together(&self.inputs, &failure.inputs),
        };
        let may_wait = !is_certain && !self.has_waited && self.good.is_some();
        self.has_waited = may_wait && self.is_doubtful(&built);
        if self.has_waited {
            self.session.rest();
            self.gather.note(gather::Change::Begun, Instant::now());
            return Ok(());
        }
        if self.typed.clear {
            self.report.clear()?;
        }
        match built {
            Ok(built) => self.write(built, start)?,
            Err(failure) => {
                self.session.rest();
                self.warn(failure.warnings);
                self.tell_ahead(start)?;
                self.report.event(told::failed(failure.problems, start.elapsed()))?;
            }
        }
        self.turn_to(inputs);
        self.gather.end(Instant::now());
        Ok(())
    }

    /// Writes what need not wait until everything is read and compared.
    fn write_ahead(&mut self) {
        let Some(plan) = self.session.ahead(&self.root, &self.request) else { return };
        // What failed is tried again by the build, and told by it.
        let applied = write::apply_while(&plan, || self.stop.signal().is_none());
        self.session.wrote(&plan, &applied);
        let done = plan.steps.into_iter().zip(applied.stats);
        for (step, stat) in done.filter_map(|(step, stat)| Some((step, stat?))) {
            // Of two that were written to one file, it was the later one that is there.
            self.ahead.retain(|(other, _)| other.output.path != step.output.path);
            self.ahead.push((step, stat));
        }
    }

    /// Builds as it stands. A store that is gone is not an empty one: it may come back.
    fn read(&mut self) -> Result<Built, Failure> {
        if !files::is_root(&self.root) {
            let problem = Problem::new(format!("there is no `.canopy` in `{}`", self.root.display()));
            return Err(failure(problem.hint("it goes on when there is one again")));
        }
        let built = project::rebuild(&self.root, &self.request, &mut self.session)?;
        if !has_store(&built.inputs) && self.good.as_ref().is_some_and(|good| good.has_store) {
            let problem =
                Problem::new(format!("`{PROMPTS}` is gone")).hint("it goes on when it is there again");
            return Err(Failure { problems: vec![problem], inputs: built.inputs, warnings: built.warnings });
        }
        Ok(built)
    }

    /// Whether this may be the half of something that is still being written.
    fn is_doubtful(&self, built: &Result<Built, Failure>) -> bool {
        match (built, &self.good) {
            (Err(_), _) | (_, None) => true,
            (Ok(built), Some(good)) => {
                built.plan.outputs().count() < good.files || built.warnings.len() > good.warnings
            }
        }
    }

    fn write(&mut self, mut built: Built, start: Instant) -> io::Result<()> {
        self.good = Some(Good {
            files: built.plan.outputs().count(),
            warnings: built.warnings.len(),
            has_store: has_store(&built.inputs),
        });
        let mut applied = write::apply_while(&built.plan, || self.stop.signal().is_none());
        if !self.ahead.is_empty() {
            self.take_in_ahead(&mut built.plan, &mut applied);
        }
        built.memo.keep(&built.plan, &applied, built.project.as_ref());
        // Once is enough.
        self.request.force = false;
        let warnings = built.warnings.into_iter().chain(emit::orphans(&built.plan, self.typed.prune));
        self.warn(warnings.collect());
        if self.stop.signal().is_some() {
            // What was written is not known, so nothing is said of it.
            return Ok(());
        }
        let problems = applied.failed.iter().map(|e| Problem::new(e.to_string()).at(&e.origin));
        let problems: Vec<Problem> = problems.chain(emit::edited(self.typed, &built.plan)).collect();
        let event = told::emitted(&built.plan, &applied.failed, problems.clone(), start.elapsed());
        // A person who was told what is wrong need not be told with every build.
        let was_told = problems == self.wrong;
        self.wrong = problems;
        self.session.hold(built.project);
        self.report.event(if was_told { event.told() } else { event })
    }

    /// Makes what was written ahead part of the build that found it as it should be.
    fn take_in_ahead(&mut self, plan: &mut Plan, applied: &mut Applied) {
        let ahead: HashMap<Arc<str>, (Step, Stat)> =
            self.ahead.drain(..).map(|done| (done.0.output.path.clone(), done)).collect();
        for (step, stat) in plan.steps.iter_mut().zip(&mut applied.stats) {
            let done = ahead.get(&step.output.path).filter(|(done, _)| done.hash == step.hash);
            if let Some((done, after)) = done.filter(|_| step.change == Change::Unchanged) {
                (step.change, *stat) = (done.change, Some(*after));
            }
        }
    }

    /// Tells what was written ahead of a build that failed, and has it remembered: no other build does.
    fn tell_ahead(&mut self, start: Instant) -> io::Result<()> {
        if self.ahead.is_empty() {
            return Ok(());
        }
        self.session.save(&self.root, &self.request);
        let steps: Vec<Step> = self.ahead.drain(..).map(|(step, _)| step).collect();
        let unlisted = self.good.as_ref().map_or(0, |good| good.files).saturating_sub(steps.len());
        let plan = Plan { steps, unlisted };
        self.report.event(told::emitted(&plan, &[], Vec::new(), start.elapsed()))
    }

    /// Says what is wrong with the store, but not again with every build.
    fn warn(&mut self, warnings: Vec<Problem>) {
        if warnings != self.warned {
            self.report.warn(&warnings);
            self.warned = warnings;
        }
    }

    fn turn_to(&mut self, inputs: Vec<Input>) {
        if self.eyes.turn_to(&inputs) {
            self.gather.note(gather::Change::Begun, Instant::now());
        }
        if let (Some(reason), Some(every)) = (self.eyes.reason(), self.eyes.every()) {
            self.report.warn(&[told::looking(&reason, every)]);
        }
        if self.inputs != inputs {
            self.context.remember(&self.root, &inputs);
            self.report.note(&self.context.read());
            self.inputs = inputs;
        }
    }
}

fn has_store(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| input.path == PROMPTS && input.found)
}

/// Both, each path once; what the later says of one counts.
fn together(earlier: &[Input], later: &[Input]) -> Vec<Input> {
    let is_new = |input: &&Input| later.iter().all(|other| other.path != input.path);
    let mut all: Vec<Input> = earlier.iter().filter(is_new).chain(later).cloned().collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}
