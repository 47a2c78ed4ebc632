//! Vision-language models, most of them behind a server that speaks OpenAI's chat protocol (`POST
//! {base}/v1/chat/completions`): vLLM, llama.cpp, ollama, LM Studio, `transformers serve`, OpenAI.
//!
//! - [`PROMPTS`]: the prompts, as files.
//! - [`VlmOptions`]: the fields of a request that affect the answer. [`VlmServer`]: address, time-outs and retries,
//!   which do not.
//! - [`ServerModel`]: asks about images, several at a time, and gives each [`Answer`] as it arrives.
//! - [`VlmBackend`]: such a model, or one in this process ([`InProcessModel`]).
//! - [`ParsedAnswer`]: what an answer says.

mod answer;
mod backend;
mod client;
mod options;
mod parsed_answer;
mod prompts;
mod server;
mod server_model;
mod yes_no;

pub use crate::observers::local_vlm::Beginning;
pub use answer::Answer;
pub use backend::{InProcessModel, VlmBackend};
pub use options::VlmOptions;
pub use parsed_answer::ParsedAnswer;
pub use prompts::{BuiltInPrompt, CAPTION, PROMPTS, Prompt};
pub use server::{KEY_VARIABLE, VlmServer};
pub use server_model::{ServerModel, VlmInput};
pub use yes_no::YesNo;
