//! Registers utflane's SQL functions by name, in each of the three programs in which a query needs
//! them: the client makes a plan with them, the scheduler makes the plan of the execution, and the
//! executors run them.

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
/// replaces the functions of the state that it gets, so call this function after it.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    register_all(registry)
}

/// Returns a session of the scheduler: Ballista's default session with utflane's functions.
pub fn session_state(config: SessionConfig) -> Result<SessionState> {
    let mut state = default_session_builder(config)?;
    register_all(&mut state)?;
    Ok(state)
}

/// Returns the functions of an executor. Functions without settings are found by name, so no codec
/// is needed.
pub fn executor_registry() -> Result<Arc<BallistaFunctionRegistry>> {
    // Functions can't be added to the registry, but to the session from which it is made.
    let state = session_state(SessionConfig::new())?;
    Ok(Arc::new(BallistaFunctionRegistry::from(&state)))
}
