//! Runs observers over many items: decoded and prepared on worker threads, observed in batches by one model in memory, each
//! result kept, on a thread of its own, under a hash of the item, the model and its options, so that no item is observed twice.
//!
//! - [`Session`]: an observer at work, whose model is read when the first item needs it and dropped with the session.
//! - [`Items`]: what is observed: the images of a source (and what is asked for in each), or texts. [`Sink`]: where the results go.
//! - [`Observer`]: what a model reads, makes and is keyed by. [`FailedItem`]: one that could not be observed.
//! - [`PartDone`]: what a process did that had a part of the items.

mod background_writer;
mod batches;
mod failed_item;
mod items;
mod observer;
mod perceived;
mod places;
mod run_steps;
mod session;
mod step;

pub use failed_item::{FailedItem, PartDone};
pub(crate) use items::{Images, Items, Keyed, PromptedImages, Sink, Texts, image_error};
pub use observer::{About, Done, Observer};
pub use perceived::{AnsweredBy, Perceived, StepOutcome};
pub use places::PerceivedLayout;
pub(crate) use places::Places;
pub(crate) use run_steps::{is_read, outputs_of, run_steps};
pub(crate) use session::{Executor, Model, Observed, Seen, Session, observe_batch};
pub use step::StepOutput;
pub(crate) use step::{Step, StepContext, StepInputs, StepObserver, has_kind, prefix, recipe_json};
