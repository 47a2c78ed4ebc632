//! An observer from outside this toolkit, passed to a command through its settings.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// An observer that [`observers::custom`](crate::observers::custom) made from a user's type. The settings treat it as
/// opaque; the plan of a command extracts the step.
#[derive(Clone)]
pub struct CustomObserver(pub(crate) Arc<dyn Any + Send + Sync>);

impl fmt::Debug for CustomObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomObserver")
    }
}

impl PartialEq for CustomObserver {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
