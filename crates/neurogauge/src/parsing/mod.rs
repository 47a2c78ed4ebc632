//! Captions to scene graphs: split into sentences, parsed, and never parsed twice.
//!
//! - [`parse_captions`]: a file of captions in, `scene_graphs.json` out.
//! - `run`: both sides of a run.
//! - `captions`: the captions of one source; one that cannot be parsed is named, and the others go on.
//! - `recipe`: all that decides a caption's graph, but the caption.
//!
//! Graphs are kept in a journal by content (`journal.rs`), in the folder of the command or, for runs, in the cache of all
//! runs. What is kept is what the parser said: base forms are found when graphs are written or compared.

mod captions;
mod command;
mod recipe;
mod run;

pub(crate) use captions::CaptionParser;
pub use command::{ParseRequest, PerceivedGraphs, parse_captions};
pub use recipe::{DEFAULT_PARSER, GraphRecipe};
pub(crate) use run::{choose, parse_inputs};
