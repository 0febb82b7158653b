//! Finds a row of a table by its name, and the name that a mistyped one most likely stands for.

/// The row of a table that has `text` as its name or as one of its aliases. A hyphen equals an underscore.
///
/// # Errors
/// Lists the names, without the aliases.
pub fn find_by_name<'t, T>(
    text: &str,
    table: &'t [T],
    name: impl Fn(&T) -> &'static str,
    aliases: impl Fn(&T) -> &'static [&'static str],
) -> Result<&'t T, String> {
    let same = |name: &str| name.bytes().eq(text.bytes().map(|b| if b == b'-' { b'_' } else { b }));
    table.iter().find(|row| same(name(row)) || aliases(row).iter().any(|alias| same(alias))).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(&name).collect();
        format!("must be one of {}", names.join(", "))
    })
}

/// The name that `text` most likely stands for: the one that takes the fewest changes of one character. These must be
/// at most a third of its length, or one of the two texts must begin with the other. Upper and lower case do not
/// matter. Of several such names the first.
pub fn nearest<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let near = names.into_iter().filter_map(|name| {
        let changes = changes(text, name)?;
        let is_longer = text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let is_shorter = text.len() > 2 && name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        (is_longer || is_shorter || changes <= name.len() / 3).then_some((changes, name))
    });
    near.min_by_key(|(changes, _)| *changes).map(|(_, name)| name)
}

/// How many characters must be added, removed or replaced to make one text of the other (Levenshtein, 1966). `None` if
/// the lengths alone differ by more than a name has characters: the client chooses the text, and the table grows with
/// both lengths.
fn changes(text: &str, name: &str) -> Option<usize> {
    if text.len() > 4 * name.len() {
        return None;
    }
    let name: Vec<_> = name.chars().map(|c| c.to_ascii_lowercase()).collect();
    // the changes from what was read of the text to each beginning of the name
    let mut row: Vec<_> = (0..=name.len()).collect();
    for (i, c) in text.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in name.iter().enumerate() {
            let replaced = diagonal + usize::from(c != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j].min(diagonal) + 1);
        }
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_takes_the_fewest_changes() {
        let names = ["kruskal", "prim", "prim_simplified", "dfs", "wilson", "algo"];
        for (text, name) in [
            ("algorithm", Some("algo")),
            ("wil", Some("wilson")),
            ("krusk", Some("kruskal")),
            ("Kruskal", Some("kruskal")),
            ("kurskal", Some("kruskal")),
            ("prin", Some("prim")),
            ("prim_simple", Some("prim_simplified")),
            ("wislon", Some("wilson")),
            ("DFS", Some("dfs")),
            ("bfs", Some("dfs")),
            ("maze", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, names), name, "{text}");
        }
        assert_eq!(nearest(&"x".repeat(1_000_000), names), None);
        assert_eq!([changes("", "abc"), changes("sitting", "kitten")], [Some(3), Some(3)]);
    }

    #[test]
    fn a_row_has_a_name_and_aliases_and_a_hyphen_equals_an_underscore() {
        const TABLE: &[(&str, &[&str])] = &[("one_two", &[]), ("three", &["drei", "t_r"])];
        let find = |text: &str| find_by_name(text, TABLE, |row| row.0, |row| row.1).map(|row| row.0);
        for (text, name) in [("one_two", "one_two"), ("one-two", "one_two"), ("drei", "three"), ("t-r", "three")] {
            assert_eq!(find(text), Ok(name), "{text}");
        }
        for bad in ["", "One_two", "one two", "dre", "dreii"] {
            assert_eq!(find(bad), Err("must be one of one_two, three".to_owned()), "{bad}");
        }
    }
}
