//! Links and paths lead somewhere.

use std::path::Path;

use super::{Page, pages, root};

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &Page) -> Vec<String> {
    let anchor = |heading: &str| {
        let letters = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        letters.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let headings = page.prose().into_iter().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_to_a_file_or_a_heading_leads_somewhere() {
    let pages = pages();
    let mut followed = 0;
    for page in &pages {
        let folder = page.path().parent().unwrap().to_owned();
        let prose = page.prose().join("\n");
        for target in prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.starts_with("https://") {
                continue;
            }
            followed += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.path() } else { folder.join(file) };
            let path = path.canonicalize().unwrap_or_else(|error| panic!("{}: {target}: {error}", page.name));
            if !anchor.is_empty() {
                let page_there = pages.iter().find(|page| page.path().canonicalize().unwrap() == path);
                let there = anchors(page_there.unwrap_or_else(|| panic!("{}: {target} is no page", page.name)));
                assert!(there.iter().any(|known| known == anchor), "{}: {target} is none of {there:?}", page.name);
            }
        }
    }
    assert!(followed >= 30, "only {followed} links");
}

#[test]
fn every_file_that_a_page_names_exists() {
    const FOLDERS: [&str; 6] = ["src/", "tests/", "benches/", "docs/", "examples/", ".ci/"];
    let mut named = 0;
    for page in pages() {
        for span in page.spans().into_iter().filter(|span| FOLDERS.iter().any(|folder| span.starts_with(folder))) {
            named += 1;
            let path = root().join(span);
            assert!(path.exists(), "{} names {span}", page.name);
            // a folder is written with a slash at its end, so that a reader knows to look inside
            assert_eq!(span.ends_with('/'), path.is_dir(), "{} names {span}", page.name);
        }
    }
    assert!(named >= 20, "only {named} paths");
}

#[test]
fn the_tables_of_modules_name_every_folder_of_the_source() {
    let page = Page::read("docs/development.md");
    let spans = page.spans();
    for folder in ["src", "src/level"] {
        for entry in root().join(folder).read_dir().unwrap() {
            let path = entry.unwrap().path();
            // a folder that has only tests is no module of its own
            let has_code = |folder: &Path| {
                let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
                names.into_iter().any(|name| name != "tests" && name != "tests.rs")
            };
            if path.is_dir() && has_code(&path) {
                let name = format!("{}/", path.strip_prefix(root()).unwrap().display());
                assert!(spans.contains(&name.as_str()), "{name} is missing in {}", page.name);
            }
        }
    }
}
