//! Images to captions.
//!
//! - [`caption`]: a source of images in, `captions.json` out.
//! - `run`: both sides of a run.
//! - `recipe`: all that decides a caption, but the image.
//!
//! Captions are kept in a journal by content (`journal.rs`), in the folder of the command or, for runs, in the cache of all
//! runs: there the stimuli are described once, however many systems are scored against them.

mod command;
mod recipe;
mod run;

pub use command::{CaptionRequest, PerceivedCaptions, caption};
pub(crate) use recipe::Captioning;
pub use recipe::{CaptionRecipe, CaptionerChoice};
pub(crate) use run::{caption_inputs, choose, read_captions};
