//! An observer from outside this toolkit, which settings carry to the plan of a command.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// An observer that [`observers::custom`](crate::observers::custom) made from a user's type. Settings only know its
/// name; the plan of a command extracts the step.
#[derive(Clone)]
pub struct CustomObserver {
    name: String,
    step: Arc<dyn Any + Send + Sync>,
}

impl CustomObserver {
    pub(crate) fn new(name: String, step: Arc<dyn Any + Send + Sync>) -> Self {
        CustomObserver { name, step }
    }

    /// Its content, if it has this type.
    pub(crate) fn carried<T: 'static>(&self) -> Option<&T> {
        self.step.downcast_ref()
    }
}

impl fmt::Debug for CustomObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomObserver").field(&self.name).finish()
    }
}

impl PartialEq for CustomObserver {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.step, &other.step)
    }
}
