//! Every reason why a request can fail, and the `application/problem+json` (RFC 9457) that the client gets.

use std::borrow::Cow;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::level::error::{Error, ParameterError};
use crate::service::{self, Busy};
use crate::telemetry::Overload;

/// Why a request failed, with what the client needs to correct it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    BadParameters(Vec<ParameterError>),
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    UrlTooLong {
        bytes: usize,
        max_bytes: usize,
    },
    PreconditionFailed,
    BodyTooLarge {
        max_bytes: u64,
    },
    BodyTooSlow,
    UnsupportedMediaType,
    UnsupportedTransferCoding,
    Unbuildable(Vec<ParameterError>),
    AnswerTooLarge(ParameterError),
    Overloaded(Busy),
    Draining,
    Deadline,
    /// With the cause, which only the log keeps.
    Internal(Cow<'static, str>),
}

/// The most seconds that a client is told to wait before a retry.
const MAX_RETRY_AFTER: u64 = 60;

/// The media type of problems.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

impl Problem {
    /// Status, type and title.
    const fn kind(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::BadParameters(_) => (StatusCode::BAD_REQUEST, "urn:mazed:bad-parameters", "Invalid parameters"),
            Self::NotFound => (StatusCode::NOT_FOUND, "urn:mazed:not-found", "No such route"),
            Self::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "urn:mazed:method-not-allowed", "Method not allowed")
            }
            Self::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, "urn:mazed:not-acceptable", "Not acceptable"),
            Self::UrlTooLong { .. } => (StatusCode::URI_TOO_LONG, "urn:mazed:url-too-long", "URL too long"),
            Self::BodyTooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "urn:mazed:body-too-large", "Body too large"),
            Self::PreconditionFailed => {
                (StatusCode::PRECONDITION_FAILED, "urn:mazed:precondition-failed", "Precondition failed")
            }
            Self::BodyTooSlow => (StatusCode::REQUEST_TIMEOUT, "urn:mazed:body-too-slow", "Body too slow"),
            Self::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "urn:mazed:unsupported-media-type", "Unsupported media type")
            }
            Self::UnsupportedTransferCoding => {
                let kind = "urn:mazed:unsupported-transfer-coding";
                (StatusCode::NOT_IMPLEMENTED, kind, "Unsupported transfer coding")
            }
            Self::Unbuildable(_) => (StatusCode::UNPROCESSABLE_ENTITY, "urn:mazed:unbuildable", "Cannot be built"),
            Self::AnswerTooLarge(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "urn:mazed:answer-too-large", "Answer too large")
            }
            Self::Overloaded(_) => (StatusCode::SERVICE_UNAVAILABLE, "urn:mazed:overloaded", "Overloaded"),
            Self::Draining => (StatusCode::SERVICE_UNAVAILABLE, "urn:mazed:draining", "Shutting down"),
            Self::Deadline => (StatusCode::GATEWAY_TIMEOUT, "urn:mazed:deadline", "Deadline exceeded"),
            Self::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "urn:mazed:internal", "Internal error"),
        }
    }

    /// What is wrong, as the client reads it.
    fn detail(&self) -> String {
        match self {
            Self::BadParameters(errors) | Self::Unbuildable(errors) => {
                let errors: Vec<_> =
                    errors.iter().map(|error| format!("{} {}", error.parameter, error.message)).collect();
                errors.join("; ")
            }
            Self::NotFound => "there is nothing at this path; /openapi.yaml describes what there is".into(),
            Self::MethodNotAllowed => "this route answers the methods in the Allow header".into(),
            Self::NotAcceptable => "the answer is application/json, which the Accept header excludes".into(),
            Self::UrlTooLong { bytes, max_bytes } => format!("the URL has {bytes} bytes; shorten it to {max_bytes}"),
            Self::BodyTooLarge { max_bytes } => {
                format!("the request's body has more than {max_bytes} bytes; send a smaller one")
            }
            Self::PreconditionFailed => {
                "If-Match names none of the entity tags of this response; leave the header out to get it".into()
            }
            Self::BodyTooSlow => "the request's body did not arrive in time; send it faster, or a smaller one".into(),
            Self::UnsupportedMediaType => {
                "the request's body must be JSON, with content-type: application/json and no content-encoding".into()
            }
            Self::UnsupportedTransferCoding => {
                "the only transfer coding that this server decodes is chunked; send the request's body without another"
                    .into()
            }
            Self::AnswerTooLarge(error) => error.message.clone(),
            Self::Overloaded(busy) => overload(busy.limit).into(),
            Self::Draining => "this server is shutting down; try again, and another one will answer".into(),
            Self::Deadline => {
                "the level was not ready in time; ask for a smaller one, or by another algorithm, or try again".into()
            }
            Self::Internal(_) => "something broke on our side; the cause is in the server's log".into(),
        }
    }

    /// The name of the problem in the log: its type without the prefix that all have.
    pub(crate) fn name(&self) -> &'static str {
        let (_, kind, _) = self.kind();
        kind.trim_start_matches("urn:mazed:")
    }

    /// The cause of an internal error.
    pub(crate) const fn cause(&self) -> Option<&Cow<'static, str>> {
        match self {
            Self::Internal(cause) => Some(cause),
            _ => None,
        }
    }

    /// How many seconds the client should wait before a retry, if the service is busy or shutting down: at least one,
    /// and after an overload as long as the jobs take that wait already.
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Overloaded(busy) => {
                let millis = u64::try_from(busy.retry_after.as_millis()).unwrap_or(u64::MAX);
                Some(millis.div_ceil(1000).clamp(1, MAX_RETRY_AFTER))
            }
            Self::Draining => Some(1),
            _ => None,
        }
    }

    /// The parameters that are wrong.
    fn errors(&self) -> &[ParameterError] {
        match self {
            Self::BadParameters(errors) | Self::Unbuildable(errors) => errors,
            Self::AnswerTooLarge(error) => std::slice::from_ref(error),
            _ => &[],
        }
    }
}

impl From<service::Error> for Problem {
    fn from(error: service::Error) -> Self {
        match error {
            service::Error::Level(Error::Misplaced(errors)) => Self::BadParameters(errors),
            service::Error::Level(Error::Unbuildable(errors)) => Self::Unbuildable(errors),
            service::Error::Level(Error::TooLarge(error)) => Self::AnswerTooLarge(error),
            service::Error::Busy(busy) => Self::Overloaded(busy),
            service::Error::Deadline | service::Error::Level(Error::Cancelled) => Self::Deadline,
            service::Error::Broken => Self::Internal("a job broke; another line has the cause".into()),
        }
    }
}

/// Which limit the request met, and what the client can do.
const fn overload(limit: Overload) -> &'static str {
    match limit {
        Overload::Queue => {
            "as many requests of this price wait for a free worker as may (MAZED_QUEUE on the server); try again after \
             Retry-After"
        }
        Overload::Wait => {
            "the requests of this price that wait already would take longer than this one may (MAZED_REQUEST_TIMEOUT \
             on the server); try again after Retry-After, or ask for a smaller level"
        }
        Overload::Unread => {
            "responses that clients have not read yet take all the memory for them (MAZED_UNREAD_BYTES on the server); \
             try again after Retry-After, or ask for a smaller response, such as grid=bits or path=moves"
        }
        Overload::Bodies => {
            "bodies of requests under way take all the memory for them (MAZED_BODIES_BYTES on the server); try again \
             after Retry-After, or send a smaller body"
        }
        Overload::Connections => {
            "as many connections are busy as may be open (MAZED_CONNECTIONS on the server); try again after Retry-After"
        }
        Overload::Picks => {
            "this pick had to wait too long for others: as many run at once as there are workers (MAZED_WORKERS on the \
             server); try again after Retry-After"
        }
    }
}

#[derive(Serialize)]
struct Body<'a> {
    r#type: &'a str,
    title: &'a str,
    status: u16,
    detail: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [ParameterError],
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, r#type, title) = self.kind();
        let body = Body { r#type, title, status: status.as_u16(), detail: self.detail(), errors: self.errors() };
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let headers = [(header::CONTENT_TYPE, MEDIA_TYPE), (header::CACHE_CONTROL, "no-store")];
        let mut response = (status, headers, body).into_response();
        if let Some(seconds) = self.retry_after() {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Every problem, with its status.
    fn all() -> [(Problem, u16); 16] {
        [
            (Problem::BadParameters(vec![]), 400),
            (Problem::NotFound, 404),
            (Problem::MethodNotAllowed, 405),
            (Problem::NotAcceptable, 406),
            (Problem::BodyTooSlow, 408),
            (Problem::PreconditionFailed, 412),
            (Problem::BodyTooLarge { max_bytes: 0 }, 413),
            (Problem::UrlTooLong { bytes: 1, max_bytes: 0 }, 414),
            (Problem::UnsupportedMediaType, 415),
            (Problem::Unbuildable(vec![]), 422),
            (Problem::AnswerTooLarge(ParameterError::new("grid", "")), 422),
            (Problem::Internal("".into()), 500),
            (Problem::UnsupportedTransferCoding, 501),
            (Problem::Overloaded(Busy::soon(Overload::Queue)), 503),
            (Problem::Draining, 503),
            (Problem::Deadline, 504),
        ]
    }

    fn reference() -> Value {
        serde_saphyr::from_str(include_str!("../../openapi.yaml")).unwrap()
    }

    /// Every problem type that the description of a response names, with the statuses under which operations refer to
    /// that response.
    fn described() -> Vec<(String, u16)> {
        let reference = reference();
        let mut found = vec![];
        let operations = reference["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap());
        for (status, response) in operations.flat_map(|(_, operation)| operation["responses"].as_object().unwrap()) {
            let pointer = response["$ref"].as_str().unwrap().trim_start_matches('#');
            let description = reference.pointer(pointer).unwrap()["description"].as_str().unwrap();
            let types = description.split('`').filter(|span| span.starts_with("urn:mazed:"));
            found.extend(types.map(|name| (name.to_owned(), status.parse().unwrap())));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn the_reference_lists_every_type_and_no_other() {
        let reference = reference();
        let listed = reference["components"]["schemas"]["ProblemType"]["enum"].as_array().unwrap();
        let mut listed: Vec<_> = listed.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        let mut types: Vec<_> = all().iter().map(|(problem, _)| problem.kind().1.to_owned()).collect();
        listed.sort_unstable();
        types.sort_unstable();
        assert_eq!(listed, types);
    }

    #[test]
    fn every_type_has_its_status_here_and_in_the_reference() {
        let mut in_code = vec![];
        for (problem, status) in all() {
            let name = problem.kind().1;
            let response = problem.into_response();
            assert_eq!(response.status().as_u16(), status, "{name}");
            assert_eq!(response.headers().contains_key(header::RETRY_AFTER), status == 503, "{name}");
            in_code.push((name.to_owned(), status));
        }
        in_code.sort_unstable();
        assert_eq!(described(), in_code);
    }

    #[test]
    fn an_overload_names_its_limit() {
        let settings = [
            "MAZED_QUEUE",
            "MAZED_REQUEST_TIMEOUT",
            "MAZED_UNREAD",
            "MAZED_BODIES",
            "MAZED_WORKERS",
            "MAZED_CONNECTIONS",
        ];
        for (limit, setting) in Overload::ALL.into_iter().zip(settings) {
            let detail = Problem::Overloaded(Busy::soon(limit)).detail();
            assert!(detail.contains(setting) && detail.contains("try again"), "{detail}");
        }
    }

    #[test]
    fn each_error_of_the_service_becomes_its_problem() {
        let errors = vec![ParameterError::new("size", "is too large")];
        for (error, problem) in [
            (service::Error::Level(Error::Misplaced(errors.clone())), Problem::BadParameters(errors.clone())),
            (service::Error::Level(Error::Unbuildable(errors.clone())), Problem::Unbuildable(errors.clone())),
            (service::Error::Level(Error::TooLarge(errors[0].clone())), Problem::AnswerTooLarge(errors[0].clone())),
            (service::Error::Busy(Busy::soon(Overload::Unread)), Problem::Overloaded(Busy::soon(Overload::Unread))),
            (service::Error::Deadline, Problem::Deadline),
            (service::Error::Broken, Problem::Internal("a job broke; another line has the cause".into())),
        ] {
            assert_eq!(Problem::from(error), problem);
        }
        assert_eq!(Problem::BadParameters(errors.clone()).errors(), errors);
        assert_eq!(Problem::Unbuildable(errors.clone()).errors(), errors);
        assert_eq!(Problem::AnswerTooLarge(errors[0].clone()).errors(), errors);
        assert_eq!(Problem::BadParameters(errors).detail(), "size is too large");
    }

    #[test]
    fn only_an_internal_error_has_a_cause_for_the_log() {
        for (problem, status) in all() {
            assert_eq!(problem.cause().is_some(), status == 500, "{problem:?}");
        }
        assert_eq!(Problem::Internal("a broken table".into()).cause().map(|cause| &**cause), Some("a broken table"));
    }
}
