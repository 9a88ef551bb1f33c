//! `cn tree`: what a prompt inherits, and what inherits from it.

use canopy::catalog::Catalog;
use canopy::project::Failure;
use canopy::prompt::Prompt;
use canopy::value::{Map, Value};

use crate::args::Tree;
use crate::context::{self, Context};
use crate::report::{Reply, dim, strong};

/// How far down the tree is followed; a prompt this deep could not be rendered anyway.
const DEEPEST: usize = 32;

/// A prompt and what inherits from it.
struct Node<'p> {
    prompt: &'p Prompt,
    children: Vec<Node<'p>>,
    mixin_users: Vec<&'p str>,
}

/// Shows the family of a prompt.
pub(crate) fn tree(context: &Context, typed: &Tree) -> Result<Reply, Failure> {
    let project = context.open()?;
    let prompt = context::named(&project, &typed.name)?.latest();
    let ancestors = ancestors(&project.catalog, prompt);
    let node = node(&project.catalog, prompt, &mut Vec::new());
    let reply = match context.json {
        false => Reply { data: text(&ancestors, &node).into(), ..Reply::default() },
        true => Reply::default()
            .with("name", prompt.name.as_str())
            .with("ancestors", ancestors.iter().copied().collect::<Value>())
            .with("mixins", prompt.mixins.iter().map(String::as_str).collect::<Value>())
            .with("tree", members(&node)),
    };
    Ok(reply.warn(project.warnings.clone()))
}

/// The names that `prompt` inherits from, the root first; a circle is followed once.
fn ancestors<'p>(catalog: &'p Catalog, prompt: &'p Prompt) -> Vec<&'p str> {
    let mut names: Vec<&str> = Vec::new();
    let mut next = prompt.extends.as_deref();
    while let Some(name) = next.filter(|name| !names.contains(name)) {
        names.push(name);
        next = catalog.named(name).and_then(|versions| versions.latest().extends.as_deref());
    }
    names.reverse();
    names
}

fn node<'p>(catalog: &'p Catalog, prompt: &'p Prompt, path: &mut Vec<&'p str>) -> Node<'p> {
    path.push(&prompt.id);
    let others = || catalog.current().filter(|other| other.id != prompt.id);
    let inheriting = others().filter(|other| other.extends.as_ref() == Some(&prompt.name));
    let children: Vec<&Prompt> = match path.len() {
        DEEPEST.. => Vec::new(),
        _ => inheriting.filter(|child| !path.contains(&child.id.as_str())).collect(),
    };
    let children = children.into_iter().map(|child| node(catalog, child, path)).collect();
    let users = others().filter(|other| other.mixins.contains(&prompt.name));
    path.pop();
    Node { prompt, children, mixin_users: users.map(|other| other.name.as_str()).collect() }
}

fn members(node: &Node<'_>) -> Map {
    let mut map = Map::new();
    map.insert("name".into(), node.prompt.name.as_str().into());
    map.insert("children".into(), node.children.iter().map(members).collect());
    map.insert("mixinUsers".into(), node.mixin_users.iter().copied().collect());
    map
}

fn text(ancestors: &[&str], node: &Node<'_>) -> String {
    let mut text = String::new();
    for (depth, name) in ancestors.iter().enumerate() {
        text.push_str(&format!("{}{}\n", indent(depth), dim(name)));
    }
    text.push_str(&format!("{}{}\n", indent(ancestors.len()), label(node, true)));
    let left = " ".repeat(ancestors.len().saturating_mul(3));
    push_children(&mut text, node, &left);
    if !node.mixin_users.is_empty() {
        text.push_str(&format!("{}\n", dim(format!("mixed in by {}", node.mixin_users.join(", ")))));
    }
    text
}

fn indent(depth: usize) -> String {
    match depth.checked_sub(1) {
        None => String::new(),
        Some(above) => format!("{}└─ ", " ".repeat(above * 3)),
    }
}

fn label(node: &Node<'_>, focal: bool) -> String {
    let name = if focal { strong(&node.prompt.name) } else { node.prompt.name.clone() };
    let mixins: String = node.prompt.mixins.iter().map(|mixin| format!(" + {mixin}")).collect();
    let status = match node.prompt.status {
        canopy::prompt::Status::Active => "",
        status => status.as_str(),
    };
    format!("{name} {}", dim(format!("v{} {status}", node.prompt.version).trim_end())) + &dim(mixins)
}

fn push_children(text: &mut String, node: &Node<'_>, left: &str) {
    for (index, child) in node.children.iter().enumerate() {
        let last = index + 1 == node.children.len();
        let (branch, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        text.push_str(&format!("{left}{branch}{}\n", label(child, false)));
        push_children(text, child, &format!("{left}{below}"));
    }
}
