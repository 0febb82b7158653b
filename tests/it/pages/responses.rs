//! Responses below `curl` lines, and pictures of levels.

use std::fmt::Write as _;

use mazed::level::algorithms::ALGORITHMS;

use super::{DEFAULT_SERVER, Page, pages};
use crate::api::Server;

/// The response to a `curl` line, whose URL stands in single quotes, perhaps with `--json` and a body before it.
async fn response(server: &Server, command: &str) -> String {
    let target = |url: &str| url.strip_prefix(DEFAULT_SERVER).expect("the default server").to_owned();
    let quoted: Vec<_> = command.split('\'').collect();
    match quoted[..] {
        ["curl ", url, ""] => server.client.get(&target(url)).await.text(),
        ["curl --json ", body, " ", url, ""] => server.client.post(&target(url), body).await.text(),
        _ => panic!("{command}: the test knows only a URL in quotes, perhaps with --json and a body before it"),
    }
}

/// Levels by these algorithms as pictures, three side by side, two rows of tiles to a line.
async fn pictures(server: &Server, query: &str, algorithms: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for three in algorithms.chunks(3) {
        let mut block = Vec::new();
        for algorithm in three {
            let level = server.client.level(&format!("/maze?algo={algorithm}&{query}&grid=rows&solver=none")).await;
            let rows: Vec<_> = level["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
            let width = rows[0].len();
            let is_wall = |x: usize, y: usize| rows.get(y).is_some_and(|row| row.as_bytes()[x] == b'#');
            let sign = |x, y| match (is_wall(x, y), is_wall(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            };
            // a line of names, those of tiles, and one between this block and the next
            block.resize(2 + rows.len().div_ceil(2), String::new());
            write!(block[0], "{algorithm:0$}", width + 3).unwrap();
            for (line, y) in block[1..].iter_mut().zip((0..rows.len()).step_by(2)) {
                line.extend((0..width).map(|x| sign(x, y)).chain("   ".chars()));
            }
        }
        lines.extend(block.iter().map(|line| line.trim_end().to_owned()));
    }
    lines.pop();
    lines
}

/// The query and the algorithms of a comment such as `<!-- pictures: size=25&seed=7 by dfs, bsp -->`.
fn wanted_pictures(line: &str) -> Option<(&str, Vec<&str>)> {
    let (query, names) = line.strip_prefix("<!-- pictures: ")?.strip_suffix(" -->")?.split_once(" by ")?;
    let all = || ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    Some((query, if names == "every algorithm" { all() } else { names.split(", ").collect() }))
}

/// The page as it should be, and how many responses and pictures it shows.
async fn expected(server: &Server, page: &Page) -> (Vec<String>, [usize; 2]) {
    let mut lines: Vec<_> = page.text.lines().map(str::to_owned).collect();
    let mut shown = [0; 2];
    // from the last block to the first, so that a picture of another height moves no block that is still to come
    let blocks = page.blocks();
    for (number, block) in blocks.iter().enumerate().rev() {
        let end = block.first + block.lines.len();
        if let Some((query, names)) = lines.get(block.first.wrapping_sub(3)).and_then(|line| wanted_pictures(line)) {
            assert_eq!(block.language, "text", "{}: a picture", page.name);
            let pictures = pictures(server, query, &names).await;
            lines.splice(block.first..end, pictures);
            shown[1] += 1;
        }
        let Some(command) = block.lines.iter().find(|line| line.starts_with("curl ")) else { continue };
        assert_eq!((block.language, block.lines.len()), ("sh", 1), "{}: {command} stands alone", page.name);
        let below = blocks.get(number + 1).filter(|below| below.language == "json" && below.first == end + 3);
        let below = below.unwrap_or_else(|| panic!("{}: no response stands below {command}", page.name));
        assert_eq!(below.lines.len(), 1, "{}: the response to {command}", page.name);
        lines[below.first] = response(server, command).await;
        shown[0] += 1;
    }
    (lines, shown)
}

#[tokio::test]
async fn every_response_and_every_picture_is_what_the_service_gives() {
    let server = Server::start().await;
    let mut total = [0; 2];
    for page in pages() {
        let (lines, shown) = expected(&server, &page).await;
        page.assert_is(&lines);
        total = [total[0] + shown[0], total[1] + shown[1]];
    }
    assert!(total[0] >= 10 && total[1] >= 2, "{total:?} responses and pictures");
}
