//! utflane's SQL functions, by name, in each of the three programs in which a query needs them: the
//! client plans with them, the scheduler plans again, and the executors run them.

use std::sync::Arc;

use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use datafusion::error::Result;
use datafusion::execution::{FunctionRegistry, SessionState};
use datafusion::prelude::SessionConfig;
use utflane_datafusion::register_all;

/// Registers the functions with a client.
///
/// [`SessionContext::remote_with_state`](ballista::prelude::SessionContextExt::remote_with_state)
/// replaces the functions of the state that it gets, so this comes after it.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    register_all(registry)
}

/// A session of the scheduler: Ballista's own, and the functions.
pub fn session_state(config: SessionConfig) -> Result<SessionState> {
    let mut state = default_session_builder(config)?;
    register_all(&mut state)?;
    Ok(state)
}

/// The functions of an executor. Functions without parameters are found by name, so no codec is
/// needed.
pub fn executor_registry() -> Result<Arc<BallistaFunctionRegistry>> {
    // The registry itself takes no more functions; a session does.
    let state = session_state(SessionConfig::new())?;
    Ok(Arc::new(BallistaFunctionRegistry::from(&state)))
}
