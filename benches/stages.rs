//! How long each stage takes by itself: finding and reading records, resolving, rendering, comparing.
#![expect(clippy::unwrap_used, reason = "a bench that cannot prepare its work is to stop")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use canopy::catalog::Catalog;
use canopy::files::{MemoryFiles, Standing};
use canopy::plan::{self, Rules};
use canopy::problem::Origin;
use canopy::render::{Output, render};
use canopy::resolve::Resolver;
use canopy::source::{self, Known, PROMPTS};
use divan::{Bencher, counter::ItemsCount};

const SIZES: [usize; 3] = [100, 1_000, 10_000];

fn main() {
    divan::main();
}

/// A store of `prompts` prompts in three versions each: a tenth are bases, a tenth mixins, the rest build on them.
fn store(prompts: usize) -> String {
    let tenth = prompts / 10;
    let mut lines = String::new();
    for version in 1..=3 {
        for number in 0..prompts {
            let below = match number / tenth {
                0 | 1 => String::new(),
                _ => format!(r#""extends":"p{}","mixins":["p{}"],"#, number % tenth, tenth + number % tenth),
            };
            let section = |index: usize| {
                let line =
                    format!("- Section {index} of prompt {number} says in version {version} what to do.\\n");
                format!(r#"{{"name":"s{index}","body":"{}"}}"#, line.repeat(10))
            };
            let first = number / tenth % 3;
            let sections: Vec<String> = (first..first + 4).map(section).collect();
            lines.push_str(&format!(
                r#"{{"id":"b-{number:04x}","name":"p{number}","version":{version},"sections":[{}],{below}"tags":["agent"],"frontmatter":{{"model":"opus"}},"status":"active"}}"#,
                sections.join(",")
            ));
            lines.push('\n');
        }
    }
    lines
}

fn catalog(prompts: usize) -> Catalog {
    let files: MemoryFiles = [(PROMPTS, store(prompts))].into_iter().collect();
    Catalog::of(source::log(&files, None).unwrap().versions)
}

/// Finds every record and reads those that are current.
#[divan::bench(args = SIZES)]
fn read(bencher: Bencher, prompts: usize) {
    let files: MemoryFiles = [(PROMPTS, store(prompts))].into_iter().collect();
    bencher.counter(ItemsCount::new(prompts)).bench(|| source::log(&files, None).unwrap());
}

/// Reads the same once more, when it is known.
#[divan::bench(args = SIZES)]
fn read_again(bencher: Bencher, prompts: usize) {
    let files: MemoryFiles = [(PROMPTS, store(prompts))].into_iter().collect();
    let mut known = Known::default();
    source::log(&files, Some(&mut known)).unwrap();
    bencher.counter(ItemsCount::new(prompts)).bench_local(|| source::log(&files, Some(&mut known)).unwrap());
}

/// Composes every prompt, on one core.
#[divan::bench(args = SIZES)]
fn resolve(bencher: Bencher, prompts: usize) {
    let catalog = catalog(prompts);
    bencher.counter(ItemsCount::new(prompts)).bench(|| {
        let resolver = Resolver::new(&catalog);
        catalog.current().filter(|prompt| resolver.current(prompt).is_ok()).count()
    });
}

/// Renders every resolved prompt, on one core.
#[divan::bench(args = SIZES, name = "render")]
fn render_all(bencher: Bencher, prompts: usize) {
    let catalog = catalog(prompts);
    let resolver = Resolver::new(&catalog);
    let resolved: Vec<_> = catalog.current().map(|prompt| resolver.current(prompt).unwrap()).collect();
    let text = |resolved| render(resolved, "a.md").len();
    bencher.counter(ItemsCount::new(prompts)).bench(|| resolved.iter().map(text).sum::<usize>());
}

/// Looks at the path of every output, at which nothing stands, and compares.
#[divan::bench(args = SIZES, name = "plan")]
fn plan_all(bencher: Bencher, prompts: usize) {
    let catalog = catalog(prompts);
    let resolver = Resolver::new(&catalog);
    let outputs = catalog.current().map(|prompt| Output {
        path: format!("agents/{}.md", prompt.name).into(),
        contents: render(&resolver.current(prompt).unwrap(), "a.md"),
        id: prompt.id.as_str().into(),
        name: prompt.name.as_str().into(),
        version: prompt.version,
        origin: Origin { path: Arc::from(PROMPTS), line: prompt.origin.line },
    });
    let outputs: Vec<Output> = outputs.collect();
    let root = Path::new("/project");
    let rules = Rules { root, anywhere: false, force: false, prune: false };
    let look = |path: &Path, _: Option<_>| Ok((root.join(path) as PathBuf, Standing::Nothing));
    let counted = bencher.counter(ItemsCount::new(prompts)).with_inputs(|| outputs.clone());
    counted.bench_values(|outputs| {
        let looked = outputs.into_iter().map(|output| plan::look(output, rules, &look));
        plan::plan(looked.collect(), rules, &|_, _| false).unwrap()
    });
}
