//! Bad requests: the response lists all their errors and comes soon, and the service goes on as before.

use std::time::{Duration, Instant};

use mazed::level::algorithms::ALGORITHMS;
use mazed::level::solvers::SOLVERS;
use reqwest::Method;

use crate::api::{Answer, Client, Server};
use crate::levels::open_tiles;

/// How long an error response may take if it needs no level.
const SOON: Duration = Duration::from_millis(100);

/// Gets an error response, which must come soon. On a busy machine a single one may be late, so there are three tries.
async fn error_response(client: &Client, target: &str) -> Answer {
    for _ in 0..3 {
        let begun = Instant::now();
        let answer = client.get(target).await;
        if begun.elapsed() < SOON {
            assert_eq!(answer.header("content-type"), "application/problem+json", "{target}");
            return answer;
        }
    }
    panic!("{target:.200}: three answers took longer than {SOON:?}");
}

/// Queries, and the parameters that the error response names, sorted.
const MALFORMED: &[(&str, &[&str])] = &[
    // sizes
    ("size=0", &["size"]),
    ("size=1", &["size"]),
    ("size=2", &["size"]),
    ("size=4", &["size"]),
    ("size=-1", &["size"]),
    ("size=41.5", &["size"]),
    ("size=1e3", &["size"]),
    ("size=%2B41", &["size"]),
    ("size=+41", &["size"]),
    ("size=abc", &["size"]),
    ("size=", &["size"]),
    ("size", &["size"]),
    ("size=0x29", &["size"]),
    ("size=%D9%A4%D9%A1", &["size"]),
    ("size=99999999999999999999", &["size"]),
    ("size=4002", &["size"]),
    ("size=4003", &["size"]),
    ("size=4294967299", &["size"]),
    ("size=41&width=41", &["size"]),
    ("size=41&height=41", &["size"]),
    ("size=41&width=41&height=41", &["size"]),
    ("width=41", &["height"]),
    ("height=41", &["width"]),
    ("width=4&height=6", &["height", "width"]),
    ("algo=bsp&size=2", &["size"]),
    ("algo=bsp&size=4002", &["size"]),
    // repeated and unknown
    ("size=41&size=41", &["size"]),
    ("size=41&size=43&size=45", &["size"]),
    ("seed=7&seed=8", &["seed"]),
    ("colour=red", &["colour"]),
    ("colour=red&colour=blue", &["colour", "colour"]),
    ("Size=41", &["Size"]),
    ("size=41&", &[]),
    ("%EB%AF%B8=1", &["미"]),
    // names from a table
    ("algo=labyrinth", &["algo"]),
    ("algo=", &["algo"]),
    ("algo=Kruskal", &["algo"]),
    ("solver=dijkstra", &["solver"]),
    ("solver=", &["solver"]),
    ("grid=picture", &["grid"]),
    ("path=arrows", &["path"]),
    // seeds
    ("seed=", &["seed"]),
    ("seed=18446744073709551616", &["seed"]),
    ("seed=-9223372036854775809", &["seed"]),
    ("seed=99999999999999999999999999999999999999999999999999999999999999999", &["seed"]),
    ("seed=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", &["seed"]),
    ("seed=a%00b", &["seed"]),
    ("seed=a%0Ab", &["seed"]),
    ("seed=%C2%85", &["seed"]),
    // start and exit
    ("start=0,0", &["start"]),
    ("start=2,2", &["start"]),
    ("start=41,1", &["start"]),
    ("start=1,40", &["start"]),
    ("start=4294967297,1", &["start"]),
    ("start=1", &["start"]),
    ("start=", &["start"]),
    ("start=1,", &["start"]),
    ("start=1;1", &["start"]),
    ("start=1,1,1", &["start"]),
    ("start=-1,1", &["start"]),
    ("start=1,%201", &["start"]),
    ("start=x,y", &["start"]),
    ("exit=40,39", &["exit"]),
    ("start=2,2&exit=4,4", &["exit", "start"]),
    // options
    ("algo=kruskal&rooms=3", &["rooms"]),
    ("algo=dfs&jitter=0.2", &["jitter"]),
    ("rooms=3&jitter=0.2&door_size=1&min_room_area=9", &["door_size", "jitter", "min_room_area", "rooms"]),
    ("algo=bsp&rooms=0", &["rooms"]),
    ("algo=bsp&rooms=-1", &["rooms"]),
    ("algo=bsp&rooms=2.0", &["rooms"]),
    ("algo=bsp&rooms=1000000000000000000", &["rooms"]),
    ("algo=bsp&door_size=0", &["door_size"]),
    ("algo=bsp&min_room_area=0", &["min_room_area"]),
    ("algo=bsp&min_side=0", &["min_side"]),
    ("min_side=3", &["min_side"]),
    ("algo=bsp&jitter=1.0", &["jitter"]),
    ("algo=bsp&jitter=0.9001", &["jitter"]),
    ("algo=bsp&jitter=0.90005", &["jitter"]),
    ("algo=bsp&jitter=NaN", &["jitter"]),
    ("algo=bsp&jitter=-0.1", &["jitter"]),
    ("algo=bsp&jitter=.5", &["jitter"]),
    ("algo=bsp&jitter=1e-1", &["jitter"]),
    ("braid=1.1", &["braid"]),
    ("braid=NaN", &["braid"]),
    ("braid=1.00005", &["braid"]),
    ("braid=-0.00006", &["braid"]),
    ("braid=1e-1", &["braid"]),
    ("braid=", &["braid"]),
    ("algo=bsp&braid=0.5", &["braid"]),
    ("mix=0.5", &["mix"]),
    ("algo=growing_tree&mix=1.0001", &["mix"]),
    ("loops=0.5", &["loops"]),
    ("algo=bsp&loops=2", &["loops"]),
    // openings and masks
    ("openings=yes", &["openings"]),
    ("openings=1", &["openings"]),
    ("openings=", &["openings"]),
    ("openings=true&start=farthest", &["start"]),
    ("openings=true&start=farthest&exit=farthest", &["exit", "start"]),
    ("start=Farthest", &["start"]),
    ("mask=%23%23%23", &["mask"]),
    ("mask=", &["mask"]),
    // encoding
    ("seed=%", &["seed"]),
    ("seed=%4", &["seed"]),
    ("seed=%zz", &["seed"]),
    ("seed=%FF", &["seed"]),
    ("seed=%ED%A0%80", &["seed"]),
    ("size=%zz&seed=%FF", &["seed", "size"]),
    // several errors at once
    (
        "size=4&solver=x&grid=x&path=x&seed=&start=1&what=1",
        &["grid", "path", "seed", "size", "solver", "start", "what"],
    ),
    ("algo=x&size=4&jitter=2", &["algo", "jitter"]),
    ("algo=bsp&size=2&rooms=0&door_size=x&exit=1", &["door_size", "exit", "rooms", "size"]),
];

#[tokio::test]
async fn every_malformed_query_gets_exactly_its_errors() {
    let server = Server::start().await;
    for (query, faulty) in MALFORMED {
        let target = format!("/maze?{query}");
        if faulty.is_empty() {
            assert_eq!(server.client.get(&target).await.status, 200, "{query}: an empty pair is no parameter");
            continue;
        }
        let answer = error_response(&server.client, &target).await;
        assert_eq!(
            (answer.status, answer.faulty()),
            (400, faulty.iter().map(ToString::to_string).collect()),
            "{query}"
        );
        assert_eq!(server.client.get("/healthz").await.status, 200, "after {query}");
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn a_malformed_query_makes_no_level() {
    let server = Server::start().await;
    let before = server.client.generations().await;
    for (query, _) in MALFORMED.iter().filter(|(_, faulty)| !faulty.is_empty()) {
        error_response(&server.client, &format!("/maze?{query}")).await;
    }
    assert_eq!(server.client.generations().await, before);
}

#[tokio::test]
async fn a_name_that_cannot_be_decoded_is_refused() {
    let server = Server::start().await;
    for query in ["%zz=1", "%FF=1", "%", "seed=7&%ED%A0%80"] {
        let answer = error_response(&server.client, &format!("/maze?{query}")).await;
        assert_eq!((answer.status, answer.faulty().len()), (400, 1), "{query}");
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn an_unknown_name_gets_an_error_that_lists_the_known_ones() {
    let server = Server::start().await;
    let answer = error_response(&server.client, "/maze?algo=x&solver=x&grid=x&path=x&what=x").await;
    for row in ALGORITHMS {
        assert!(answer.message("algo").contains(row.name), "{}", answer.message("algo"));
    }
    for row in SOLVERS {
        assert!(answer.message("solver").contains(row.name), "{}", answer.message("solver"));
    }
    assert!(answer.message("solver").contains("none"), "{}", answer.message("solver"));
    for form in ["matrix", "rows", "bits", "none"] {
        assert!(answer.message("grid").contains(form), "{}", answer.message("grid"));
    }
    for form in ["points", "moves", "none"] {
        assert!(answer.message("path").contains(form), "{}", answer.message("path"));
    }
    for parameter in ["algo", "size", "seed", "start", "solver", "grid", "path"] {
        assert!(answer.message("what").contains(parameter), "{}", answer.message("what"));
    }
}

#[tokio::test]
async fn an_error_in_a_name_says_which_name_was_probably_meant() {
    let server = Server::start().await;
    for (query, parameter, end) in [
        ("algo=krusk", "algo", "; did you mean kruskal?"),
        ("algo=Kruskal", "algo", "; did you mean kruskal?"),
        ("algo=recursive-backtraker", "algo", "; did you mean recursive_backtracker?"),
        ("algo=labyrinth", "algo", ", bsp"),
        ("solver=a*", "solver", ", none"),
        ("solver=bsf", "solver", "; did you mean bfs?"),
        ("solver=None", "solver", "; did you mean none?"),
        ("grid=row", "grid", "; did you mean rows?"),
        ("path=point", "path", "; did you mean points?"),
        ("algorithm=dfs", "algorithm", "; did you mean algo?"),
        ("Size=41", "Size", "; did you mean size?"),
        ("widht=41", "widht", "; did you mean width?"),
        ("colour=red", "colour", ", format"),
    ] {
        let message = error_response(&server.client, &format!("/maze?{query}")).await.message(parameter);
        assert!(message.ends_with(end), "{query}: {message}");
    }
    let message = error_response(&server.client, "/maze?zzz=1&sead=7").await.message("sead");
    assert_eq!(message, "is unknown here; did you mean seed?", "only the first such error lists the known names");
    let message = error_response(&server.client, "/maze/spawns?kind=deadend").await.message("kind");
    assert!(message.ends_with("; did you mean dead_end?"), "{message}");
}

#[tokio::test]
async fn errors_say_what_is_accepted_in_plain_words() {
    let server = Server::start().await;
    for (query, parameter, message) in [
        ("size=x", "size", "must be an integer from 3 to 4001"),
        ("size=4003", "size", "must be an integer from 3 to 4001"),
        ("algo=bsp&rooms=2.0", "rooms", "must be an integer from 1 to 9007199254740991"),
        ("algo=bsp&jitter=1", "jitter", "must be a plain decimal from 0 to 0.9"),
    ] {
        let answer = error_response(&server.client, &format!("/maze?{query}")).await;
        assert_eq!(answer.message(parameter), message, "{query}");
        assert_eq!(answer.json()["title"], "Invalid parameters");
    }
    let answer = error_response(&server.client, "/maze?algo=bsp&size=3&rooms=2").await;
    assert_eq!(answer.json()["title"], "Cannot be built");
}

#[tokio::test]
async fn fractions_are_rounded_to_four_places_and_the_answer_tells_the_rounded_value() {
    let server = Server::start().await;
    for (sent, answered) in [
        ("0.30000000000000004", "0.3"),
        ("0.12345", "0.1235"),
        ("1.00004", "1"),
        ("0.00001", "0"),
        ("-0.00000000000000001", "0"),
    ] {
        let answer = server.client.get(&format!("/maze?size=21&seed=7&braid={sent}")).await;
        assert_eq!(answer.json()["options"]["braid"].to_string(), answered, "{sent}");
        let same = server.client.get(&format!("/maze?size=21&seed=7&braid={answered}")).await;
        assert_eq!((&same.body, same.header("etag")), (&answer.body, answer.header("etag")), "{sent}");
        let body = format!(r#"{{"size":21,"seed":7,"braid":{sent}}}"#);
        let json = [("content-type", "application/json")];
        let posted = server.client.send_body(Method::POST, "/maze", &json, Some(body.into())).await;
        assert_eq!(posted.body, answer.body, "{sent}");
        let pick = format!("/maze/pick?size=9&seed=7&tries=2&difficulty={sent}");
        assert!(
            server.client.get(&pick).await.header("content-location").contains(&format!("&difficulty={answered}&")),
            "{sent}"
        );
    }
}

#[tokio::test]
async fn an_opening_that_start_and_exit_would_share_is_named_with_the_end_that_takes_it() {
    let server = Server::start().await;
    let answer = error_response(&server.client, "/maze?size=9&seed=7&openings=true&start=1,5&exit=1,5").await;
    assert_eq!((answer.status, answer.faulty()), (422, vec!["exit".to_owned()]));
    let message = answer.message("exit");
    assert!(message.contains("[1,5] is the start too, whose opening takes [0,5]"), "{message}");
    // in a corner there are two tiles of the border, one for each end
    server.client.level("/maze?size=9&seed=7&openings=true&start=1,1&exit=1,1").await;
}

#[tokio::test]
async fn an_even_size_gets_an_error_with_the_two_nearest_odd_ones() {
    let server = Server::start().await;
    let message = error_response(&server.client, "/maze?size=40").await.message("size");
    assert!(message.contains("39") && message.contains("41"), "{message}");
}

#[tokio::test]
async fn the_limit_of_sides_is_a_setting() {
    let server = Server::start_with(&["--max-side", "101"]).await;
    assert_eq!(server.client.get("/maze?size=101").await.status, 200);
    let answer = error_response(&server.client, "/maze?size=103").await;
    assert_eq!((answer.status, answer.faulty()), (400, vec!["size".to_owned()]));
    assert!(answer.message("size").contains("101"), "{}", answer.message("size"));
}

#[tokio::test]
async fn what_no_seed_can_build_is_refused_for_all_seeds_alike() {
    let server = Server::start().await;
    // query, a parameter that the response names, numbers that its message has
    let rows: &[(&str, &str, &[&str])] = &[
        ("size=21&rooms=40&min_room_area=25", "rooms", &["10", "4"]),
        ("size=41&rooms=101", "rooms", &["100"]),
        ("size=41&rooms=9007199254740991", "rooms", &["100"]),
        ("size=41&rooms=1&door_size=40", "door_size", &[]),
        ("size=41&rooms=2&door_size=20", "rooms", &["1"]),
        ("size=41&rooms=1&min_room_area=1522", "min_room_area", &["1521"]),
        ("size=3&rooms=2", "rooms", &["1"]),
        ("size=41&rooms=40&min_side=7", "min_side", &["at most 25", "min_side 7", "min_side up to 4"]),
        ("size=41&rooms=1&min_side=40", "min_side", &["39"]),
        ("size=41&min_room_area=9007199254740991&door_size=9007199254740991", "min_room_area", &[]),
    ];
    for (query, parameter, numbers) in rows {
        let mut texts = Vec::new();
        for seed in ["1", "2", "-1", "level-1"] {
            for jitter in ["0", "0.2", "0.9"] {
                let target = format!("/maze?algo=bsp&{query}&seed={seed}&jitter={jitter}");
                let answer = error_response(&server.client, &target).await;
                assert_eq!(answer.status, 422, "{target}: {}", answer.text());
                assert_eq!(answer.json()["type"], "urn:mazed:unbuildable", "{target}");
                assert!(answer.faulty().iter().any(|name| name == parameter), "{target}: {}", answer.text());
                texts.push(answer.json()["errors"].to_string());
            }
        }
        assert!(numbers.iter().all(|number| texts[0].contains(number)), "{query}: {}", texts[0]);
        assert!(texts.iter().all(|text| *text == texts[0]), "{query}: {texts:#?}");
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn the_largest_number_of_rooms_is_built() {
    let server = Server::start().await;
    for (query, rooms) in [("size=41&rooms=100", 100), ("size=21&rooms=10&min_room_area=25", 10), ("size=3", 1)] {
        let level = server.client.level(&format!("/maze?algo=bsp&{query}&seed=7")).await;
        assert_eq!(level["rooms"].as_array().unwrap().len(), rooms, "{query}");
        assert_eq!(level["doors"].as_array().unwrap().len(), rooms - 1, "{query}");
    }
}

#[tokio::test]
async fn a_start_in_a_wall_of_this_very_level_gets_an_error_with_an_open_tile() {
    let server = Server::start().await;
    for algorithm in ALGORITHMS {
        let recipe = format!("/maze?algo={}&size=21&seed=7", algorithm.name);
        let level = server.client.level(&recipe).await;
        let open = open_tiles(&level).unwrap();
        // a tile between two cells, so that only the level itself tells whether it is a wall
        let tiles = || (1..20).flat_map(|y| (1..20).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 1);
        let (wall_x, wall_y) = tiles().find(|&(x, y)| !open[y][x]).unwrap();
        let (open_x, open_y) = tiles().find(|&(x, y)| open[y][x]).unwrap();

        let answer = server.client.get(&format!("{recipe}&start={wall_x},{wall_y}&exit={wall_x},{wall_y}")).await;
        assert_eq!((answer.status, answer.faulty()), (400, vec!["exit".to_owned(), "start".to_owned()]), "{recipe}");
        assert_eq!(answer.json()["type"], "urn:mazed:bad-parameters");
        let message = answer.message("start");
        let named = message.rsplit_once('[').unwrap().1.trim_end_matches(']').split_once(',').unwrap();
        let (x, y): (usize, usize) = (named.0.parse().unwrap(), named.1.parse().unwrap());
        assert!(open[y][x] && x.abs_diff(wall_x) + y.abs_diff(wall_y) <= 2, "{message}");

        server.client.level(&format!("{recipe}&start={open_x},{open_y}")).await;
    }
}

#[tokio::test]
async fn a_url_above_four_kilobytes_is_too_long() {
    let server = Server::start().await;
    for length in [4_097, 10_000] {
        let answer = error_response(&server.client, &format!("{:a<length$}", "/maze?seed=")).await;
        assert_eq!(answer.status, 414, "{length}");
        server.client.assert_healthy().await;
    }
    let length = 4_096;
    assert_eq!(
        error_response(&server.client, &format!("{:a<length$}", "/maze?seed=")).await.faulty(),
        ["seed"],
        "a URL at the limit is read"
    );
}
