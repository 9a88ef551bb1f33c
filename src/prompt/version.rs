//! A version of a prompt whose record is read whole only when somebody asks for it.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::{Arc, OnceLock};

use super::{Brief, Header, Prompt, Status};
use crate::problem::Origin;

/// Where records wait to be read.
pub trait Shelf: Debug + Send + Sync {
    /// The record that stands there; `None` if it is no prompt after all.
    ///
    /// # Errors
    /// Whatever keeps it from being read.
    fn take(&self, place: Place) -> io::Result<Option<Prompt>>;
}

/// Where a record stands on its shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The byte at which the record begins, counted from 0.
    pub at: u64,
    /// How many bytes it has.
    pub length: usize,
}

/// One version of a prompt: what tells it from the others, and the rest on demand.
#[derive(Debug, Clone)]
pub struct Version {
    /// What makes versions belong together.
    pub id: Arc<str>,
    /// What the prompt was called in this version.
    pub name: Arc<str>,
    /// Its number.
    pub number: u64,
    /// The same for versions whose files would go to the same place; different numbers may still mean the same place.
    pub route: u64,
    /// Where its record stands.
    pub place: Place,
    /// What the record was found to say when it was read another time, if it was.
    brief: Option<Arc<Brief>>,
    shelf: Option<Arc<dyn Shelf>>,
    whole: OnceLock<Option<Arc<Prompt>>>,
}

impl Version {
    /// A version whose record waits at `place` of a shelf that is yet to be named.
    #[must_use]
    pub fn waiting(place: Place, (id, name): (Arc<str>, Arc<str>), number: u64, route: u64) -> Version {
        Version { id, name, number, route, place, brief: None, shelf: None, whole: OnceLock::new() }
    }

    /// The same, of whose record it is known that it can be read, and what it says in brief.
    #[must_use]
    pub fn in_brief(mut self, brief: Brief) -> Version {
        self.brief = Some(Arc::new(brief));
        self
    }

    /// Whether it is known what its record says in brief from another time.
    #[must_use]
    pub fn is_in_brief(&self) -> bool {
        self.brief.is_some()
    }

    /// Whether it is known what its record says in brief, be it read or not.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.brief.is_some() || matches!(self.whole.get(), Some(Some(_)))
    }

    /// What its record says in brief, for which it is read only if that is not known; `None` if it cannot be read.
    #[must_use]
    pub fn header(&self) -> Option<Header<'_>> {
        match &self.brief {
            Some(brief) => Some(brief.header(&self.id, &self.name, self.number, self.place.line)),
            None => self.prompt().map(|prompt| prompt.header()),
        }
    }

    /// Whether its record has been read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.whole.get().is_some()
    }

    /// The same without its shelf, which is let go of; and without its record, unless that is to be kept.
    #[must_use]
    pub fn put_away(mut self, keep: bool) -> Version {
        self.shelf = None;
        if !keep {
            self.whole = OnceLock::new();
        }
        self
    }

    /// All of it; `None` if its record cannot be read after all.
    #[must_use]
    pub fn prompt(&self) -> Option<&Arc<Prompt>> {
        self.read().ok().flatten()
    }

    /// As [`Version::prompt`], for whoever must know why.
    ///
    /// # Errors
    /// Whatever keeps the record from being read; it may be there the next time.
    pub fn read(&self) -> io::Result<Option<&Arc<Prompt>>> {
        if self.whole.get().is_none() {
            let taken = self.shelf.as_ref().map_or(Ok(None), |shelf| shelf.take(self.place))?;
            // A file that is written over while it is read may hold another record there.
            let same = |prompt: &Prompt| {
                let header = prompt.header();
                let says = |brief: &Arc<Brief>| {
                    brief.header(&self.id, &self.name, self.number, header.line) == header
                };
                *header.id == *self.id
                    && header.version == self.number
                    && self.brief.as_ref().is_none_or(says)
            };
            // Who comes second finds the same.
            let _ = self.whole.set(taken.filter(same).map(Arc::new));
        }
        Ok(self.whole.get().and_then(Option::as_ref))
    }

    /// A prompt that is called so and says nothing else.
    #[must_use]
    pub fn stand_in(&self) -> Prompt {
        let Version { id, name, number, place, .. } = self;
        let names = (String::from(id.as_ref()), String::from(name.as_ref()));
        let origin = Origin { path: "".into(), line: place.line };
        Prompt { version: *number, status: Status::Archived, ..Prompt::empty(names, origin) }
    }

    /// Whether its record, which has been read, still is what was read, where it was read; one that could not be is not.
    ///
    /// # Errors
    /// Whatever keeps it from being read again.
    pub fn stands(&self) -> io::Result<bool> {
        match (self.whole.get(), &self.shelf) {
            (Some(Some(read)), Some(shelf)) => Ok(shelf.take(self.place)?.as_ref() == Some(read)),
            (Some(Some(_)), None) => Ok(true),
            _ => Ok(false),
        }
    }

    /// The same version, its record `lines` further down, on a shelf where it lies at the same place.
    #[must_use]
    pub fn moved(mut self, lines: usize, shelf: &Arc<dyn Shelf>) -> Version {
        self.shelf = Some(Arc::clone(shelf));
        if lines > 0 {
            self.place.line += lines;
            self.whole = OnceLock::new();
        }
        self
    }
}

impl From<Prompt> for Version {
    fn from(prompt: Prompt) -> Version {
        Arc::new(prompt).into()
    }
}

impl From<Arc<Prompt>> for Version {
    fn from(prompt: Arc<Prompt>) -> Version {
        Version {
            id: prompt.id.as_str().into(),
            name: prompt.name.as_str().into(),
            number: prompt.version,
            route: route(&prompt),
            place: Place { line: prompt.origin.line, at: 0, length: 0 },
            brief: None,
            shelf: None,
            whole: OnceLock::from(Some(prompt)),
        }
    }
}

fn route(prompt: &Prompt) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&prompt.name, &prompt.emit_as, &prompt.emit_dir, &prompt.tags, prompt.status.as_str()).hash(&mut hasher);
    hasher.finish()
}

/// A shelf from which all was taken.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Empty;

#[cfg(test)]
impl Shelf for Empty {
    fn take(&self, _: Place) -> io::Result<Option<Prompt>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shelf on which the same stands everywhere.
    #[derive(Debug)]
    struct One(Prompt);

    impl Shelf for One {
        fn take(&self, _: Place) -> io::Result<Option<Prompt>> {
            Ok(Some(self.0.clone()))
        }
    }

    #[test]
    fn a_record_that_says_something_else_than_it_did_is_another_one() {
        let place = Place { line: 1, at: 0, length: 1 };
        let version = || Version::waiting(place, ("x-1".into(), "a".into()), 2, 0);
        let prompt = version().stand_in();
        let shelf: Arc<dyn Shelf> = Arc::new(One(prompt.clone()));
        let brief = prompt.header().brief();
        let read = |brief| version().in_brief(brief).moved(0, &shelf);
        let same = read(brief.clone());
        assert!(same.prompt().is_some() && same.stands().is_ok_and(|stands| stands));
        let other = read(Brief { status: Status::Active, ..brief });
        assert!(other.prompt().is_none() && other.stands().is_ok_and(|stands| !stands));
    }
}
