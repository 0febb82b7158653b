//! What the arrows between modules must not do.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use crate::graph::{Arrow, Graph, name_of};
use crate::source::ModulePath;

/// The arrows from a layer to a higher one, each as a line that says where it stands. The layers are given from the
/// ground up; the library's root and the program stand above them all.
pub(crate) fn arrows_back(graph: &Graph, layers: &[&str]) -> Vec<String> {
    let layer_of = |module: &[String]| match module.first() {
        Some(first) if first != "main" => layers.iter().position(|layer| layer == first),
        _ => Some(layers.len()),
    };
    let mut back: Vec<_> = graph
        .modules
        .keys()
        .filter(|module| layer_of(module).is_none())
        .map(|module| format!("{} is in no layer", name_of(module)))
        .collect();
    for arrow in &graph.arrows {
        if layer_of(&arrow.from) < layer_of(&arrow.to) {
            let (from, to) = (name_of(&arrow.from), name_of(&arrow.to));
            back.push(format!("{}: {from} uses {to}, which stands above it, as `{}`", arrow.location, arrow.path));
        }
    }
    back
}

/// The uses of other crates, by a module or one below it, whose path has one of `parts` in it, each as a line.
pub(crate) fn foreign_uses(graph: &Graph, module: &str, parts: &[&str]) -> Vec<String> {
    let has = |path: &[String], part: &str, glob: bool| {
        let part: Vec<_> = part.split("::").collect();
        path.windows(part.len()).any(|window| window == part.as_slice())
            || (glob && path.len() < part.len() && part.iter().zip(path).all(|(part, segment)| part == segment))
    };
    let mut uses = Vec::new();
    for foreign in graph.foreign.iter().filter(|foreign| foreign.from.first().is_some_and(|first| first == module)) {
        for part in parts.iter().filter(|part| has(&foreign.path, part, foreign.glob)) {
            uses.push(format!("{}: {} knows {part}", foreign.location, name_of(&foreign.from)));
        }
    }
    uses
}

/// A node of the graph inside a module: the module's own code, or one of its children with all modules below that
/// child.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    Own,
    Child(String),
}

/// The nodes inside a module that has children, and the arrows between them.
pub(crate) struct Inside<'a> {
    pub(crate) module: ModulePath,
    pub(crate) nodes: BTreeSet<Node>,
    pub(crate) arrows: BTreeMap<(Node, Node), Vec<&'a Arrow>>,
}

impl<'a> Inside<'a> {
    /// The inside of a module; nothing if it has no children.
    pub(crate) fn of(graph: &'a Graph, module: &[String]) -> Option<Self> {
        let node_of = |path: &[String]| {
            let below = path.strip_prefix(module)?;
            Some(below.first().map_or(Node::Own, |child| Node::Child(child.clone())))
        };
        let nodes: BTreeSet<_> = graph.modules.keys().filter_map(|path| node_of(path)).collect();
        if nodes.len() < 2 {
            return None;
        }
        let mut arrows: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for arrow in &graph.arrows {
            if let (Some(from), Some(to)) = (node_of(&arrow.from), node_of(&arrow.to))
                && from != to
            {
                arrows.entry((from, to)).or_default().push(arrow);
            }
        }
        Some(Self { module: module.to_vec(), nodes, arrows })
    }

    /// The nodes that a node uses.
    pub(crate) fn used_by<'b>(&'b self, node: &'b Node) -> impl Iterator<Item = &'b Node> {
        self.arrows.keys().filter(move |(from, _)| from == node).map(|(_, to)| to)
    }

    /// A shortest path of arrows between two nodes, both included.
    fn path(&self, from: &Node, to: &Node) -> Option<Vec<Node>> {
        let mut before: BTreeMap<&Node, Option<&Node>> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for next in self.used_by(node) {
                before.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    Some(node)
                });
            }
        }
        before.contains_key(to).then(|| {
            let mut path = vec![to.clone()];
            let mut at = to;
            while let Some(Some(node)) = before.get(at) {
                path.push((*node).clone());
                at = node;
            }
            path.reverse();
            path
        })
    }

    /// For each arrow that lies on a circle a shortest such circle, written from its least node on; short circles come
    /// first.
    pub(crate) fn circles(&self) -> Vec<Vec<Node>> {
        let mut circles = BTreeSet::new();
        for (from, to) in self.arrows.keys() {
            if let Some(mut circle) = self.path(to, from) {
                let least = (0..circle.len()).min_by_key(|at| &circle[*at]).unwrap_or(0);
                circle.rotate_left(least);
                circles.insert((circle.len(), circle));
            }
        }
        circles.into_iter().map(|(_, circle)| circle).collect()
    }

    /// The module of a node: the module itself, or the child.
    pub(crate) fn path_of(&self, node: &Node) -> ModulePath {
        let child = if let Node::Child(child) = node { Some(child) } else { None };
        self.module.iter().chain(child).cloned().collect()
    }

    /// How a node is written in messages.
    fn name(&self, node: &Node) -> String {
        let name = name_of(&self.path_of(node));
        if *node == Node::Own { format!("{name} (its own code)") } else { name }
    }
}

/// Every circle between modules, as a text with an import for each arrow; an empty one where there is no circle.
pub(crate) fn describe_circles(graph: &Graph) -> String {
    let mut text = String::new();
    for inside in graph.modules.keys().filter_map(|module| Inside::of(graph, module)) {
        let circles = inside.circles();
        let count = match circles.len() {
            0 => continue,
            1 => "One circle".to_owned(),
            several => format!("{several} circles"),
        };
        _ = writeln!(text, "\n{count} inside {}:", name_of(&inside.module));
        for circle in &circles {
            let names: Vec<_> = circle.iter().chain(&circle[..1]).map(|node| inside.name(node)).collect();
            _ = writeln!(text, "\n  {}", names.join(" -> "));
            for (from, to) in circle.iter().zip(circle.iter().cycle().skip(1)) {
                let arrows = &inside.arrows[&(from.clone(), to.clone())];
                let Arrow { location, path, to, .. } = arrows[0];
                let more = if arrows.len() > 1 { format!(", and {} more", arrows.len() - 1) } else { String::new() };
                _ = writeln!(text, "    {location}: `{path}` is defined in {}{more}", name_of(to));
            }
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "Modules use each other in a circle: siblings, or a parent and a child. Each circle is listed with one use for \
         each of its arrows; cut one arrow.\n{text}"
    )
}
