//! How changes are noticed: the system reports them, or somebody looks.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use canopy::files::Input;

use super::News;
use super::gather::Change;
use super::mounts;
use super::places::{Place, Places};
use super::stamps::Stamps;
use crate::watcher::{Happening, Seen, Trouble, Watcher};

/// How often somebody looks who is not told how often, and where the system does not report.
pub(super) const USUAL: Duration = Duration::from_millis(500);

/// How soon somebody looks again who has just seen a change.
const SOON: Duration = Duration::from_millis(20);

/// How often a folder may be gone when it is to be followed, before the system's word is not taken any more.
const TRIES: usize = 5;

/// What notices changes of the inputs.
pub(super) struct Eyes {
    root: PathBuf,
    inputs: Vec<Input>,
    places: Places,
    way: Way,
    news: Sender<News>,
    /// Whether what is followed may no longer be what stands there.
    is_stale: bool,
    /// Why it came to looking, until it is told.
    reason: Option<String>,
}

enum Way {
    Reported(Watcher),
    Looked(Look),
}

struct Look {
    every: Duration,
    last: Instant,
    stamps: Stamps,
}

impl Eyes {
    /// Begins to notice changes of `inputs`: as the system reports them, or every so often.
    pub(super) fn open(root: &Path, inputs: Vec<Input>, every: Option<Duration>, news: Sender<News>) -> Eyes {
        let places = Places::of(root, &inputs);
        let way = Way::Looked(Look::new(every.unwrap_or(USUAL)));
        let mut eyes =
            Eyes { root: root.to_owned(), inputs, places, way, news, is_stale: false, reason: None };
        match every {
            Some(_) => {}
            None => eyes.start(),
        }
        eyes
    }

    /// How often somebody looks; never if the system reports.
    pub(super) fn every(&self) -> Option<Duration> {
        match &self.way {
            Way::Reported(_) => None,
            Way::Looked(look) => Some(look.every),
        }
    }

    /// Why the system is no longer relied on, once.
    pub(super) fn reason(&mut self) -> Option<String> {
        self.reason.take()
    }

    /// When to look next; never if the system reports.
    pub(super) fn next(&self, is_waiting: bool) -> Option<Instant> {
        match &self.way {
            Way::Reported(_) => None,
            Way::Looked(look) if is_waiting => Some(look.last + look.every.min(SOON)),
            Way::Looked(look) => Some(look.last + look.every),
        }
    }

    /// Looks, if it is time to. Says whether something changed.
    pub(super) fn look(&mut self, is_waiting: bool, now: Instant) -> bool {
        let is_time = self.next(is_waiting).is_some_and(|next| next <= now);
        let Way::Looked(look) = &mut self.way else { return false };
        if !is_time {
            return false;
        }
        look.last = now;
        let stamps = Stamps::of(&self.places);
        let changed = stamps != look.stamps;
        look.stamps = stamps;
        changed
    }

    /// What a report means for the inputs.
    pub(super) fn judge(&mut self, seen: Seen) -> Option<Change> {
        let Way::Reported(watcher) = &self.way else { return None };
        let Seen::At(path, happening) = seen else {
            self.is_stale = true;
            return Some(Change::Begun);
        };
        let is_structure = matches!(happening, Happening::Moved | Happening::Structure);
        if is_structure && watcher.follows(&path) {
            self.is_stale = true;
        }
        match (self.places.get(&path)?, happening) {
            (Place::Exact, Happening::Moved) => Some(Change::Replaced),
            (Place::Exact, Happening::Closed) => Some(Change::Written),
            (Place::Exact, _) => Some(Change::Begun),
            (Place::Above, _) => is_structure.then_some(Change::Begun),
        }
    }

    /// Before a build: whatever changes from now on is noticed.
    pub(super) fn refresh(&mut self) {
        self.places = Places::of(&self.root, &self.inputs);
        match &mut self.way {
            Way::Looked(look) => look.stamps = Stamps::of(&self.places),
            Way::Reported(_) if self.is_stale => self.start(),
            Way::Reported(_) => drop(self.follow()),
        }
    }

    /// After a build: goes over to what it read. Says whether something may have changed there unnoticed.
    pub(super) fn turn_to(&mut self, inputs: &[Input]) -> bool {
        if self.inputs == inputs {
            return false;
        }
        self.inputs = inputs.to_vec();
        self.places = Places::of(&self.root, inputs);
        match &mut self.way {
            Way::Looked(look) => look.stamps.go_over_to(&self.places),
            Way::Reported(_) => self.follow(),
        }
    }

    /// Lets the system report, from the beginning.
    fn start(&mut self) {
        self.is_stale = false;
        let news = self.news.clone();
        // If nobody hears any more, it is over.
        match Watcher::start(move |seen| drop(news.send(News::Seen(seen)))) {
            Ok(watcher) => {
                self.way = Way::Reported(watcher);
                self.follow();
            }
            Err(trouble) => self.look_instead(&trouble),
        }
    }

    /// Follows the folders of the places. Says whether one of them is new.
    fn follow(&mut self) -> bool {
        let Way::Reported(watcher) = &mut self.way else { return false };
        let mut followed = Err(Trouble::Gone);
        for _ in 0..TRIES {
            let (folders, above) = self.places.folders();
            followed = watcher.follow(&folders, &above);
            match followed {
                Ok(false) => return false,
                Ok(true) => {
                    let silent = folders.iter().find_map(|folder| mounts::silent(folder));
                    let Some(kind) = silent else { return true };
                    followed =
                        Err(Trouble::Refused(format!("a `{kind}` file system hears of some changes only")));
                    break;
                }
                Err(Trouble::Gone) => {}
                Err(Trouble::Refused(_)) => break,
            }
        }
        if let Err(trouble) = followed {
            self.look_instead(&trouble);
        }
        true
    }

    fn look_instead(&mut self, trouble: &Trouble) {
        self.reason = Some(match trouble {
            Trouble::Gone => "a folder comes and goes".to_owned(),
            Trouble::Refused(why) => why.clone(),
        });
        self.way = Way::Looked(Look { stamps: Stamps::of(&self.places), ..Look::new(USUAL) });
    }
}

impl Look {
    fn new(every: Duration) -> Look {
        Look { every, last: Instant::now(), stamps: Stamps::default() }
    }
}
