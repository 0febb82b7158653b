//! The names of the fields that only a JSON body can hold.

/// The name of the field that holds a mask: a list of texts.
pub const MASK: &str = "mask";

/// The name of the field that holds a recipe as one text.
pub const RECIPE: &str = "recipe";

/// The name of the field that names the algorithm, as answers call it.
pub const ALGORITHM: &str = "algorithm";

/// The name of the field that holds options as an object, as answers do.
pub const OPTIONS_OBJECT: &str = "options";

/// The fields that only a JSON body can hold.
pub const BODY_FIELDS: [&str; 4] = [MASK, RECIPE, ALGORITHM, OPTIONS_OBJECT];

/// The error for a field of [`BODY_FIELDS`] in a query string.
pub(super) fn body_only(name: &str) -> Option<&'static str> {
    match name {
        MASK => Some("goes into the JSON body of a POST, as an array of strings"),
        RECIPE => Some("goes into the JSON body of a POST; a URL has the parameters of the recipe in place of it"),
        ALGORITHM => Some("is unknown here; did you mean algo?"),
        OPTIONS_OBJECT => Some("goes into the JSON body of a POST; a URL has each option as a parameter of its own"),
        _ => None,
    }
}
