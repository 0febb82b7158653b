//! The reader of recipes.

use crate::level::algorithms::blueprint::inside;
use crate::level::algorithms::{ALGORITHMS, Algorithm, Blueprint};
use crate::level::error::ParameterError;
use crate::level::grid::{LevelKind, Size};
use crate::level::parameters::options::{Inside, OPTIONS, OptionId, OptionSpec, Options};
use crate::level::parameters::{
    ALGORITHM, MASK, OPTIONS_OBJECT, ParameterKind, ParameterSpec, ParameterType, Parameters, RECIPE,
};
use crate::level::recipe::limits::Limits;
use crate::level::recipe::outline::read_outline;
use crate::level::recipe::recipe::{Endpoint, FARTHEST, Recipe, default_endpoints, streams_of};
use crate::level::recipe::stated::{Claims, Stated};
use crate::level::recipe::tiles::{check_endpoint, read_endpoint};
use crate::level::rng::Seed;

/// The parameters that every recipe has, besides the options of its algorithm and the fields that only a body can hold.
pub const PARAMETERS: [ParameterSpec; 8] = [
    ParameterSpec::new("algo", ParameterKind::Name(algorithms), "the algorithm"),
    ParameterSpec::new("size", ParameterKind::Side, "side of a square level in tiles, walls included")
        .instead_of(&["width", "height"]),
    ParameterSpec::new("width", ParameterKind::Side, "columns of tiles")
        .together_with(&["height"])
        .instead_of(&["size"]),
    ParameterSpec::new("height", ParameterKind::Side, "rows of tiles").together_with(&["width"]).instead_of(&["size"]),
    ParameterSpec::new("seed", ParameterKind::Seed, "an integer from -2^63 to 2^64-1, or any other short text")
        .or_else("a random integer"),
    ParameterSpec::new("start", ParameterKind::Endpoint, "an open tile, or farthest: the one farthest from the exit")
        .or_else("[1,1]; where a mask leaves that tile out, the first open tile in row-major order"),
    ParameterSpec::new("exit", ParameterKind::Endpoint, "an open tile, or farthest: the one farthest from the start")
        .or_else("the opposite corner; where a mask leaves that tile out, the last open tile in row-major order"),
    ParameterSpec::new(
        "openings",
        ParameterKind::Flag,
        "whether a tile of the border is open beside the start, and another one beside the exit",
    ),
];

/// The mask, which stands for the sides.
pub const MASK_PARAMETER: ParameterSpec = ParameterSpec::new(
    MASK,
    ParameterKind::Mask,
    "a string for each row and a character for each tile: a space is outside, any other character is inside",
)
.or_else("everything is inside")
.instead_of(&["size", "width", "height"]);

/// The names of all algorithms.
fn algorithms() -> Vec<&'static str> {
    ALGORITHMS.iter().map(|row| row.name).collect()
}

/// The names of all parameters of a recipe that a query string can hold.
pub fn parameter_names() -> Vec<&'static str> {
    PARAMETERS.iter().map(|row| row.name).chain(OPTIONS.iter().map(|row| row.name)).collect()
}

impl Recipe {
    /// Reads a recipe, and leaves the parameters that are not its own to other readers. `random_seed` makes the seed if
    /// there is none. Returns `None` if there is an error; `params` holds it.
    pub fn read(params: &mut Parameters, limits: Limits, random_seed: impl FnOnce() -> u64) -> Option<Self> {
        let (recipe, claims) = Self::read_with_claims(params, limits, random_seed)?;
        if !claims.is_empty() {
            params.add_error(RECIPE, format!("says {FARTHEST}, so the tile itself cannot stand beside it here"));
        }
        claims.is_empty().then_some(recipe)
    }

    /// Reads a recipe as [`Recipe::read`] does. A body may name the level by the field `recipe`; then any other
    /// parameter of a recipe must say the same. Whether a tile is the farthest one, only the level itself tells: that
    /// is left to the [`Claims`].
    pub fn read_with_claims(
        params: &mut Parameters,
        limits: Limits,
        random_seed: impl FnOnce() -> u64,
    ) -> Option<(Self, Claims)> {
        let stated = Stated::read(params, limits);
        let algorithm = read_algorithm(params, &stated);
        let kind = algorithm.map_or(LevelKind::Rooms, |algorithm| algorithm.kind);
        let outline = read_outline(params, algorithm, limits, &stated);
        let size = outline.as_ref().map(|(size, _)| *size);
        let mask = outline.as_ref().and_then(|(_, mask)| mask.as_deref());
        let seed = if params.has("seed") {
            let seed = params.value("seed", ParameterType::Seed, Seed::parse);
            stated.compare(params, "seed", seed, |recipe| recipe.seed().clone(), Seed::to_string)
        } else {
            stated.or(|recipe| recipe.seed().clone(), || Some(Seed::Integer(random_seed().into())))
        };
        let inside = size.map(|size| inside(size, mask));
        let options = read_options(params, algorithm, inside, &stated);
        let openings = if params.has("openings") {
            let openings = params.value("openings", ParameterType::Flag, read_flag);
            stated.compare(params, "openings", openings, Self::openings, bool::to_string)
        } else {
            stated.or(Self::openings, || Some(false))
        };
        let defaults = size.map(|size| default_endpoints(size, mask).map(Endpoint::At));
        // if the size or the algorithm has an error, start and exit are still checked by the rules that hold for all of
        // them
        let size_or_any = size.unwrap_or(Size { width: u32::MAX, height: u32::MAX });
        let mut claims = Claims::default();
        let mut endpoint = |name, default: Option<Endpoint>, of: fn(&Self) -> Endpoint, claim: &mut Option<_>| {
            if !params.has(name) {
                return stated.or(of, || default);
            }
            let endpoint = params.value(name, ParameterType::Tile, |text| {
                let endpoint = read_endpoint(text, openings == Some(true))?;
                endpoint.tile().map_or(Ok(()), |tile| check_endpoint(tile, size_or_any, kind, mask))?;
                Ok(endpoint)
            });
            if let (Some(Endpoint::At(tile)), Some(Endpoint::Farthest)) = (endpoint, stated.recipe().map(of)) {
                *claim = Some(tile);
                return Some(Endpoint::Farthest);
            }
            stated.compare(params, name, endpoint, of, Endpoint::to_string)
        };
        let start = endpoint("start", defaults.map(|[start, _]| start), Self::start, &mut claims.start);
        let exit = endpoint("exit", defaults.map(|[_, exit]| exit), Self::exit, &mut claims.exit);
        let (algorithm, (size, mask), seed) = (algorithm?, outline?, seed?);
        let streams = streams_of(&seed, algorithm, size);
        let (options, start, exit, openings) = (options?, start?, exit?, openings?);
        let blueprint = Blueprint { size, mask, options, streams, exit: exit.tile() };
        Some((Self { algorithm, seed, start, exit, openings, blueprint }, claims))
    }

    /// Reads a recipe from pairs of names and values; a seed must be among them.
    ///
    /// # Errors
    /// All errors at once.
    pub fn from_pairs(pairs: &[(&str, &str)], limits: Limits) -> Result<Self, Vec<ParameterError>> {
        Self::read_whole(Parameters::bare(pairs), limits)
    }

    /// Reads a recipe from parameters that hold nothing else. A seed must be among them, and no field `recipe`.
    pub(super) fn read_whole(mut params: Parameters, limits: Limits) -> Result<Self, Vec<ParameterError>> {
        if !params.has("seed") {
            params.add_error("seed", "is missing");
        }
        let recipe = Self::read(&mut params, limits, || 0);
        params.finish(recipe, parameter_names)
    }
}

/// Whether the parameters name a seed.
pub fn names_seed(params: &Parameters) -> bool {
    params.has("seed") || params.has(RECIPE)
}

/// Reads the algorithm: from `algo`, from `algorithm`, as answers call it, or from both if they agree.
fn read_algorithm(params: &mut Parameters, stated: &Stated) -> Option<&'static Algorithm> {
    let given = ["algo", ALGORITHM].map(|name| params.has(name).then(|| read_algorithm_at(params, name, stated)));
    match given {
        [None, None] => stated.or(Recipe::algorithm, || Some(&ALGORITHMS[0])),
        [Some(only), None] | [None, Some(only)] => only,
        [Some(short), Some(long)] => {
            let (short, long) = (short?, long?);
            if short.name != long.name {
                let message = format!("is {}, but algo is {}; give one of the two", long.name, short.name);
                return params.accept(ALGORITHM, Err(message));
            }
            Some(short)
        }
    }
}

fn read_algorithm_at(params: &mut Parameters, name: &str, stated: &Stated) -> Option<&'static Algorithm> {
    let name_of = |recipe: &Recipe| recipe.algorithm().name;
    let algorithm = params.value(name, ParameterType::Name, Algorithm::named);
    stated.compare(params, name, algorithm.map(|algorithm| algorithm.name), name_of, |name| (*name).to_owned())?;
    algorithm
}

/// Reads a value for each option that the algorithm takes: from the parameter of its name, from the field `options`, or
/// from both if they agree. If the algorithm or the size has an error, each value is still checked by itself.
fn read_options(
    params: &mut Parameters,
    algorithm: Option<&Algorithm>,
    inside: Option<Inside>,
    stated: &Stated,
) -> Option<Options> {
    let mut object = params.fields(OPTIONS_OBJECT);
    let is_masked = inside.is_some_and(|inside| inside.sides.is_none());
    let is_taken = |row: &OptionSpec| algorithm.is_none_or(|algorithm| algorithm.options.contains(&row.option));
    let mut options = Options::default();
    let (mut complete, mut left_out) = (true, Vec::new());
    for row in &OPTIONS {
        if !is_taken(row) {
            refuse_option(params, row, algorithm);
            refuse_option(&mut object, row, algorithm);
            continue;
        }
        let given = [&mut *params, &mut object].map(|source| {
            let has = source.has(row.name);
            has.then(|| read_option(source, row, is_masked, stated))
        });
        let value = match given {
            [Some(Some(value)), Some(Some(other))] if value != other => {
                let [value, other] = [value, other].map(|value| row.kind.format(value));
                object.accept(row.name, Err(format!("is {other}, but {} is {value}; give one of the two", row.name)))
            }
            [Some(value), _] | [None, Some(value)] => value,
            [None, None] if stated.is_absent() => {
                left_out.push(row);
                continue;
            }
            [None, None] => stated.recipe().map(|recipe| recipe.options().get(row.option)),
        };
        match value {
            Some(value) => options.set(row.option, value),
            None => complete = false,
        }
    }
    params.finish_fields(OPTIONS_OBJECT, object, || {
        OPTIONS.iter().filter(|row| is_taken(row)).map(|row| row.name).collect()
    });
    let inside = inside.filter(|_| complete)?;
    // only now, because a default may depend on any option that is given
    for row in left_out {
        options.set(row.option, row.default.of(&inside, &options));
    }
    Some(options)
}

/// Reads the value of an option that is given.
fn read_option(params: &mut Parameters, row: &OptionSpec, is_masked: bool, stated: &Stated) -> Option<u64> {
    let read = |text: &str| match row.kind.parse(text)? {
        2.. if is_masked && row.option == OptionId::MinSide => {
            Err("does not work with a mask: rooms have any shape there; leave it out".to_owned())
        }
        value => Ok(value),
    };
    let value = params.value(row.name, ParameterType::Number, read);
    let of = |recipe: &Recipe| recipe.options().get(row.option);
    stated.compare(params, row.name, value, of, |value| row.kind.format(*value))
}

/// Adds an error if an option is given that the algorithm does not take.
fn refuse_option(params: &mut Parameters, row: &OptionSpec, algorithm: Option<&Algorithm>) {
    if params.take(row.name) {
        let owners = ALGORITHMS.iter().filter(|other| other.options.contains(&row.option));
        let owners: Vec<_> = owners.map(|other| other.name).collect();
        let name = algorithm.map_or("", |algorithm| algorithm.name);
        params.add_error(row.name, format!("is no option of {name}; it belongs to {}", owners.join(", ")));
    }
}

fn read_flag(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".to_owned())
}
