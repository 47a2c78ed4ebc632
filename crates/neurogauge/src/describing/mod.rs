//! What a model says of one image by itself (a caption, objects): prepared on some threads, seen by the model, never seen
//! twice.
//!
//! - [`Sight`]: a kind of thing that is said, and how a model comes to say it.
//! - [`Describer`]: goes through the images of one source; one that cannot be read or described is named, and the others
//!   go on.
//! - [`Store`]: where what was said is kept, by content.

mod describer;
mod layout;
mod sight;
mod store;
mod undescribed;

pub(crate) use describer::Describer;
pub use layout::PerceivedLayout;
pub(crate) use sight::{Sight, note_device};
pub(crate) use store::{Store, journal_path, store_folder};
pub use undescribed::Undescribed;
