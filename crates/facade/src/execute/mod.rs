//! Runs observers over many items: worker threads decode and prepare the items, one model in memory observes them in
//! batches, and a writer thread stores each result under a hash of the item, the model and its options, so that no item
//! is observed twice.
//!
//! - [`Session`]: a running observer. Its model is read when the first item needs it and dropped with the session.
//! - [`Items`]: the images of a source (with the prompt for each), or texts. [`Sink`]: the receiver of the results.
//! - [`Observer`]: a model's inputs, outputs and cache key. [`FailedItem`]: an item that could not be observed.
//! - [`ShardDone`]: the work of a process on a shard of the items.

mod background_writer;
mod batches;
mod clips;
mod executor;
mod failed_item;
mod items;
mod observer;
mod observer_step;
mod places;
mod run_steps;
mod session;
mod step;
mod step_memory;
mod step_result;

pub(crate) use clips::{Clips, is_of_clips};
pub(crate) use executor::Executor;
pub use failed_item::{FailedItem, ShardDone};
pub(crate) use items::{Images, Items, Keyed, PromptedImages, Sink, Texts, image_error};
pub use observer::{About, Done, Observer};
pub(crate) use observer_step::{Found, SourceItems, StepObserver, step};
pub use places::PerceivedLayout;
pub(crate) use places::Places;
pub(crate) use run_steps::{is_read, outputs_of, run_steps};
pub(crate) use session::{Model, Seen, Session, observe_batch};
pub use step::StepOutput;
pub(crate) use step::{Step, StepContext, StepInputs, has_kind, prefix, prefix_of, recipe_json};
pub(crate) use step_memory::{StepMemory, largest_of, n_pixels};
pub use step_result::{AnsweredBy, StepOutcome, StepResult};
