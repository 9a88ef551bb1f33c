//! Every file in `tests/cases/render/` is a store; its snapshot is what its prompts render to.

use std::path::Path;

use canopy::catalog::{Catalog, Versions};
use canopy::prompt::Status;
use canopy::render::render;
use canopy::resolve::Resolver;
use canopy::source;

use crate::support::{memory, shown, snapshot};

#[test]
fn every_case_renders_as_its_snapshot_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/render");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "only {} cases were found", paths.len());
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let (sentence, records) = text.split_once('\n').unwrap();
        let sentence =
            sentence.strip_prefix("# ").unwrap_or_else(|| panic!("{}: no sentence", path.display()));
        let name = format!("render-{}", path.file_stem().unwrap().to_string_lossy());
        snapshot(&name, sentence, &rendered(records));
    }
}

/// Every active prompt of a store, each behind the name of its file.
fn rendered(records: &str) -> String {
    let catalog = Catalog::new(source::prompts(&memory(records)).unwrap().records);
    let resolver = Resolver::new(&catalog);
    let mut text = String::new();
    for prompt in catalog.all().map(Versions::latest).filter(|prompt| prompt.status == Status::Active) {
        let path = prompt.emit_as.clone().unwrap_or_else(|| format!("{}.md", prompt.name));
        text.push_str(&format!("==> {path}\n"));
        match resolver.current(prompt) {
            Err(e) => text.push_str(&shown(&e.problem())),
            Ok(resolved) => {
                text.push_str(&render(&resolved, &path));
                let layer = |part: &canopy::resolve::Part<'_>| {
                    format!("{} from {} v{}", part.name, part.from.name, part.from.version)
                };
                let lineage: Vec<String> = resolved.sections.iter().map(layer).collect();
                text.push_str(&format!("<== {}\n", lineage.join(", ")));
                if let Some(mulch) = &resolved.mulch {
                    text.push_str(&format!("<== mulch {}\n", serde_json::to_string(mulch).unwrap()));
                }
            }
        }
    }
    text
}
