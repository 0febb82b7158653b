//! Reads the modules of a crate from its source text: the names that each one binds, and the paths that it mentions.
//!
//! A module is a file, or a `mod` with braces. Files are found in the file system and not by their `mod` lines, for a
//! macro may write these. Code that only tests compile is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::reader::{is_test_only, read_module};

/// The names of the modules from the crate's root down to one module; of the root itself none.
pub(crate) type ModulePath = Vec<String>;

/// What the modules of a crate bind and mention.
#[derive(Default)]
pub(crate) struct Source {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
    /// The macros that the crate defines.
    pub(crate) macros: Vec<Macro>,
    /// The modules that only tests compile.
    pub(crate) tests: BTreeSet<ModulePath>,
}

/// One module: its own code, without that of its children.
#[derive(Default)]
pub(crate) struct Module {
    /// The file that it stands in, from the folder of the sources.
    pub(crate) file: String,
    pub(crate) names: BTreeMap<String, Vec<Binding>>,
    pub(crate) globs: Vec<Glob>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) calls: Vec<Call>,
    /// The values of its string literals, and their lines.
    pub(crate) texts: Vec<(String, usize)>,
}

/// What a name means in a module.
pub(crate) enum Binding {
    /// An item that the module defines.
    Item { scope: ModulePath },
    /// What an import brings.
    Import { path: Vec<String>, scope: ModulePath },
}

/// An import of all names of a module.
pub(crate) struct Glob {
    pub(crate) path: Vec<String>,
    pub(crate) scope: ModulePath,
}

/// A path in the code of a module; its first segment is empty if the path begins with `::`.
pub(crate) struct Mention {
    pub(crate) kind: Kind,
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

/// Where a path stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In a `use`.
    Import,
    /// In a `use` that ends with `::*`.
    Glob,
    /// Anywhere else.
    Inline,
}

/// The use of a macro by its bare name.
pub(crate) struct Call {
    pub(crate) name: String,
    /// The names that stand alone among its arguments, and their lines.
    pub(crate) arguments: Vec<(String, usize)>,
    pub(crate) line: usize,
}

/// A `macro_rules!`.
pub(crate) struct Macro {
    pub(crate) name: String,
    pub(crate) module: ModulePath,
    /// Whether a path in its body begins with one of its variables: then the arguments of a call may name modules.
    pub(crate) path_from_variable: bool,
}

/// Every source file under a folder: its path from there, and its text.
pub(crate) fn files_in(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let parts: Vec<_> =
                    path.strip_prefix(folder).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
                files.push((parts.join("/"), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

impl Source {
    /// Reads files that are given by their path from the folder of the sources, and their text.
    pub(crate) fn read(files: &[(String, String)]) -> Self {
        let parse = |(file, text): &(String, String)| {
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
            (module_of(file), (file.clone(), parsed))
        };
        let mut source = Self::default();
        // parents come first: only the `mod` line of a parent can say that a child compiles in tests only
        for (path, (file, parsed)) in files.iter().map(parse).collect::<BTreeMap<_, _>>() {
            if parsed.attrs.iter().any(is_test_only) {
                source.tests.insert(path);
            } else if !source.is_test(&path) {
                let parent = path.split_last().map_or(&[][..], |(_, parent)| parent);
                assert!(path.is_empty() || source.modules.contains_key(parent), "{file} has no parent");
                read_module(&mut source, path, &file, &parsed.items);
            }
        }
        source
    }

    fn is_test(&self, path: &[String]) -> bool {
        (0..=path.len()).any(|depth| self.tests.contains(&path[..depth]))
    }
}

/// The module that a file holds: `level/grid.rs` and `level/grid/mod.rs` hold `level::grid`.
fn module_of(file: &str) -> ModulePath {
    let mut path: Vec<_> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if path == ["lib"] || path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    path
}
