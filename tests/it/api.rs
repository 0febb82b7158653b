//! A server in this process, and a client that checks each response against `openapi.yaml`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mazed::config::Settings;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use crate::schema::REFERENCE;

/// A server with a cache and metrics of its own. It ends with the runtime of its test, or by [`Server::stop`].
pub(crate) struct Server {
    pub(crate) client: Client,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Server {
    /// With the settings of a fresh installation.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// With these flags of the command line.
    pub(crate) async fn start_with(flags: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let settings: Settings = clap::Parser::try_parse_from([&["mazed"], flags].concat()).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async {
            stopped.await.ok();
        };
        let running = tokio::spawn(mazed::serve(listener, settings, shutdown));
        Self { client: Client::new(format!("http://{address}")), stop, running }
    }

    /// Stops the server and waits for its end.
    pub(crate) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.running.await.unwrap();
    }
}

/// Sends requests to one server.
#[derive(Clone)]
pub(crate) struct Client {
    base: Arc<str>,
    http: reqwest::Client,
}

/// A response of the server.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The request, for messages.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Client {
    pub(crate) fn new(base: String) -> Self {
        // if the service hangs, its test fails instead of waiting for ever
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_mins(1)).build().unwrap();
        Self { base: base.into(), http }
    }

    /// Where the server listens.
    pub(crate) fn address(&self) -> &str {
        self.base.strip_prefix("http://").unwrap()
    }

    /// `target` is a path with its query, percent-encoded where the test wants it so.
    pub(crate) async fn get(&self, target: &str) -> Answer {
        self.send(Method::GET, target, &[]).await
    }

    pub(crate) async fn send(&self, method: Method, target: &str, headers: &[(&str, &str)]) -> Answer {
        self.send_body(method, target, headers, None).await
    }

    /// Posts a JSON body. If the response is 200, also checks the body against the reference.
    pub(crate) async fn post(&self, target: &str, json: impl Into<String>) -> Answer {
        let json = json.into();
        let headers = [("content-type", "application/json")];
        let answer = self.send_body(Method::POST, target, &headers, Some(json.clone().into())).await;
        if answer.status == 200 {
            REFERENCE.check_body(target, &serde_json::from_str(&json).unwrap());
        }
        answer
    }

    pub(crate) async fn send_body(
        &self,
        method: Method,
        target: &str,
        headers: &[(&str, &str)],
        body: Option<reqwest::Body>,
    ) -> Answer {
        let mut request = self.http.request(method.clone(), format!("{}{target}", self.base));
        if let Some(body) = body {
            request = request.body(body);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap_or_else(|error| panic!("{method} {target}: {error:?}"));
        let answer = Answer {
            request: format!("{method} {target:.200}"),
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap_or_else(|error| panic!("{method} {target}: {error:?}")),
        };
        REFERENCE.check(method.as_str(), target, &answer);
        answer
    }

    /// Sends all requests at once. The responses come in any order.
    pub(crate) async fn get_at_once(&self, targets: impl IntoIterator<Item = String>) -> Vec<Answer> {
        let mut requests = JoinSet::new();
        for target in targets {
            let client = self.clone();
            requests.spawn(async move { client.get(&target).await });
        }
        requests.join_all().await
    }

    /// The JSON of a response that must be 200.
    pub(crate) async fn level(&self, target: &str) -> Value {
        let answer = self.get(target).await;
        assert_eq!(answer.status, 200, "{target}: {}", answer.text());
        answer.json()
    }

    /// The value of a counter or gauge, summed over its labels.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").await.text();
        let samples: Vec<u64> = samples(&text)
            .filter(|(series, _)| series.split('{').next() == Some(name))
            .map(|(_, value)| value.parse().unwrap())
            .collect();
        assert!(!samples.is_empty(), "/metrics has no {name}:\n{text}");
        samples.iter().sum()
    }

    /// How many levels were made so far.
    pub(crate) async fn generations(&self) -> u64 {
        let text = self.get("/metrics").await.text();
        let made = samples(&text).find(|(series, _)| *series == "mazed_generations_total{outcome=\"made\"}");
        made.expect("a series").1.parse().unwrap()
    }

    /// Checks that the service still answers a probe and makes a level.
    pub(crate) async fn assert_healthy(&self) {
        assert_eq!(self.get("/healthz").await.text(), "ok");
        self.level("/maze?size=5&seed=7").await;
    }
}

/// The samples of a Prometheus text: series and value of each.
pub(crate) fn samples(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.rsplit_once(' '))
}

impl Answer {
    /// A header's value; a missing one is empty.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{}: {error}: {}", self.request, self.text()))
    }

    /// The parameters that a problem names, sorted.
    pub(crate) fn faulty(&self) -> Vec<String> {
        let json = self.json();
        let errors = json["errors"].as_array().cloned().unwrap_or_default();
        let mut names: Vec<_> = errors.iter().map(|error| error["parameter"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }

    /// What a problem says about a parameter.
    pub(crate) fn message(&self, parameter: &str) -> String {
        let json = self.json();
        let errors = json["errors"].as_array().cloned().unwrap_or_default();
        let error = errors.iter().find(|error| error["parameter"] == parameter);
        error.unwrap_or_else(|| panic!("{} names no {parameter}: {json}", self.request))["message"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}
