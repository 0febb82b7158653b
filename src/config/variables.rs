//! Environment variables that look like settings and are none.

use crate::level::parameters::nearest;

/// What the names of all settings begin with.
const PREFIX: &str = "MAZED_";

/// A warning for each variable whose name begins like that of a setting and is not among the `known` ones.
pub(super) fn unknown<'a>(
    variables: impl Iterator<Item = (&'a str, &'a str)>,
    known: &[String],
) -> impl Iterator<Item = String> {
    let unknown = variables.filter(move |(name, value)| {
        name.starts_with(PREFIX) && !known.iter().any(|known| known == name) && !is_service_link(name, value)
    });
    unknown.map(move |(name, _)| match nearest(name, known.iter().map(String::as_str)) {
        Some(nearest) => format!("{name} is no setting; did you mean {nearest}?"),
        None => format!("{name} is no setting"),
    })
}

/// Whether Kubernetes set this variable: for a service called `mazed` each container in the namespace gets variables
/// such as `MAZED_SERVICE_HOST` and `MAZED_PORT_8080_TCP_ADDR`.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_of_port = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
    name.ends_with("_SERVICE_HOST")
        || name.ends_with("_SERVICE_PORT")
        || name.contains("_SERVICE_PORT_")
        || name.ends_with("_PORT") && value.contains("://")
        || name.split_once("_PORT_").is_some_and(|(_, rest)| is_of_port(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_no_setting_is_named_with_the_nearest_one() {
        let known = ["MAZED_MAX_SIDE", "MAZED_WORKERS"].map(str::to_owned);
        let variables = [
            ("MAZED_MAX_SIZE", "7"),
            ("MAZED_WORKERS", "7"),
            ("MAZED_PLAYGROUND_COLOUR", ""),
            ("MAZED_PORT", "8080"),
            ("HOME", "/"),
            ("MAZED_SERVICE_HOST", "10.0.0.1"),
            ("MAZED_SERVICE_PORT", "80"),
            ("MAZED_SERVICE_PORT_HTTP", "80"),
            ("MAZED_PORT", "tcp://10.0.0.1:80"),
            ("MAZED_PORT_80_TCP_ADDR", "10.0.0.1"),
            ("MAZED_REDIS_PORT_6379_TCP", "tcp://10.0.0.2:6379"),
        ];
        let warnings: Vec<_> = unknown(variables.into_iter(), &known).collect();
        assert_eq!(
            warnings,
            [
                "MAZED_MAX_SIZE is no setting; did you mean MAZED_MAX_SIDE?",
                "MAZED_PLAYGROUND_COLOUR is no setting",
                "MAZED_PORT is no setting",
            ]
        );
    }
}
