//! Draws the graph of the modules as text, for the docs.

use std::collections::BTreeSet;

use crate::graph::Graph;
use crate::rules::{Inside, Node};

/// How far below the root modules are drawn: layers, their children, and the children of these.
const DEPTH: usize = 3;

const WIDTH: usize = 110;

/// A line for each module, below the line of its parent: what the module uses of the modules beside it. The children of
/// a module count as the module itself. A module stands below those that it uses. The file of the parent is its own
/// code.
pub(crate) fn draw(graph: &Graph) -> String {
    let mut lines = Vec::new();
    draw_inside(graph, &[], &mut lines);
    lines.join("\n") + "\n"
}

fn draw_inside(graph: &Graph, module: &[String], lines: &mut Vec<String>) {
    let Some(inside) = Inside::of(graph, module).filter(|_| module.len() < DEPTH) else { return };
    let name = |node: &Node| match node {
        Node::Own => graph.modules[module].rsplit('/').next().unwrap_or_default().to_owned(),
        Node::Child(child) => child.clone(),
    };
    for node in from_the_ground(&inside) {
        let mut line = format!("{}{}", "  ".repeat(module.len()), name(node));
        let indent = " ".repeat(2 * module.len() + 4);
        let mut before = " -> ";
        for used in inside.used_by(node).map(name) {
            if line.len() + before.len() + used.len() >= WIDTH {
                lines.push(line + before.trim_end());
                line = format!("{indent}{used}");
            } else {
                line = line + before + &used;
            }
            before = ", ";
        }
        lines.push(line);
        if *node != Node::Own {
            draw_inside(graph, &inside.path_of(node), lines);
        }
    }
}

/// The nodes in an order in which each uses only those before it; if several can be next, by name.
fn from_the_ground<'a>(inside: &'a Inside<'_>) -> Vec<&'a Node> {
    let mut left: BTreeSet<_> = inside.nodes.iter().collect();
    let mut order = Vec::new();
    while let Some(first) = left.first().copied() {
        // in a circle no node can be next; another test reports circles
        let free = left.iter().copied().find(|node| inside.used_by(node).all(|used| !left.contains(used)));
        let next = free.unwrap_or(first);
        left.remove(next);
        order.push(next);
    }
    order
}
