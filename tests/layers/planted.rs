//! Small trees of source text that show what the reader finds, and what it ignores.

use std::collections::BTreeSet;

use crate::drawing::draw;
use crate::graph::{Graph, name_of};
use crate::rules::{Inside, Node, arrows_back, describe_circles, foreign_uses};
use crate::source::Source;

/// What `high` defines, for code in lower layers to use: items, a re-exported item, a module and a function with the
/// same name, modules three levels deep, and a macro.
const HIGH: [(&str, &str); 4] = [
    (
        "high.rs",
        "pub mod bell; pub fn bell() {} pub mod door; pub use door::Handle; pub struct Top; pub fn serve() {}
        macro_rules! bolt { () => {} }",
    ),
    ("high/bell.rs", "pub fn ring() {} pub mod rope { pub fn pull() {} }"),
    ("high/door.rs", "pub mod lock; pub struct Handle; pub(in crate::low) fn knock() {}"),
    ("high/door/lock.rs", "use super::Handle as Grip; pub fn turn() {} pub struct Key; fn secret() {}"),
];

fn source(files: &[(&str, &str)]) -> Source {
    Source::read(&files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect::<Vec<_>>())
}

fn graph(files: &[(&str, &str)]) -> Graph {
    Graph::of(&source(files))
}

/// The arrows of a tree, as `from -> to`.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    graph(files).arrows.iter().map(|arrow| format!("{} -> {}", name_of(&arrow.from), name_of(&arrow.to))).collect()
}

/// A tree in which `text` stands in `low::deep::inner`, with the files `more`.
fn tree(text: &str, more: &[(&str, &str)]) -> Graph {
    let low = [
        ("lib.rs", "pub mod high; pub mod low; pub use high::{door::lock::*, serve};"),
        ("low.rs", "mod deep; pub fn ground() {}"),
        ("low/deep.rs", "mod inner;"),
        ("low/deep/inner.rs", text),
    ];
    graph(&[&low[..], &HIGH, more].concat())
}

/// The arrows of such a tree from `low` back to `high`, as `from -> to`.
fn back(text: &str, more: &[(&str, &str)]) -> BTreeSet<String> {
    let graph = tree(text, more);
    let reported = arrows_back(&graph, &["low", "high"]);
    let is_low = |path: &[String]| path.first().is_some_and(|first| first == "low");
    let back: Vec<_> = graph.arrows.iter().filter(|arrow| is_low(&arrow.from) && !is_low(&arrow.to)).collect();
    assert_eq!(reported.len(), back.len(), "{reported:?}");
    back.iter().map(|arrow| format!("{} -> {}", name_of(&arrow.from), name_of(&arrow.to))).collect()
}

/// Asserts that `text` makes arrows from `low::deep::inner` to these modules of `high`, and no others back.
#[track_caller]
fn caught(text: &str, definers: &[&str]) {
    let expected: BTreeSet<_> = definers.iter().map(|to| format!("low::deep::inner -> {to}")).collect();
    assert_eq!(back(text, &[]), expected, "{text}");
}

#[test]
fn imports_from_the_root_are_caught() {
    caught("use crate::high::Top;", &["high"]);
    caught("use crate::high;", &["high"]);
    caught("use crate::high::door::lock::Key as Part;", &["high::door::lock"]);
    caught("pub use crate::high::Top as _;", &["high"]);
    caught("fn f() { use crate::high::Top; }", &["high"]);
    caught("extern crate self as house; use house::high::Top;", &["lib", "high"]);
}

#[test]
fn imports_by_super_and_self_are_caught() {
    caught("use super::super::super::high::Top;", &["high"]);
    caught("use self::super::super::super::high::door;", &["high::door"]);
    // a module in braces is a module of its own
    let text = "mod inline { pub use super::super::super::super::high::Top; } use self::inline::Top;";
    let expected = ["low::deep::inner -> high", "low::deep::inner::inline -> high"];
    assert_eq!(back(text, &[]), expected.map(str::to_owned).into());
}

#[test]
fn imports_in_braces_are_caught() {
    caught(
        "use crate::{low::ground, high::{self, door::{Handle as H, lock::{turn}}}};",
        &["high", "high::door", "high::door::lock"],
    );
    caught("use crate::high::{self}; fn f() { high::door::lock::turn(); }", &["high", "high::door::lock"]);
    caught("use {crate::low::ground, super::super::super::{high::door::{self as entry}}};", &["high::door"]);
}

#[test]
fn globs_are_caught() {
    caught("use crate::high::door::lock::*;", &["high::door::lock"]);
    // what `high` re-exports counts too
    caught("use crate::high::*;", &["high", "high::door"]);
    caught("use crate::*;", &["lib", "high", "high::door::lock"]);
    // and so does what a path finds through the glob
    caught("use crate::high::*; fn f() { door::lock::turn(); }", &["high", "high::door", "high::door::lock"]);
}

#[test]
fn re_exports_are_followed_to_the_definition() {
    caught("use crate::high::Handle;", &["high::door"]);
    caught("use crate::serve;", &["high"]);
    // through the glob in the root
    caught("use crate::turn;", &["high::door::lock"]);
    caught("fn f() { crate::turn(); }", &["high::door::lock"]);
    // private names are not re-exported: such a name must be something of the root itself
    caught("fn f() { crate::secret(); }", &["lib"]);
    caught("fn f(_: crate::Grip) {}", &["lib"]);
}

#[test]
fn a_module_and_a_function_of_one_name_are_told_apart() {
    caught("use crate::high::bell;", &["high", "high::bell"]);
    caught("fn f() { crate::high::bell(); }", &["high"]);
    caught("fn f() { crate::high::bell::ring(); }", &["high::bell"]);
    caught("use crate::high::bell; fn f() { bell::rope::pull(); }", &["high", "high::bell", "high::bell::rope"]);
    // an import that binds the name that it begins with
    let files = [
        ("lib.rs", ""),
        ("a.rs", "pub use b::b;"),
        ("a/b.rs", "pub use super::c::b;"),
        ("a/c.rs", "pub fn b() {}"),
        ("d.rs", "use crate::a::b;"),
    ];
    assert_eq!(arrows(&files), ["a -> a::c", "a::b -> a::c", "d -> a::b", "d -> a::c"]);
}

#[test]
fn globs_bring_what_can_be_seen() {
    let files = [
        ("lib.rs", ""),
        ("a.rs", "use self::b::*;"),
        (
            "a/b.rs",
            "pub(super) use super::c::C; pub(in crate::a) use super::d::D; use super::e::E; pub(in crate::a) fn f() {}",
        ),
        ("a/c.rs", "pub struct C;"),
        ("a/d.rs", "pub struct D;"),
        ("a/e.rs", "pub struct E;"),
        ("f.rs", "use crate::a::b::*;"),
    ];
    let imports = ["a::b -> a::c", "a::b -> a::d", "a::b -> a::e"];
    let globs = ["a -> a::b", "a -> a::c", "a -> a::d", "f -> a::b"];
    assert_eq!(arrows(&files), [&globs[..3], &imports, &globs[3..]].concat());
}

#[test]
fn a_re_export_in_a_lower_module_is_caught() {
    let window = ("low/window.rs", "pub use crate::high::Top as Glass; pub use crate::high::door::lock::*;");
    let both = ["low::window -> high", "low::window -> high::door::lock"];
    assert_eq!(back("", &[window]), both.map(str::to_owned).into());
    let through = ["low::deep::inner -> high", "low::deep::inner -> high::door::lock"];
    let expected = both.into_iter().chain(through).map(str::to_owned).collect();
    assert_eq!(back("use crate::low::window::{Glass, Key};", &[window]), expected);
}

#[test]
fn paths_in_code_are_caught() {
    caught("fn f() { crate::high::door::lock::turn() }", &["high::door::lock"]);
    caught("fn f() -> super::super::super::high::Top { todo!() }", &["high"]);
    caught("type T = Vec<Option<crate::high::Handle>>;", &["high::door"]);
    caught("impl From<crate::high::Top> for u8 {}", &["high"]);
    caught("fn f(key: &dyn Fn(crate::high::Top)) { Vec::<crate::high::Handle>::new(); }", &["high", "high::door"]);
    caught("const C: usize = crate::high::Top::SIZE;", &["high"]);
    caught("fn f() { match x { crate::high::door::lock::Key { .. } => {} } }", &["high::door::lock"]);
}

#[test]
fn paths_through_an_imported_module_are_caught() {
    caught("use crate::high::door; fn f() { door::lock::turn(); }", &["high::door", "high::door::lock"]);
    caught("use super::super::super as house; fn f() { house::high::serve(); }", &["lib", "high"]);
    caught("fn f() { use crate::high as up; up::door::lock::turn(); }", &["high", "high::door::lock"]);
}

#[test]
fn paths_in_macros_and_attributes_are_caught() {
    caught("fn f() { println!(\"{}\", [(crate::high::serve(), 1)]); }", &["high"]);
    caught("macro_rules! m { () => { $crate::high::door::lock::turn() } }", &["high::door::lock"]);
    caught("items! { use crate::high::{Top, door::{lock::*}}; }", &["high", "high::door::lock"]);
    caught("fn f() { crate::high::bolt!(); bolt!(); }", &["high"]);
    caught("fn f() { bolt!(); }", &["high"]);
    caught("#[derive(S)] struct A { #[serde(with = \"crate::high::door\")] b: u8 }", &["high::door"]);
    caught("#[derive(P)] struct A { #[arg(value_parser = crate::high::serve)] b: u8 }", &["high"]);
}

#[test]
fn an_exported_macro_stands_where_it_is_written() {
    let high = ("high/brick.rs", "#[macro_export] macro_rules! brick { () => {} }");
    let expected = BTreeSet::from(["low::deep::inner -> high::brick".to_owned()]);
    assert_eq!(back("fn f() { crate::brick!(); }", &[high]), expected);
}

#[test]
fn a_macro_without_an_import_is_the_nearest_above() {
    let bolt = "macro_rules! bolt { () => {} }";
    let files = [("lib.rs", ""), ("a.rs", bolt), ("a/b.rs", bolt), ("a/b/c.rs", "fn f() { bolt!(); }"), ("d.rs", bolt)];
    assert_eq!(arrows(&files), ["a::b::c -> a::b"]);
}

#[test]
fn a_condition_that_other_builds_meet_is_no_test() {
    caught("#[cfg(not(test))] use crate::high::Top;", &["high"]);
    caught("#[cfg(any(test, unix))] use crate::high::Top;", &["high"]);
    caught("#[cfg(unix)] fn f() { crate::high::serve(); }", &["high"]);
}

#[test]
fn code_for_tests_passes() {
    caught("#[cfg(test)] use crate::high::Top;", &[]);
    caught("#[cfg(all(test, unix))] fn f() { crate::high::serve(); }", &[]);
    caught("#[cfg(any(test, all(test, unix)))] fn f() { crate::high::serve(); }", &[]);
    caught("#[test] fn f() { crate::high::serve(); }", &[]);
    caught("#[cfg(test)] mod tests { use crate::high::Top; mod more { use crate::high::Handle; } }", &[]);
    caught("struct A; impl A { #[cfg(test)] fn f() { crate::high::serve(); } }", &[]);
    caught("trait A { #[cfg(test)] fn f() { crate::high::serve(); } }", &[]);
    caught("fn f() { #[cfg(test)] let a = crate::high::serve(); }", &[]);

    let tests = [
        ("low/deep/inner/tests.rs", "mod more; use crate::high::Top;"),
        ("low/deep/inner/tests/more.rs", "use crate::high::Top;"),
        ("low/fixtures.rs", "#![cfg(test)] use crate::high::Top;"),
        ("low/fixtures/map.rs", "use crate::high::Top;"),
    ];
    assert_eq!(back("#[cfg(test)] mod tests;", &tests), BTreeSet::new());
}

#[test]
fn what_is_no_path_of_the_crate_passes() {
    caught("//! [`crate::high::Top`]\n/// crate::high::Top\n// crate::high::Top\nstruct A;", &[]);
    caught("#[doc = \"crate::high::Top\"] const A: &str = \"crate::high::Top\";", &[]);
    caught("/// [`Top`]: crate::high::Top\nfn high(high: u8) { high.top(); high; }", &[]);
    // another crate of the same name
    caught("use high::Top; use ::high::door; fn f() { high::serve(); door::turn(); }", &[]);
    caught("fn f<'high>(a: &'high str) { println!(\"{high}\", high = a.parse::<u8>().high()); }", &[]);
    caught("use crate::low::ground; pub(in crate::low) fn f() { ground(); self::f(); super::super::ground() }", &[]);
}

#[test]
fn the_message_says_where_an_arrow_stands() {
    let graph = tree("\n\nuse crate::{\n    high::Top,\n};", &[]);
    let expected = "src/low/deep/inner.rs:4: low::deep::inner uses high, which stands above it, as `crate::high::Top`";
    assert_eq!(arrows_back(&graph, &["low", "high"]), [expected]);
    // the root and the program stand above all layers
    let unknown = arrows_back(&tree("", &[]), &["low"]);
    assert!(unknown.contains(&"high::door::lock is in no layer".to_owned()), "{unknown:?}");
}

/// The circles inside a module, each as its nodes, where the module's own code is `.`.
fn circles(files: &[(&str, &str)], module: &[&str]) -> Vec<String> {
    let graph = graph(files);
    let path: Vec<_> = module.iter().map(|&name| name.to_owned()).collect();
    let circles = Inside::of(&graph, &path).map_or_else(Vec::new, |inside| inside.circles());
    assert_eq!(describe_circles(&graph).is_empty(), circles.is_empty());
    let name = |node: &Node| match node {
        Node::Own => ".".to_owned(),
        Node::Child(name) => name.clone(),
    };
    circles.iter().map(|circle| circle.iter().map(name).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn circles_between_siblings_are_caught() {
    let files = [("lib.rs", ""), ("a.rs", "use crate::b::B; pub struct A;"), ("b.rs", "fn f(_: super::a::A) {}")];
    assert_eq!(circles(&files, &[]), ["a b"]);
    // deep inside the one and the other
    let files = [
        ("lib.rs", ""),
        ("a.rs", ""),
        ("a/x.rs", "use crate::b::y::Y;"),
        ("a/z.rs", "pub struct Z;"),
        ("b.rs", ""),
        ("b/y.rs", "use super::super::a::z::Z; pub struct Y;"),
    ];
    assert_eq!(circles(&files, &[]), ["a b"]);
}

#[test]
fn circles_between_parent_and_child_are_caught() {
    let parent = "mod row; pub struct Row; pub static TABLE: &[Row] = &[row::ROW];";
    let files = [("lib.rs", ""), ("table.rs", parent), ("table/row.rs", "use super::Row; pub const ROW: Row = Row;")];
    assert_eq!(circles(&files, &["table"]), [". row"]);
    let files = [("lib.rs", ""), ("table.rs", parent), ("table/row.rs", "use super::*; pub const ROW: Row = Row;")];
    assert_eq!(circles(&files, &["table"]), [". row"]);
}

#[test]
fn circles_of_three_are_caught() {
    let files = [
        ("lib.rs", ""),
        ("m.rs", ""),
        ("m/a.rs", "use super::b;"),
        ("m/b.rs", "use crate::m::{c::C};"),
        ("m/c.rs", "pub use super::a::A; pub struct C;"),
        ("m/d.rs", "use super::{a, b, c};"),
    ];
    assert_eq!(circles(&files, &["m"]), ["a b c"]);
}

#[test]
fn a_short_circle_is_reported_for_every_arrow_on_one() {
    let files = [
        ("lib.rs", ""),
        ("a.rs", "use crate::b;"),
        ("b.rs", "use crate::{a, c};"),
        ("c.rs", "use crate::a;"),
        ("d.rs", "use crate::e;"),
        ("e.rs", "use crate::d;"),
    ];
    assert_eq!(circles(&files, &[]), ["a b", "d e", "a b c"]);
}

#[test]
fn circles_through_names_in_a_macro_are_caught() {
    let table = "macro_rules! table { ($($name:ident),*) => { $(mod $name;)* static T: &[Row] = &[$($name::ROW),*]; } }
        table!(first, second); pub struct Row;";
    let files =
        [("lib.rs", ""), ("m.rs", table), ("m/first.rs", "use super::Row;"), ("m/second.rs", ""), ("m/third.rs", "")];
    assert_eq!(circles(&files, &["m"]), [". first"]);
    assert_eq!(arrows(&files), ["m -> m::first", "m -> m::second", "m::first -> m"]);
}

#[test]
fn parents_may_re_export_what_children_share() {
    let files = [
        ("lib.rs", "pub mod m;"),
        ("m.rs", "mod tile; mod grid; pub use tile::Tile; pub use grid::*; pub use grid::grid;"),
        ("m/tile.rs", "pub struct Tile; #[cfg(test)] mod tests { use super::super::Grid; }"),
        ("m/grid.rs", "use super::Tile; use crate::m; pub struct Grid; pub fn grid(_: m::Tile) {}"),
        ("m/mask.rs", "use super::{Tile, Grid, grid}; fn f() { grid(Tile, Grid); }"),
    ];
    // only the import of the parent itself is an arrow to it
    assert_eq!(circles(&files, &["m"]), [". grid"]);
    let files = files.map(|(file, text)| (file, text.replace("use crate::m;", "").replace("m::Tile", "super::Tile")));
    assert_eq!(circles(&files.each_ref().map(|(file, text)| (*file, text.as_str())), &["m"]), [""; 0]);
}

#[test]
fn a_circle_is_described_with_a_use_for_each_arrow() {
    let files = [
        ("lib.rs", ""),
        ("table.rs", "mod row;\nuse row::ROW;\npub struct Row;"),
        ("table/row.rs", "use super::Row;\nfn f() -> crate::table::Row { crate::table::Row }\nfn g() { Row::new(); }"),
    ];
    let text = describe_circles(&graph(&files));
    let (_, circles) = text.split_once("\n\n").unwrap();
    assert_eq!(
        circles,
        "One circle inside table:

  table (its own code) -> table::row -> table (its own code)
    src/table.rs:2: `row::ROW` is defined in table::row
    src/table/row.rs:1: `super::Row` is defined in table, and 1 more
"
    );
}

#[test]
fn other_crates_are_known_by_their_paths() {
    let uses = |text: &str, parts: &[&str]| foreign_uses(&tree(text, &[]), "low", parts).len();
    assert_eq!(uses("use std::{sync::Arc, time as t};", &["std::time", "std::thread"]), 1);
    assert_eq!(uses("fn f() { std::thread::spawn(f); }", &["std::thread"]), 1);
    assert_eq!(uses("use std::thread as workers; fn f() { workers::spawn(f); }", &["thread::spawn"]), 1);
    assert_eq!(uses("use std::*;", &["std::time"]), 1);
    assert_eq!(uses("#[tokio::main] async fn f() {}", &["tokio"]), 1);
    assert_eq!(uses("extern crate tokio as runtime; use runtime::spawn;", &["tokio"]), 2);
    assert_eq!(uses("fn f() { info!(\"{}\", [rand::random::<u8>()]); }", &["rand::random"]), 1);
    assert_eq!(uses("use std::sync::Arc; // std::time\nfn time() {}", &["std::time", "tokio"]), 0);
    assert_eq!(uses("#[cfg(test)] use std::time::Instant;", &["std::time"]), 0);
}

#[test]
fn the_program_is_above_the_library() {
    let program = (
        "main.rs",
        "mod cli { pub fn f() {} } use mazed::low; fn main() { mazed::serve(); low::ground(); crate::cli::f(); }",
    );
    let files = [("lib.rs", "pub use low::serve;"), ("low.rs", "pub fn serve() {} pub fn ground() {}"), program];
    // once for the import of the module, and once for each path to what it defines
    assert_eq!(arrows(&files), ["lib -> low", "main -> low", "main -> low", "main -> low", "main -> main::cli"]);
    assert!(arrows_back(&graph(&files), &["low"]).is_empty());
    assert_eq!(arrows_back(&graph(&[("lib.rs", ""), ("low.rs", "use crate::X;"), program]), &["low"]).len(), 1);
}

#[test]
fn the_drawing_goes_from_the_ground_up() {
    let files = [
        ("lib.rs", "pub use high::serve;"),
        ("high.rs", "mod a; mod b; use crate::low::ground; pub fn serve() { b::f(); }"),
        ("high/a.rs", "use crate::low; pub struct A;"),
        ("high/b.rs", "mod c; use crate::high::a::A; pub fn f() {}"),
        ("high/b/c.rs", "mod d;"),
        ("high/b/c/d.rs", "use crate::high::a::A;"),
        ("low.rs", "pub fn ground() {}"),
    ];
    let expected = "low\nhigh -> low\n  a\n  b -> a\n    b.rs\n    c\n  high.rs -> b\nlib.rs -> high\n";
    assert_eq!(draw(&graph(&files)), expected);
}
