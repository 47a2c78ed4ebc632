//! Which metrics a run computes, and what each is computed from.

mod needs;
mod origin;
mod select;
mod selected;

pub(crate) use needs::files_of;
pub(crate) use origin::recorded;
pub(crate) use select::{select, wanted};
pub(crate) use selected::{Origin, Selected, Selection};
