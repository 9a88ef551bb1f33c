//! Lays the layers of a prompt over one another: what it extends, its mixins, its own.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::prompt::{Prompt, Section};

use super::{Layer, Part, ResolveError, Resolved, mulch};

/// Composes `prompt` from its resolved parent and mixins, lowest first.
pub(super) fn merge<'a>(
    name: &'a str,
    prompt: &'a Prompt,
    parent: Option<&Resolved<'a>>,
    mixins: &[Rc<Resolved<'a>>],
) -> Result<Resolved<'a>, ResolveError> {
    let layer = Layer { name, version: prompt.version };
    let below = || parent.into_iter().chain(mixins.iter().map(Rc::as_ref));
    let sections = if parent.is_none() && mixins.is_empty() {
        // Alone, a record keeps two sections of one name; only laying one over another makes them meet.
        let own = prompt.sections.iter().filter(|section| !section.body.is_empty());
        Sections::from_parts(own.map(|section| part(section, layer)))
    } else {
        let inherited = parent.into_iter().flat_map(|parent| parent.sections.iter().copied());
        let mut sections = Sections::from_parts(inherited);
        mixins.iter().flat_map(|mixin| &mixin.sections).for_each(|part| sections.lay(*part));
        sections.lay_own(prompt, layer)?;
        sections
    };

    let mut frontmatter = indexmap::IndexMap::new();
    below().for_each(|resolved| frontmatter.extend(resolved.frontmatter.iter().map(|(k, v)| (*k, *v))));
    frontmatter.extend(prompt.frontmatter.iter().map(|(k, v)| (k.as_str(), v)));

    let mut seen = HashSet::new();
    let lineage = below().flat_map(|resolved| resolved.lineage.iter().copied()).chain([layer]);
    let lineage = lineage.filter(|layer| seen.insert(*layer)).collect();

    let longest = below().map(|resolved| &resolved.chain).max_by_key(|chain| chain.len());
    let chain = [layer.name].into_iter().chain(longest.into_iter().flatten().copied()).collect();

    let inherited = below().map(|resolved| resolved.mulch.as_ref());
    let mulch = mulch::merged(prompt, inherited);
    Ok(Resolved { name, prompt, sections: sections.into_parts(), frontmatter, mulch, lineage, chain })
}

fn part<'a>(section: &'a Section, from: Layer<'a>) -> Part<'a> {
    let required_by = (section.required == Some(true)).then_some(from.name);
    Part { name: &section.name, body: &section.body, required_by, from }
}

/// Sections under construction: removal leaves a hole, so that no place is counted twice.
#[derive(Default)]
struct Sections<'a> {
    places: Vec<Option<Part<'a>>>,
    /// The first place of each name: one record may name two sections alike.
    by_name: HashMap<&'a str, usize>,
}

impl<'a> Sections<'a> {
    fn from_parts(parts: impl Iterator<Item = Part<'a>>) -> Self {
        let mut sections = Sections::default();
        parts.for_each(|part| sections.append(part));
        sections
    }

    fn into_parts(self) -> Vec<Part<'a>> {
        self.places.into_iter().flatten().collect()
    }

    fn append(&mut self, part: Part<'a>) {
        self.by_name.entry(part.name).or_insert(self.places.len());
        self.places.push(Some(part));
    }

    /// Overrides the first section of that name in its place, or appends.
    fn lay(&mut self, part: Part<'a>) {
        let place = self.by_name.get(part.name);
        match place.and_then(|place| self.places.get_mut(*place)) {
            Some(slot) => {
                // Who required the section still requires it, whoever rewords it.
                let required_by = slot.and_then(|old| old.required_by).or(part.required_by);
                *slot = Some(Part { required_by, ..part });
            }
            None => self.append(part),
        }
    }

    /// Removes the first section of that name and hands it out.
    fn remove(&mut self, name: &str) -> Option<Part<'a>> {
        let place = self.by_name.remove(name)?;
        let removed = self.places.get_mut(place)?.take()?;
        let mut later = self.places.iter().enumerate().skip(place + 1);
        let next = later.find(|(_, part)| part.is_some_and(|part| part.name == name));
        if let Some((next, _)) = next {
            self.by_name.insert(removed.name, next);
        }
        Some(removed)
    }

    /// Lays the own sections of a prompt over what it inherits; an empty body removes.
    fn lay_own(&mut self, prompt: &'a Prompt, layer: Layer<'a>) -> Result<(), ResolveError> {
        let mut removed = Vec::new();
        for section in &prompt.sections {
            if section.body.is_empty() {
                removed.extend(self.remove(&section.name));
            } else {
                // Given again after its removal, a section is required as it was.
                let before = removed.iter().find(|part: &&Part<'a>| part.name == section.name);
                let mut part = part(section, layer);
                part.required_by = before.and_then(|before| before.required_by).or(part.required_by);
                self.lay(part);
            }
        }
        // Looked at last: a record may remove a section and give it again, which moves it to the end.
        let gone = |name: &str| !self.by_name.contains_key(name);
        let lost = removed.iter().find(|part| part.required_by.is_some() && gone(part.name));
        match lost.and_then(|part| Some((part.name, part.required_by?))) {
            None => Ok(()),
            Some((section, parent)) => Err(ResolveError::Required {
                origin: prompt.origin.clone(),
                section: section.to_owned(),
                child: prompt.name.clone(),
                parent: parent.to_owned(),
            }),
        }
    }
}
