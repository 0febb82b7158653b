//! Tests of canonical URLs and entity tags, with a query whose revisions are unlike those of any algorithm.

use super::*;
use crate::http::fixtures::{TIMEOUT, app};
use crate::level::parameters::ParameterSpec;
use crate::level::queries::Query;

struct Numbered;

impl Query for Numbered {
    const PARAMETERS: &'static [ParameterSpec] = &[];

    fn read(_: &mut Parameters) -> Option<Self> {
        Some(Self)
    }

    fn revision(&self) -> u32 {
        71
    }

    fn work_bytes(&self, _: &Recipe) -> u64 {
        30 << 20
    }

    fn work_nanos(&self, _: &Recipe) -> u64 {
        0
    }
}

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("&numbered")
    }
}

const fn format(name: &'static str, media_type: &'static str, revision: u32) -> Format<Numbered> {
    let write = |_: &Rendering<Numbered>, _: &Level, _: &mut JobContext| Ok(vec![]);
    let work_bytes = |_: &Rendering<Numbered>, recipe: &Recipe| u64::from(recipe.size().width) << 20;
    let answer_bytes = |_: &Rendering<Numbered>, _: &Recipe| 0..0;
    Format {
        name,
        media_type,
        revision,
        compressible: false,
        parameters: &[],
        check: None,
        work_bytes,
        answer_bytes,
        write,
    }
}

impl Render for Numbered {
    const FORMATS: &'static [Format<Self>] = &[format("json", "application/json", 83), format("png", "image/png", 97)];
}

fn parse(pairs: &[(&str, &str)], format: Option<usize>) -> Result<Parsed<LevelQuery<Numbered>>, Problem> {
    let accepted = Accepted { format, coding: Coding::Identity };
    LevelQuery::parse(&app(&[]), "/numbered", Parameters::bare(pairs), accepted)
}

#[test]
fn the_entity_tag_has_the_revisions_of_algorithm_query_and_format() {
    for (format, revision) in [("json", 83), ("png", 97)] {
        let Ok(Parsed { resource, canonical, .. }) = parse(&[("seed", "7"), ("format", format)], Some(0)) else {
            panic!("{format} is refused");
        };
        let algorithm = resource.recipe.algorithm().revision;
        let etag = canonical.unwrap().etag.unwrap().to_str().unwrap().to_owned();
        assert!(etag.ends_with(&format!("-{algorithm}.71.{revision}\"")), "{etag}");
    }
}

#[test]
fn a_format_stands_in_the_canonical_url_unless_it_is_the_default() {
    for (pairs, accepted, url) in [
        (&[("seed", "7")][..], Some(0), "/numbered?algo=kruskal&size=41&seed=7&numbered"),
        (&[("seed", "7")], Some(1), "/numbered?algo=kruskal&size=41&seed=7&numbered&format=png"),
        (&[("seed", "7"), ("format", "json")], Some(1), "/numbered?algo=kruskal&size=41&seed=7&numbered"),
        (&[("format", "png"), ("seed", "7")], None, "/numbered?algo=kruskal&size=41&seed=7&numbered&format=png"),
    ] {
        let Ok(Parsed { canonical, has_random_seed, .. }) = parse(pairs, accepted) else {
            panic!("{pairs:?} is refused");
        };
        assert_eq!((canonical.unwrap().url, has_random_seed), (url.into(), false), "{pairs:?} {accepted:?}");
    }
    let Err(Problem::BadParameters(errors)) = parse(&[("seed", "7"), ("format", "gif")], Some(0)) else {
        panic!("gif is no format");
    };
    assert_eq!(errors.len(), 1);
    assert!(errors[0].message.contains("json") && errors[0].message.contains("png"), "{errors:?}");
}

#[tokio::test]
async fn the_price_has_the_bytes_of_the_level_the_query_and_the_format() {
    // jobs may hold 48 MiB: 30 are for the query, and one for each column for the format
    let app = app(&[]);
    for (size, fits) in [("17", true), ("19", false)] {
        let (params, coding) = (Parameters::bare(&[("seed", "7"), ("size", size)]), Coding::Identity);
        let accepted = Accepted { format: None, coding };
        let Parsed { resource, canonical, .. } =
            LevelQuery::<Numbered>::parse(&app, "/numbered", params, accepted).unwrap();
        let answer = resource.answer(&app, canonical, Instant::now() + TIMEOUT).await;
        let error = answer.map(|_| ()).err();
        assert_eq!(matches!(error, Some(Problem::Unbuildable(_))), !fits, "{error:?}");
    }
}
