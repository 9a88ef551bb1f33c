//! Composes a prompt with all that it inherits and mixes in.

mod error;
mod merge;
mod mulch;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;

pub use error::{Link, ResolveError};

use crate::catalog::{Catalog, Versions};
use crate::prompt::Prompt;
use crate::value::Value;
use merge::merge;

/// How many prompts a chain of inheritance may have, the resolved one included.
pub const LONGEST_CHAIN: usize = 5;

/// A prompt with everything that it inherits and mixes in, ready to be rendered.
///
/// Invariant: no section is empty.
#[derive(Debug, Clone)]
pub struct Resolved<'a> {
    /// What the prompt is called today, also where an older version was chosen.
    pub name: &'a str,
    /// The version that was resolved, which a pin may have chosen.
    pub prompt: &'a Prompt,
    /// The sections in the order in which they are rendered.
    pub sections: Vec<Part<'a>>,
    /// The merged front matter, without name and description.
    pub frontmatter: IndexMap<&'a str, &'a Value>,
    /// The merged declaration of expertise; absent is not the same as empty.
    pub mulch: Option<Value>,
    /// Every prompt that took part, each once, in the order of its first application.
    pub lineage: Vec<Layer<'a>>,
    /// The longest chain of names below and including this one.
    chain: Vec<&'a str>,
}

/// A section of a resolved prompt and the prompt that gave it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its text, never empty.
    pub body: &'a str,
    /// The prompt that forbids its removal, if one does.
    pub required_by: Option<&'a str>,
    /// Who gave the text.
    pub from: Layer<'a>,
}

/// One version of a prompt, as far as lineage is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layer<'a> {
    /// The prompt's name.
    pub name: &'a str,
    /// The version that took part.
    pub version: u64,
}

/// Resolves prompts of one catalog, each shared parent once.
#[derive(Debug)]
pub struct Resolver<'a> {
    catalog: &'a Catalog,
    shared: RefCell<HashMap<*const Prompt, Rc<Resolved<'a>>>>,
}

impl<'a> Resolver<'a> {
    /// A resolver for the prompts of `catalog`.
    #[must_use]
    pub fn new(catalog: &'a Catalog) -> Self {
        Resolver { catalog, shared: RefCell::default() }
    }

    /// Resolves the current state of a prompt: the version that it is pinned to, else itself.
    ///
    /// # Errors
    /// If the pin, a parent or a mixin does not exist, a chain is circular or too long, or a required
    /// section is removed.
    pub fn current(&self, prompt: &'a Prompt) -> Result<Resolved<'a>, ResolveError> {
        self.exact(self.pinned(prompt)?)
    }

    /// Resolves exactly this version, whatever is pinned; its parents are today's.
    ///
    /// # Errors
    /// As for [`Resolver::current`], but for its own pin.
    pub fn exact(&self, prompt: &'a Prompt) -> Result<Resolved<'a>, ResolveError> {
        match self.resolve(prompt, &mut Vec::new()) {
            // Which of several chains is told of is not to depend on what was resolved before.
            Err(ResolveError::Depth { .. }) if !self.shared.borrow().is_empty() => {
                Resolver::new(self.catalog).resolve(prompt, &mut Vec::new())
            }
            resolved => resolved,
        }
    }

    fn pinned(&self, prompt: &'a Prompt) -> Result<&'a Prompt, ResolveError> {
        let Some(version) = prompt.pinned else { return Ok(prompt) };
        let versions = self.catalog.versions_of(prompt);
        versions.and_then(|versions| versions.at(version)).ok_or_else(|| ResolveError::Pin {
            origin: prompt.origin.clone(),
            name: prompt.name.clone(),
            version,
            existing: versions.map(|v| v.iter().map(|p| p.version).collect()).unwrap_or_default(),
        })
    }

    /// `path` holds the prompts that led here, without `prompt`.
    fn resolve(&self, prompt: &'a Prompt, path: &mut Vec<&'a Prompt>) -> Result<Resolved<'a>, ResolveError> {
        path.push(prompt);
        let result = self.compose(prompt, path);
        path.pop();
        result
    }

    fn compose(&self, prompt: &'a Prompt, path: &mut Vec<&'a Prompt>) -> Result<Resolved<'a>, ResolveError> {
        let parent = match &prompt.extends {
            Some(name) => Some(self.below(prompt, Link::Extends, name, path)?),
            None => None,
        };
        let mixins = prompt.mixins.iter().map(|name| self.below(prompt, Link::Mixin, name, path));
        let mixins = mixins.collect::<Result<Vec<_>, _>>()?;
        let today = self.catalog.versions_of(prompt).map_or(prompt, Versions::latest);
        merge(&today.name, prompt, parent.as_deref(), &mixins)
    }

    /// What `prompt` inherits from under `name`, resolved.
    fn below(
        &self,
        prompt: &'a Prompt,
        link: Link,
        name: &str,
        path: &mut Vec<&'a Prompt>,
    ) -> Result<Rc<Resolved<'a>>, ResolveError> {
        let versions = self.catalog.named(name).ok_or_else(|| ResolveError::Missing {
            origin: prompt.origin.clone(),
            child: prompt.name.clone(),
            link,
            name: name.to_owned(),
            now: self.catalog.renamed(name).map(str::to_owned),
            near: self.catalog.nearest(name).map(str::to_owned),
        })?;
        let below = self.pinned(versions.latest())?;
        if let Some(start) = path.iter().position(|above| above.id == below.id) {
            let circle = path.iter().skip(start).copied().chain([below]);
            let chain = circle.map(|prompt| prompt.name.clone()).collect();
            return Err(ResolveError::Cycle { origin: prompt.origin.clone(), chain });
        }
        let known = self.shared.borrow().get(&std::ptr::from_ref(below)).cloned();
        if let Some(known) = known {
            self.check_length(prompt, path, &known.chain)?;
            return Ok(known);
        }
        self.check_length(prompt, path, &[&below.name])?;
        let resolved = Rc::new(self.resolve(below, path)?);
        self.shared.borrow_mut().insert(below, Rc::clone(&resolved));
        Ok(resolved)
    }

    fn check_length(
        &self,
        prompt: &Prompt,
        path: &[&'a Prompt],
        below: &[&'a str],
    ) -> Result<(), ResolveError> {
        if path.len() + below.len() <= LONGEST_CHAIN {
            return Ok(());
        }
        let chain = path.iter().map(|above| above.name.clone());
        let chain = chain.chain(below.iter().map(|name| (*name).to_owned())).collect();
        let resolved = path.first().copied().unwrap_or(prompt);
        Err(ResolveError::Depth { origin: resolved.origin.clone(), chain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Origin;
    use crate::source::record;

    #[test]
    fn which_chain_is_too_long_does_not_depend_on_what_was_resolved_before() {
        let parents = ["b", "c", "d", "e", "f", "g", "h", ""];
        let records = ["a", "b", "c", "d", "e", "f", "g", "h"].iter().zip(parents).map(|(name, parent)| {
            let parent = if parent.is_empty() { String::new() } else { format!(r#","extends":"{parent}""#) };
            let line = format!(
                r#"{{"id":"x-{name}","name":"{name}","version":1,"status":"active","sections":[]{parent}}}"#
            );
            record::prompt(&line, Origin { path: "p".into(), line: 1 }).unwrap()
        });
        let catalog = Catalog::new(records.collect());
        let top = catalog.named("a").unwrap().latest();
        let alone = Resolver::new(&catalog).current(top).unwrap_err().to_string();
        assert!(alone.ends_with("a → b → c → d → e → f"), "{alone}");
        for before in ["g", "f", "e", "d"] {
            let resolver = Resolver::new(&catalog);
            assert!(resolver.current(catalog.named(before).unwrap().latest()).is_ok());
            assert_eq!(resolver.current(top).unwrap_err().to_string(), alone, "{before}");
        }
    }
}
