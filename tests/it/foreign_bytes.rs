//! Random requests to one server: none breaks it, none gets a 500, and each gets a response that `openapi.yaml`
//! declares for its route.

use std::io::{Read, Write};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::{BoxedStrategy, ValueTree};
use proptest::test_runner::TestRunner;
use reqwest::Method;
use tokio::task::spawn_blocking;

use crate::api::Server;
use crate::harness::connect;

/// Routes that read a recipe, and a few that do not.
const ROUTES: &str = "/maze|/maze/path|/maze/distances|/maze/stats|/maze/spawns|/maze/verify|/maze/pick|/algorithms\
    |/openapi\\.yaml|/healthz|/metrics|/maze/|/labyrinth";

/// Query strings of known names, with values that are often valid.
const QUERY: &str = "((size|width|height|algo|seed|start|exit|openings|braid|loops|solver|grid|path|format|rooms\
    |from|to|count|kind|difficulty|recipe|options|algorithm|tries|min_length|mask|[a-z]{1,5})\
    =(3|5|7|9|21|0|-1|1,1|3,3|dfs|bsp|eller|bfs|none|rows|moves|json|true|farthest|dead_end\
    |0\\.5|%37|[a-z0-9+,.-]{0,6})&){0,6}";

/// Bodies: objects of known fields, and other text.
const BODY: &str = "\\{(\"(recipe|options|algorithm|size|algo|seed|start|exit|openings|braid|solver|grid|path|moves\
    |mask|count|from)\":\
    (5|9|9\\.0|50e-1|-0\\.0|1e-999999999|-1|0\\.5|1e3|true|null|\"bsp\"\
    |\"size=5&seed=7\"|\"algo=bsp&size=9&seed=7&exit=farthest\"|\\{\"(braid|loops)\":0\\.5\\}\
    |\"bfs\"|\"rows\"|\"UDRL\"|\\[1,1\\]|\\[1\\.0,10e-1\\]\
    |\\[\\[1,1\\],\\[1,2\\]\\]|\\[\"#####\",\"# # #\",\"#####\"\\]|\\{\\}),){0,4}\
    \"seed\":7\\}|[\\[\\]{}\",:0-9a-z ]{0,30}";

const ACCEPT: &str = "|\\*/\\*|application/json|image/png|application/\\*;q=0\\.5|[ -~]{0,20}";
const TAGS: &str = "|\\*|\"[0-9a-f]{16}-1\\.1\\.1\"|[ -~]{0,30}";

struct Random(TestRunner);

impl Random {
    fn one<T: std::fmt::Debug>(&mut self, strategy: &BoxedStrategy<T>) -> T {
        strategy.new_tree(&mut self.0).unwrap().current()
    }
}

fn text(pattern: &str) -> BoxedStrategy<String> {
    proptest::string::string_regex(pattern).unwrap().boxed()
}

#[tokio::test]
async fn no_request_gets_a_500_or_what_the_reference_does_not_declare() {
    let server = Server::start().await;
    let mut random = Random(TestRunner::default());
    let [routes, queries, bodies, accept, tags] = [ROUTES, QUERY, BODY, ACCEPT, TAGS].map(text);
    let mut seen = std::collections::BTreeMap::<u16, u32>::new();
    for number in 0..600 {
        let (route, query) = (random.one(&routes), random.one(&queries));
        let (accept, tags) = (random.one(&accept), random.one(&tags));
        let mut headers = vec![("accept", accept.as_str()), ("if-none-match", tags.as_str())];
        // this client checks each response against the reference
        let answer = if number % 3 == 0 {
            headers.push(("content-type", "application/json"));
            let body = random.one(&bodies);
            server.client.send_body(Method::POST, &route, &headers, Some(body.into())).await
        } else {
            let query = query.trim_end_matches('&').replace("mask=", "mask=%23");
            server.client.send(Method::GET, &format!("{route}?{query}"), &headers).await
        };
        assert!(answer.status < 500, "{} {headers:?}: {}", answer.request, answer.text());
        *seen.entry(answer.status).or_default() += 1;
    }
    for status in [200, 400, 404, 405, 406] {
        assert!(seen.contains_key(&status), "{seen:?}");
    }
    server.client.assert_healthy().await;
}

#[tokio::test]
async fn bytes_that_are_no_request_get_an_error_or_nothing() {
    let server = Server::start().await;
    let addr = server.client.address().parse().unwrap();
    let answers = spawn_blocking(move || {
        let mut random = Random(TestRunner::default());
        let bytes = vec(any::<u8>(), 1..200).boxed();
        let heads = text("(GET|POST|BREW|[ -~]{0,5}) [ -~]{0,40} HTTP/1\\.[0-9]\r\n([ -~]{0,30}\r\n){0,4}\r\n");
        let mut answers = vec![];
        for number in 0..200 {
            let sent = if number % 2 == 0 { random.one(&bytes) } else { random.one(&heads).into_bytes() };
            let mut stream = connect(addr);
            // a server that has sent its error already may have closed the connection
            let _closed = stream.write_all(&sent).and_then(|()| stream.shutdown(std::net::Shutdown::Write));
            let mut answer = vec![];
            let _reset = stream.read_to_end(&mut answer);
            answers.push((sent, answer));
        }
        answers
    });
    for (sent, answer) in answers.await.unwrap() {
        let (sent, answer) = (String::from_utf8_lossy(&sent), String::from_utf8_lossy(&answer));
        let expected = ["HTTP/1.1 4", "HTTP/1.0 4", "HTTP/1.1 505", "HTTP/1.1 200", "HTTP/1.0 200"];
        assert!(answer.is_empty() || expected.iter().any(|start| answer.starts_with(start)), "{sent:?}: {answer}");
    }
    server.client.assert_healthy().await;
}
