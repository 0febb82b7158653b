//! The state that handlers share.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::config::{LogRequests, Settings, bodies_for_small};
use crate::http::document::Document;
use crate::http::server::Readiness;
use crate::level::recipe;
use crate::service::Service;
use crate::telemetry::Metrics;

/// The state that handlers share. A clone is the same state.
#[derive(Clone)]
pub(super) struct App(Arc<Shared>);

/// The service, limits and budgets.
pub(super) struct Shared {
    pub(super) service: Service,
    pub(super) metrics: Arc<Metrics>,
    pub(super) readiness: Readiness,
    pub(super) recipe_limits: recipe::Limits,
    pub(super) max_answer_bytes: u64,
    pub(super) max_url_bytes: usize,
    pub(super) max_body_bytes: u64,
    /// The budget of request bodies: one permit for each byte. A byte of a body takes several permits.
    pub(super) bodies: Arc<Semaphore>,
    /// How much of this budget only small bodies may take.
    pub(super) bodies_for_small: usize,
    max_bodies: usize,
    /// One permit for each pick that may run at once.
    pub(super) picks: Semaphore,
    max_picks: usize,
    pub(super) request_timeout: Duration,
    pub(super) log_requests: LogRequests,
    /// The response of `/algorithms`.
    pub(super) catalogue: Document,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub(super) fn new(
        settings: &Settings,
        service: Service,
        metrics: Arc<Metrics>,
        readiness: Readiness,
        recipe_limits: recipe::Limits,
        catalogue: Document,
    ) -> Self {
        let (max_bodies, max_picks) = (settings.bodies_bytes.min(Semaphore::MAX_PERMITS), settings.workers);
        Self(Arc::new(Shared {
            service,
            metrics,
            readiness,
            recipe_limits,
            max_answer_bytes: settings.max_answer_bytes as u64,
            max_url_bytes: settings.max_url_bytes,
            max_body_bytes: settings.max_body_bytes as u64,
            bodies: Arc::new(Semaphore::new(max_bodies)),
            max_bodies,
            bodies_for_small: bodies_for_small(settings.bodies_bytes),
            picks: Semaphore::new(max_picks),
            max_picks,
            request_timeout: settings.request_timeout,
            log_requests: settings.log_requests,
            catalogue,
        }))
    }

    /// All metrics as text, with the gauges brought up to date.
    pub(super) fn measure(&self) -> String {
        let Shared { service, metrics, bodies, max_bodies, picks, max_picks, .. } = &**self;
        service.measure();
        let used =
            |semaphore: &Semaphore, permits: usize| (permits - semaphore.available_permits()).cast_signed() as i64;
        metrics.bodies_bytes.set(used(bodies, *max_bodies));
        metrics.picks.set(used(picks, *max_picks));
        metrics.encode()
    }
}
