//! Finds for every path in the source the module that defines what the path names. These are the arrows between
//! modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use crate::source::{Binding, Kind, Macro, Mention, ModulePath, Source};

/// The name under which the program knows its library.
const LIBRARY: &str = env!("CARGO_PKG_NAME");

/// The module of the program, at the root of a crate of its own.
const PROGRAM: &str = "main";

/// The use of one module by another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    pub(crate) from: ModulePath,
    /// The module that defines what is used.
    pub(crate) to: ModulePath,
    pub(crate) location: Location,
    /// The path as it is written.
    pub(crate) path: String,
}

/// The use of another crate.
#[derive(Debug)]
pub(crate) struct Foreign {
    pub(crate) from: ModulePath,
    /// The path from the other crate's name on.
    pub(crate) path: Vec<String>,
    /// Whether it brings everything below that path.
    pub(crate) glob: bool,
    pub(crate) location: Location,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Location {
    pub(crate) file: String,
    pub(crate) line: usize,
}

impl Display for Location {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "src/{}:{}", self.file, self.line)
    }
}

/// What modules use.
#[derive(Default)]
pub(crate) struct Graph {
    /// The modules, and the file that each stands in.
    pub(crate) modules: BTreeMap<ModulePath, String>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) foreign: Vec<Foreign>,
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(ModulePath),
    /// Something that this module defines.
    Item(ModulePath),
    /// Something of another crate.
    Foreign(Vec<String>),
}

/// The lookups that are not finished yet. They stop a lookup that goes in a circle, as imports may.
type Pending = Vec<(ModulePath, String)>;

impl Graph {
    pub(crate) fn of(source: &Source) -> Self {
        let modules = source.modules.iter().map(|(path, module)| (path.clone(), module.file.clone())).collect();
        let mut graph = Self { modules, ..Self::default() };
        for (from, module) in &source.modules {
            for mention in &module.mentions {
                graph.add(source, from, mention);
            }
            for call in &module.calls {
                let location = Location { file: module.file.clone(), line: call.line };
                let called = source.macros_of(from, &call.name);
                // an import of the macro is an arrow already
                if source.look_up(from, &call.name, from, &mut Pending::new()).is_empty() {
                    let definers = called.iter().map(|called| Target::Item(called.module.clone()));
                    graph.add_all(from, definers, &format!("{}!", call.name), &location);
                }
                if called.iter().any(|called| called.path_from_variable) {
                    for (name, line) in &call.arguments {
                        let named = source.look_up(from, name, from, &mut Pending::new());
                        let modules = named.into_iter().filter(|target| matches!(target, Target::Module(_)));
                        let location = Location { line: *line, ..location.clone() };
                        graph.add_all(from, modules, name, &location);
                    }
                }
            }
        }
        graph.arrows.sort();
        graph.arrows.dedup();
        graph
    }

    fn add(&mut self, source: &Source, from: &ModulePath, mention: &Mention) {
        let location = Location { file: source.modules[from].file.clone(), line: mention.line };
        let written = mention.path.join("::");
        let mut targets = source.resolve(from, &mention.path, &mut Pending::new());
        match mention.kind {
            Kind::Import => self.add_all(from, targets, &written, &location),
            Kind::Inline => {
                let begins_with = source.look_up(from, &mention.path[0], from, &mut Pending::new());
                // `Tile::new`: the import of `Tile` is an arrow already
                if !begins_with.is_empty() && begins_with.iter().all(|target| matches!(target, Target::Item(_))) {
                    return;
                }
                // a name that both a module and an item have means the item, except in an import
                if targets.iter().any(|target| matches!(target, Target::Item(_))) {
                    targets.retain(|target| !matches!(target, Target::Module(_)));
                }
                self.add_all(from, targets, &written, &location);
            }
            Kind::Glob => {
                let written = format!("{written}::*");
                for target in targets {
                    match target {
                        Target::Module(opened) => {
                            let definers = source.definers(&opened, from).into_iter().map(Target::Module);
                            self.add_all(from, definers, &written, &location);
                        }
                        // the variants of an enum
                        Target::Item(definer) => self.add_all(from, [Target::Item(definer)], &written, &location),
                        Target::Foreign(path) => {
                            self.foreign.push(Foreign {
                                from: from.clone(),
                                path,
                                glob: true,
                                location: location.clone(),
                            });
                        }
                    }
                }
            }
        }
    }

    fn add_all(&mut self, from: &ModulePath, to: impl IntoIterator<Item = Target>, written: &str, location: &Location) {
        for target in to {
            match target {
                Target::Module(to) | Target::Item(to) if to == *from => {}
                Target::Module(to) | Target::Item(to) => {
                    let (from, path, location) = (from.clone(), written.to_owned(), location.clone());
                    self.arrows.push(Arrow { from, to, location, path });
                }
                Target::Foreign(path) => {
                    self.foreign.push(Foreign { from: from.clone(), path, glob: false, location: location.clone() });
                }
            }
        }
    }
}

impl Source {
    /// What a path in the module `from` leads to; several things if a name has several meanings.
    fn resolve(&self, from: &[String], path: &[String], pending: &mut Pending) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let root = usize::from(from.first().is_some_and(|first| first == PROGRAM));
        let mut targets = match first.as_str() {
            "" => vec![Target::Foreign(Vec::new())],
            "crate" => vec![Target::Module(from[..root].to_vec())],
            "self" => vec![Target::Module(from.to_vec())],
            "super" => vec![Target::Module(parent(from))],
            name => self.look_up(from, name, from, pending),
        };
        if targets.is_empty() {
            let library = root == 1 && first == LIBRARY;
            targets.push(if library {
                Target::Module(ModulePath::new())
            } else {
                Target::Foreign(vec![first.clone()])
            });
        }
        for segment in rest {
            // a segment that is not the last one means a module, if there is a module of that name
            if targets.iter().any(|target| matches!(target, Target::Module(_))) {
                targets.retain(|target| !matches!(target, Target::Item(_)));
            }
            targets = targets.into_iter().flat_map(|target| self.step(target, segment, from, pending)).collect();
            targets.sort();
            targets.dedup();
        }
        targets
    }

    /// Follows a path one segment further.
    fn step(&self, target: Target, segment: &str, from: &[String], pending: &mut Pending) -> Vec<Target> {
        match target {
            // a variant, or an associated item
            Target::Item(module) => vec![Target::Item(module)],
            Target::Foreign(mut path) => {
                path.push(segment.to_owned());
                vec![Target::Foreign(path)]
            }
            Target::Module(module) => match segment {
                "self" => vec![Target::Module(module)],
                "super" => vec![Target::Module(parent(&module))],
                name => {
                    let found = self.look_up(&module, name, from, pending);
                    // if the source text does not show the name, a macro in that module wrote it
                    if found.is_empty() { vec![self.written_by_macro(module, name)] } else { found }
                }
            },
        }
    }

    fn written_by_macro(&self, module: ModulePath, name: &str) -> Target {
        // `#[macro_export]` puts a macro into the root, wherever it stands
        let exported = self.macros.iter().find(|defined| module.is_empty() && defined.name == name);
        Target::Item(exported.map_or(module, |exported| exported.module.clone()))
    }

    /// The macros that a bare name can mean in a module: the nearest above it, or else every one of the name.
    fn macros_of(&self, from: &[String], name: &str) -> Vec<&Macro> {
        let named: Vec<_> = self.macros.iter().filter(|defined| defined.name == name).collect();
        let above = named.iter().filter(|defined| from.starts_with(&defined.module));
        above.max_by_key(|defined| defined.module.len()).map_or(named.clone(), |nearest| vec![*nearest])
    }

    /// What a name means in a module, if the path that has it stands in `from`.
    fn look_up(&self, module: &[String], name: &str, from: &[String], pending: &mut Pending) -> Vec<Target> {
        let Some(inside) = self.modules.get(module) else { return Vec::new() };
        let lookup = (module.to_vec(), name.to_owned());
        // `use grid::grid` looks up `grid` for itself, and must find the module
        let again = pending.contains(&lookup);
        pending.push(lookup);
        let mut found = Vec::new();
        for binding in inside.names.get(name).into_iter().flatten() {
            match binding {
                Binding::Item { scope } if from.starts_with(scope) => found.push(Target::Item(module.to_vec())),
                Binding::Import { path, scope } if from.starts_with(scope) && !again => {
                    found.extend(self.resolve(module, path, pending));
                }
                _ => {}
            }
        }
        let child = [module, &[name.to_owned()]].concat();
        if self.modules.contains_key(&child) && child != [PROGRAM] {
            found.push(Target::Module(child));
        }
        if found.is_empty() && !again {
            for glob in inside.globs.iter().filter(|glob| from.starts_with(&glob.scope)) {
                for target in self.resolve(module, &glob.path, pending) {
                    if let Target::Module(opened) = target {
                        found.extend(self.look_up(&opened, name, from, pending));
                    }
                }
            }
        }
        pending.pop();
        found.sort();
        found.dedup();
        found
    }

    /// The modules that define what a glob import of `opened` brings to `from`: the opened module, and those whose
    /// items it re-exports. A module that the glob brings counts only if a path goes through it.
    fn definers(&self, opened: &[String], from: &[String]) -> BTreeSet<ModulePath> {
        let mut definers = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![opened.to_vec()];
        while let Some(path) = open.pop() {
            definers.insert(path.clone());
            let Some(module) = self.modules.get(&path).filter(|_| seen.insert(path.clone())) else { continue };
            for binding in module.names.values().flatten() {
                if let Binding::Import { path: import, scope } = binding
                    && from.starts_with(scope)
                {
                    for target in self.resolve(&path, import, &mut Pending::new()) {
                        if let Target::Item(definer) = target {
                            definers.insert(definer);
                        }
                    }
                }
            }
            for glob in module.globs.iter().filter(|glob| from.starts_with(&glob.scope)) {
                for target in self.resolve(&path, &glob.path, &mut Pending::new()) {
                    match target {
                        Target::Module(further) => open.push(further),
                        Target::Item(definer) => _ = definers.insert(definer),
                        Target::Foreign(_) => {}
                    }
                }
            }
        }
        definers
    }
}

fn parent(module: &[String]) -> ModulePath {
    module.split_last().map_or_else(ModulePath::new, |(_, parent)| parent.to_vec())
}

/// How a module is written in messages.
pub(crate) fn name_of(module: &[String]) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("::") }
}
