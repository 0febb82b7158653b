//! Finds a row of a table by its name.

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

#[cfg(test)]
mod tests {
    use super::*;

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
