//! Runs observers over many items: decoded and prepared on worker threads, observed in batches by one model in memory, each
//! result kept, on a thread of its own, under a hash of the item, the model and its options, so that no item is observed twice.
//!
//! - [`Session`]: an observer at work, whose model is read when the first item needs it and dropped with the session.
//! - [`Items`]: what is observed: the images of a source (and what is asked for in each), or texts. [`Sink`]: where the results go.
//! - [`OnFailure`]: whether a failed item stops the run or is named and passed over ([`FailedItem`]).
//! - [`Shard`]: a contiguous part of the items, for work that several processes share.

mod batches;
mod failed_item;
mod items;
mod keeping;
mod session;
mod shard;

pub use failed_item::{FailedItem, OnFailure};
pub(crate) use items::{AskedImages, Images, Items, Keyed, Sink, Texts, image_error};
pub(crate) use session::{Executor, Model, Observed, Seen, Session, observe_batch};
pub use shard::Shard;
