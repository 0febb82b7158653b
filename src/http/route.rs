//! What a route is.

use axum::routing::MethodRouter;

use crate::http::app::App;
use crate::level::parameters::ParameterSpec;

/// Who asks for a route, and so which listeners answer it if there is one for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Clients. The operators' listener does not answer it.
    Clients,
    /// Orchestrators and load balancers. Both listeners answer it.
    Probes,
    /// Operators. Only their listener answers it.
    Operators,
}

/// One row of the table of routes: a path, the methods that it answers, and the handlers. Metrics and logs name a
/// request by the path of its row.
pub struct Route {
    /// The path, as a pattern of axum's.
    pub path: &'static str,
    /// The methods; others get 405.
    pub methods: &'static [&'static str],
    /// The parameters of the route beside those of a recipe; `None` if the route reads no recipe.
    pub parameters: Option<fn() -> Vec<ParameterSpec>>,
    /// Whether a request must name a seed.
    pub needs_seed: bool,
    /// Who asks for it.
    pub audience: Audience,
    pub(super) handlers: fn(&'static Self) -> MethodRouter<App>,
}
