//! Finds a row of a table by its name, and the name that a client probably meant.

/// The longest text that is compared with names. Every known name is shorter.
const MAX_COMPARED: usize = 40;

/// A text or name of fewer characters does not count as the beginning of the other.
const MIN_PREFIX: usize = 3;

/// The row of a table that has `text` as its name or as one of its aliases. A hyphen equals an underscore.
///
/// # Errors
/// Lists the names, without the aliases, and says which name is the nearest.
pub fn find_by_name<'t, T>(
    text: &str,
    table: &'t [T],
    name: impl Fn(&T) -> &'static str,
    aliases: impl Fn(&T) -> &'static [&'static str],
) -> Result<&'t T, String> {
    let same = |name: &str| name.bytes().eq(text.bytes().map(|b| if b == b'-' { b'_' } else { b }));
    table.iter().find(|row| same(name(row)) || aliases(row).iter().any(|alias| same(alias))).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(&name).collect();
        let aliases = table.iter().flat_map(|row| aliases(row).iter().copied());
        not_one_of(text, &names, aliases)
    })
}

/// The error for a text that is none of these names. Aliases are not listed, but may be what the client meant.
pub fn not_one_of<'n>(text: &str, names: &[&'n str], aliases: impl IntoIterator<Item = &'n str>) -> String {
    let meant = did_you_mean(text, names.iter().copied().chain(aliases));
    format!("must be one of {}{meant}", names.join(", "))
}

/// The end of an error message: the name that the client probably meant, or nothing if no name is near.
pub fn did_you_mean<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(text, names).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

/// The name that a client probably meant by a text: one that differs from it only in case or hyphens or in a few
/// characters, or one of the two is the beginning of the other. Of several such names the one with the fewest
/// differences is taken, and of equals the first.
///
/// ```
/// use mazed::level::parameters::nearest;
///
/// let names = ["kruskal", "prim", "growing_tree"];
/// assert_eq!(nearest("Kruskal", names), Some("kruskal"));
/// assert_eq!(nearest("krusk", names), Some("kruskal"));
/// assert_eq!(nearest("growin-tre", names), Some("growing_tree"));
/// assert_eq!(nearest("labyrinth", names), None);
/// ```
pub fn nearest<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if text.chars().nth(MAX_COMPARED).is_some() {
        return None;
    }
    let text = plain(text);
    let differences = |name: &str| {
        let name = plain(name);
        let is_prefix =
            text.len().min(name.len()) >= MIN_PREFIX && (name.starts_with(&text) || text.starts_with(&name));
        let differences = distance(&text, &name);
        // a third of the characters may differ; a shared beginning counts as one difference
        if is_prefix { Some(differences.min(1)) } else { Some(differences).filter(|many| *many <= name.len() / 3) }
    };
    let near = names.into_iter().filter_map(|name| Some((differences(name)?, name)));
    near.min_by_key(|(differences, _)| *differences).map(|(_, name)| name)
}

/// The characters of a name without what clients often write otherwise.
fn plain(text: &str) -> Vec<char> {
    text.trim().chars().flat_map(char::to_lowercase).map(|c| if c == '-' || c == ' ' { '_' } else { c }).collect()
}

/// The number of characters to insert, remove, replace or swap with their neighbour to make one text of the other
/// (optimal string alignment: no character is changed twice).
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before_last = vec![];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = last[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(before_last[j - 2] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[(&str, &[&str])] = &[("one_two", &[]), ("three", &["drei", "t_r"])];

    fn find(text: &str) -> Result<&'static str, String> {
        find_by_name(text, TABLE, |row| row.0, |row| row.1).map(|row| row.0)
    }

    #[test]
    fn a_row_has_a_name_and_aliases_and_a_hyphen_equals_an_underscore() {
        for (text, name) in [("one_two", "one_two"), ("one-two", "one_two"), ("drei", "three"), ("t-r", "three")] {
            assert_eq!(find(text), Ok(name), "{text}");
        }
        for (bad, meant) in [
            ("", None),
            ("x", None),
            ("four", None),
            ("One_two", Some("one_two")),
            ("one two", Some("one_two")),
            ("dre", Some("drei")),
            ("dreii", Some("drei")),
        ] {
            let meant = meant.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
            assert_eq!(find(bad), Err(format!("must be one of one_two, three{meant}")), "{bad}");
        }
    }

    #[test]
    fn the_nearest_name_is_the_one_with_the_fewest_differences() {
        let names = ["size", "seed", "start", "algo", "min_length", "max_length", "min_effort"];
        for (text, name) in [
            ("sized", Some("size")),
            ("sede", Some("seed")),
            ("SIZE", Some("size")),
            ("algorithm", Some("algo")),
            ("alg", Some("algo")),
            ("al", None),
            ("min-lenght", Some("min_length")),
            ("minlength", Some("min_length")),
            ("maxlength", Some("max_length")),
            ("staart", Some("start")),
            ("width", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, names), name, "{text}");
        }
        assert_eq!(nearest(&"size".repeat(100_000), names), None);
    }

    #[test]
    fn the_distance_counts_insertions_removals_replacements_and_swaps() {
        for (one, other, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "xbc", 1), ("abcd", "bcda", 2)]
        {
            assert_eq!(distance(&plain(one), &plain(other)), expected, "{one} {other}");
            assert_eq!(distance(&plain(other), &plain(one)), expected, "{other} {one}");
        }
    }
}
