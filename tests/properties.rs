//! What must hold for any input whatever: fuzzers and property tests throw bytes at these.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a property that does not hold is a failed test")]

use std::collections::HashSet;

use canopy::catalog::Catalog;
use canopy::config;
use canopy::document::Document;
use canopy::import::{self, How, Split};
use canopy::problem::Origin;
use canopy::render::{frontmatter, render};
use canopy::resolve::Resolver;
use canopy::source::{jsonl, record};
use canopy::value::Value;

use crate::yaml::{as_floats, comparable, read_as_yaml_1_1, read_as_yaml_1_2};

/// Any store is read without a panic; what is read is written back the same; what can be composed is rendered.
pub(crate) fn store_line(bytes: &[u8]) {
    if let Ok(read) = jsonl::read("p", bytes, record::schema) {
        for schema in read.records {
            let line = serde_json::to_string(&Value::Map(record::schema_members(&schema))).unwrap();
            assert_eq!(record::schema(&line, schema.origin.clone()).unwrap(), schema, "{line}");
        }
    }
    let Ok(read) = jsonl::read("p", bytes, record::prompt) else { return };
    for prompt in &read.records {
        let line = serde_json::to_string(&Value::Map(record::prompt_members(prompt))).unwrap();
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(&record::prompt(&line, prompt.origin.clone()).unwrap(), prompt, "{line}");
    }
    let catalog = Catalog::new(read.records);
    let resolver = Resolver::new(&catalog);
    for prompt in catalog.current() {
        if let Ok(resolved) = resolver.current(prompt) {
            assert!(resolved.sections.iter().all(|part| !part.body.is_empty()));
            assert!(render(&resolved, "a.md").starts_with("---\nname:"));
            assert!(render(&resolved, "a.ts").ends_with("`;\n"));
        }
        for word in [&prompt.name, prompt.emit_as.as_ref().unwrap_or(&prompt.id)] {
            if let Ok(path) = canopy::path::inside("agents", word) {
                assert!(!path.split('/').any(|name| matches!(name, "" | "." | "..")), "{word:?} {path:?}");
            }
        }
    }
}

/// Any configuration is used or refused with a line; a used one has what the rest relies on, and a change of it is
/// made as a whole or not at all.
pub(crate) fn configuration(bytes: &[u8]) {
    match config::parse(bytes) {
        Err(problem) => assert!(problem.origin.unwrap().line >= 1),
        Ok(config) => {
            assert!(config.targets.values().all(|target| !target.dir.is_empty()));
            assert!(config.targets.values().filter(|target| target.default).count() <= 1);
        }
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for (path, value) in [("project", "other"), ("targets.a.dir", "y"), ("targets.b", "{dir: z, tags: [t]}")]
    {
        let place = config::place(path).unwrap();
        let value = config::document::value(value).unwrap();
        let Ok(changed) = config::edit::set(text, &place, &value) else { continue };
        let after = config::document::canonical(&config::parse(changed.as_bytes()).unwrap());
        let found = config::document::at(&after, &place).unwrap();
        assert!(found == &value || value.as_map().is_some(), "{path} is {found:?} in\n{changed}");
        assert_eq!(config::edit::set(&changed, &place, &value).unwrap(), changed, "again");
    }
}

/// Any front matter reads back as it was, in both versions of YAML.
pub(crate) fn front_matter(bytes: &[u8]) {
    let Ok(value) =
        std::str::from_utf8(bytes).map_err(drop).and_then(|text| serde_json::from_str(text).map_err(drop))
    else {
        return;
    };
    let text = frontmatter::block(&[("top", &value)].into_iter().collect());
    let yaml = text.strip_prefix("---\n").unwrap().strip_suffix("---\n").unwrap();
    let whole = Value::Map([("top".to_owned(), value)].into_iter().collect());
    assert_eq!(comparable(&read_as_yaml_1_1(yaml)), comparable(&whole), "{yaml}");
    if deepest(&whole) < 60 {
        // The other reader gives up on what nests deeper.
        assert_eq!(read_as_yaml_1_2(yaml), as_floats(&comparable(&whole)), "{yaml}");
    }
}

fn deepest(value: &Value) -> usize {
    let below = match value {
        Value::List(items) => items.iter().map(deepest).max(),
        Value::Map(map) => map.values().map(deepest).max(),
        _ => None,
    };
    below.map_or(0, |below| below + 1)
}

/// Any Markdown is imported or refused with a line; the sections of what is imported have names of their own.
pub(crate) fn markdown_import(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for split in [Split::Nowhere, Split::Headings, Split::HeadingsAsWritten] {
        match import::read(text, &How { path: "in.md", name: "x", split }) {
            Err(problem) => assert!(problem.origin.unwrap().line >= 1),
            Ok(imported) => {
                let names: HashSet<&str> = imported.sections.iter().map(|(name, _)| name.as_str()).collect();
                assert_eq!(names.len(), imported.sections.len());
                assert!(!names.contains(""));
                let whole: String = imported.sections.iter().map(|(_, body)| body.as_str()).collect();
                assert!(!whole.contains("\r\n"));
                // What is imported can be written to a store and read again.
                let front = serde_json::to_string(&Value::Map(imported.frontmatter.clone())).unwrap();
                assert_eq!(serde_json::from_str::<Value>(&front).unwrap(), Value::Map(imported.frontmatter));
            }
        }
    }
}

/// Any document is read or refused with a line; what was read, and any prompt's record, is written and read back.
pub(crate) fn edited_document(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let origin = Origin { path: "p".into(), line: 1 };
    let record = r#"{"id":"t-1","name":"a","version":1,"status":"active","description":"d","frontmatter":{"n":1e3},
        "sections":[{"name":"role","body":"b","required":true},{"name":"own","body":""}]}"#;
    let sample = Document::of(&record::prompt(record, origin.clone()).unwrap());
    match Document::read(text, &sample) {
        Err(e) => assert!(e.line >= 1),
        Ok(read) => reads_back(&read),
    }
    if let Ok(prompt) = record::prompt(text, origin) {
        reads_back(&Document::of(&prompt));
    }
}

fn reads_back(document: &Document) {
    let text = document.write();
    let read = Document::read(&text, document).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    // The order of the front matter counts as well, which equality leaves aside.
    let front =
        |document: &Document| serde_json::to_string(&Value::Map(document.frontmatter.clone())).unwrap();
    assert_eq!((&read, front(&read)), (document, front(document)), "{text}");
}
