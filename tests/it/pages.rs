//! Checks README, changelog, `docs/` and `examples/`: commands run and give the responses below them, client code
//! works, tables are those of the code, and links lead somewhere.
//!
//! With `MAZED_BLESS=1` the responses, pictures and outputs are rewritten to what the service gives now.

mod clients;
mod commands;
mod links;
mod responses;
mod tables;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The server of every example, as a reader would start it.
const DEFAULT_SERVER: &str = "localhost:8080";

/// The languages of code blocks. Some test checks each language, so no block goes unchecked.
const LANGUAGES: [&str; 6] = ["sh", "json", "text", "js", "python", "csharp"];

/// One Markdown file.
struct Page {
    /// Its path below the root of the repository.
    name: String,
    text: String,
}

/// A fenced code block.
struct Block<'a> {
    language: &'a str,
    /// The index of its first line, the one after the opening fence.
    first: usize,
    lines: Vec<&'a str>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the files in a folder, sorted.
fn files_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<_> = names.map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    files
}

fn pages() -> Vec<Page> {
    let docs = files_in("docs").into_iter().filter(|name| Path::new(name).extension().is_some_and(|e| e == "md"));
    let others = ["README.md", "CHANGELOG.md", "examples/README.md"].map(str::to_owned);
    others.into_iter().chain(docs).map(|name| Page::read(&name)).collect()
}

fn is_blessing() -> bool {
    env::var_os("MAZED_BLESS").is_some_and(|value| value == "1")
}

impl Page {
    fn read(name: &str) -> Self {
        Self { name: name.to_owned(), text: fs::read_to_string(root().join(name)).unwrap() }
    }

    fn path(&self) -> PathBuf {
        root().join(&self.name)
    }

    fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((opening, line)) = lines.next() {
            let Some(language) = line.strip_prefix("```") else { continue };
            assert!(LANGUAGES.contains(&language), "{}: {language:?} is not one of {LANGUAGES:?}", self.name);
            let content = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            blocks.push(Block { language, first: opening + 1, lines: content });
        }
        blocks
    }

    /// The text outside code blocks, line by line.
    fn prose(&self) -> Vec<&str> {
        let mut lines: Vec<_> = self.text.lines().collect();
        for block in self.blocks() {
            lines[block.first - 1..=block.first + block.lines.len()].fill("");
        }
        lines
    }

    /// Code spans in the prose.
    fn spans(&self) -> Vec<&str> {
        self.prose().into_iter().flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
    }

    /// Rows of tables, as cells. The empty cells before the first bar and after the last are left out.
    fn rows(&self) -> Vec<Vec<&str>> {
        let rows = self.prose().into_iter().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
        rows.map(|row| row.split('|').map(str::trim).collect()).collect()
    }

    /// The row whose first cell begins with `name` as code; there is exactly one.
    fn row(&self, name: &str) -> Vec<&str> {
        let cell = format!("`{name}`");
        let mut rows: Vec<_> = self.rows().into_iter().filter(|row| row[0].starts_with(&cell)).collect();
        assert_eq!(rows.len(), 1, "{}: rows of {cell}", self.name);
        rows.remove(0)
    }

    /// Checks that the page equals `lines`, or with `MAZED_BLESS=1` rewrites it.
    fn assert_is(&self, lines: &[String]) {
        let text = lines.join("\n") + "\n";
        if is_blessing() {
            // an unchanged page is not written: another test may be rewriting another block of it
            if text != self.text {
                fs::write(self.path(), text).unwrap();
            }
            return;
        }
        for (shown, expected) in self.text.lines().zip(lines) {
            assert_eq!(shown, expected, "{}: run this test with MAZED_BLESS=1 if the second is right", self.name);
        }
        assert_eq!(self.text.lines().count(), lines.len(), "{}", self.name);
    }
}
