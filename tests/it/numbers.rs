//! Numbers in bodies: they have no type, so an integer may be written as a double. In query strings they are digits.

use reqwest::Method;
use serde_json::json;

use crate::api::Server;

#[tokio::test]
async fn a_number_in_a_body_means_what_it_says_however_it_is_written() {
    let server = Server::start().await;
    for (route, plain, written) in [
        ("/maze", r#"{"size":41,"seed":7}"#, r#"{"size":41.0,"seed":7.0}"#),
        ("/maze", r#"{"size":41,"seed":-7}"#, r#"{"size":4.1e1,"seed":-70e-1}"#),
        ("/maze", r#"{"size":9,"seed":0,"braid":0.5}"#, r#"{"size":0.9E+1,"seed":-0.0,"braid":5e-1}"#),
        ("/maze", r#"{"size":9,"seed":7,"braid":0.5}"#, r#"{"size":9.000,"seed":7,"braid":0.500000}"#),
        ("/maze", r#"{"size":9,"seed":7,"braid":0.3}"#, r#"{"size":9,"seed":7,"braid":0.30000000000000004}"#),
        ("/maze", r#"{"size":9,"seed":7,"braid":1}"#, r#"{"size":9,"seed":7,"braid":1.0}"#),
        ("/maze", r#"{"algo":"bsp","seed":7,"rooms":3}"#, r#"{"algo":"bsp","seed":7,"rooms":3.0}"#),
        ("/maze", r#"{"size":9,"seed":7,"start":[3,1]}"#, r#"{"size":9,"seed":7,"start":[3.0,10e-1]}"#),
        ("/maze/path", r#"{"size":9,"seed":7,"from":[3,1]}"#, r#"{"size":9,"seed":7,"from":[3.0,1.0]}"#),
        ("/maze/spawns", r#"{"size":9,"seed":7,"count":2}"#, r#"{"size":9,"seed":7,"count":2.0}"#),
        (
            "/maze/verify",
            r#"{"size":9,"seed":7,"path":[[1,1],[1,2],[1,3],[-4,0]]}"#,
            r#"{"size":9,"seed":7,"path":[[1.0,1.0],[1,2e0],[1.0,3],[-4.0,-0.0]]}"#,
        ),
    ] {
        let [plain, answer] = [plain, written].map(|body| server.client.post(route, body));
        let (plain, answer) = (plain.await, answer.await);
        assert_eq!((answer.status, answer.text()), (200, plain.text()), "{written}");
        assert_eq!(answer.header("content-location"), plain.header("content-location"), "{written}");
    }
}

#[tokio::test]
async fn a_number_in_a_body_that_is_no_integer_or_out_of_range_is_refused() {
    let server = Server::start().await;
    for (body, faulty) in [
        (r#"{"size":41.5}"#, "size"),
        (r#"{"size":41.00000000000000000000001}"#, "size"),
        (r#"{"size":1e999999999}"#, "size"),
        (r#"{"size":41e-999999999}"#, "size"),
        (r#"{"size":"41"}"#, "size"),
        (r#"{"seed":0.5}"#, "seed"),
        (r#"{"seed":9007199254740993.0}"#, "seed"),
        (r#"{"seed":1e999999999}"#, "seed"),
        (r#"{"braid":1.00005}"#, "braid"),
        (r#"{"braid":-0.0001}"#, "braid"),
        (r#"{"braid":1e999999999}"#, "braid"),
        (r#"{"start":[1.5,1]}"#, "start"),
        (r#"{"start":[-1.0,1]}"#, "start"),
        (r#"{"exit":[1e99,1]}"#, "exit"),
    ] {
        let answer = server.client.post("/maze", body).await;
        assert_eq!((answer.status, answer.faulty()), (400, vec![faulty.to_owned()]), "{body}: {}", answer.text());
    }
    let answer = server.client.post("/maze/verify", r#"{"seed":7,"path":[[1,1],[1.5,2]]}"#).await;
    assert_eq!((answer.status, answer.faulty()), (400, vec!["path".to_owned()]));
    let message = server.client.post("/maze", r#"{"size":41.5}"#).await.message("size");
    assert_eq!(message, "must be an integer from 3 to 4001");
}

#[tokio::test]
async fn a_byte_order_mark_before_a_body_is_skipped() {
    let server = Server::start().await;
    let send = |body: String| {
        server.client.send_body(Method::POST, "/maze", &[("content-type", "application/json")], Some(body.into()))
    };
    let body = json!({"size": 9, "seed": 7}).to_string();
    let (plain, marked) = (send(body.clone()).await, send(format!("\u{feff}{body}")).await);
    assert_eq!((marked.status, marked.body), (200, plain.body));
    let twice = send(format!("\u{feff}\u{feff}{body}")).await;
    assert_eq!((twice.status, twice.faulty()), (400, vec!["body".to_owned()]));
}
