//! Client code runs and prints what the page says. A language whose runtime is not installed is skipped, and stderr
//! says so; CI installs them all.

use std::fs;
use std::path::{Path, PathBuf};

use super::{DEFAULT_SERVER, Page, files_in, pages, root};
use crate::api::Server;
use crate::programs;

/// How code of a language is run.
struct Runtime {
    /// Its name in a code block.
    language: &'static str,
    extension: &'static str,
    /// The programs that must be installed.
    programs: &'static [&'static str],
    /// The commands that run a file; the last one takes its argument.
    commands: fn(&Path) -> Vec<Vec<String>>,
}

const RUNTIMES: [Runtime; 3] = [
    Runtime {
        language: "js",
        extension: "mjs",
        programs: &["node"],
        commands: |file| vec![words(&["node", &file.to_string_lossy()])],
    },
    Runtime {
        language: "python",
        extension: "py",
        programs: &["python3"],
        commands: |file| vec![words(&["python3", &file.to_string_lossy()])],
    },
    Runtime {
        language: "csharp",
        extension: "cs",
        programs: &["mcs", "mono"],
        commands: |file| {
            let [source, program] =
                [file.to_owned(), file.with_extension("exe")].map(|file| file.display().to_string());
            let out = format!("-out:{program}");
            let compile = ["mcs", "-r:System.Net.Http", "-r:System.Runtime.Serialization", &out, &source];
            vec![words(&compile), words(&["mono", &program])]
        },
    },
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

impl Runtime {
    /// Whether all programs are installed. If not, says so on stderr.
    fn is_installed(&self) -> bool {
        programs::are_installed(self.programs, &format!("{} clients", self.language))
    }

    /// What a file of code prints.
    fn output(&self, file: &Path, argument: Option<&str>) -> String {
        let mut commands = (self.commands)(file);
        commands.last_mut().unwrap().extend(argument.map(str::to_owned));
        // a compiler prints nothing
        commands.iter().map(|command| programs::output(command, file.parent().unwrap())).collect()
    }
}

/// A file for code from a page, in a folder of its own.
fn write(name: &str, code: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, code).unwrap();
    file
}

/// Runs a file while the server of this test goes on serving.
async fn output(runtime: &'static Runtime, file: PathBuf, argument: Option<String>) -> String {
    let outcome = tokio::task::spawn_blocking(move || runtime.output(&file, argument.as_deref())).await;
    outcome.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// The target of the URL that code of a page requests.
fn target(code: &str) -> &str {
    let start = format!("http://{DEFAULT_SERVER}");
    let (_, rest) = code.split_once(&start).unwrap_or_else(|| panic!("no URL of the default server in\n{code}"));
    rest.split('"').next().unwrap()
}

#[tokio::test]
async fn code_in_the_pages_prints_the_rows_and_the_moves_of_its_level() {
    let server = Server::start().await;
    for runtime in &RUNTIMES {
        let mut blocks = 0;
        for page in pages() {
            for block in page.blocks().into_iter().filter(|block| block.language == runtime.language) {
                blocks += 1;
                assert!(block.lines.len() <= 10, "{}: {} code is longer than ten lines", page.name, block.language);
                if !runtime.is_installed() {
                    continue;
                }
                let code = block.lines.join("\n");
                let level = server.client.level(target(&code)).await;
                let rows = level["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap());
                let lines: Vec<_> = rows.chain(level["solution"]["moves"].as_str()).collect();
                let code = code.replace(DEFAULT_SERVER, server.client.address());
                let file = write(&format!("{}-{}.{}", "block", block.first, runtime.extension), &code);
                assert_eq!(output(runtime, file, None).await.lines().collect::<Vec<_>>(), lines, "{}", page.name);
            }
        }
        assert!(blocks > 0, "no page shows how to use the service from {}", runtime.language);
    }
}

#[tokio::test]
async fn every_client_prints_what_the_page_beside_it_shows() {
    let server = Server::start().await;
    let page = Page::read("examples/README.md");
    let blocks = page.blocks();
    let shown = blocks.iter().find(|block| block.language == "text").expect("the output");
    let base = format!("http://{}", server.client.address());
    let clients: Vec<_> = files_in("examples").into_iter().filter(|name| *name != page.name).collect();
    assert_eq!(clients.len(), RUNTIMES.len(), "{clients:?}");
    let mut printed = None;
    for runtime in &RUNTIMES {
        let is_own = |name: &&String| Path::new(name).extension().is_some_and(|e| e == runtime.extension);
        let client = clients.iter().find(is_own).unwrap_or_else(|| panic!("no client in {}", runtime.language));
        if !runtime.is_installed() {
            continue;
        }
        // a copy, so that what a compiler writes lies in the target folder
        let file = write(client.rsplit('/').next().unwrap(), &fs::read_to_string(root().join(client)).unwrap());
        let output = output(runtime, file, Some(base.clone())).await;
        if let Some((first, expected)) = &printed {
            assert_eq!(output, *expected, "{client} and {first} differ");
        }
        printed = Some((client, output));
    }
    let Some((_, output)) = printed else { return };
    let mut lines: Vec<_> = page.text.lines().map(str::to_owned).collect();
    lines.splice(shown.first..shown.first + shown.lines.len(), output.lines().map(str::to_owned));
    page.assert_is(&lines);
}
