//! Vision-language models, most of them behind a server that speaks OpenAI's chat protocol (`POST {base}/v1/chat/completions`): vLLM, llama.cpp,
//! ollama, LM Studio, `transformers serve`, OpenAI.
//!
//! - [`PROMPTS`]: what they are asked, as files.
//! - [`ChatOptions`]: the fields of a request that decide the answer. [`ChatServer`]: where it goes and how patiently, which do not.
//! - [`ServedModel`]: asks about images, several at a time, and gives each [`Answer`] as it arrives.
//! - [`AskedModel`]: such a model, or one in this process ([`OwnModel`]).
//! - [`Said`]: what an answer says, once it is read.

mod answer;
mod client;
mod options;
mod own_model;
mod prompts;
mod said;
mod served_model;
mod server;
mod yes_no;

pub use crate::answering::Beginning;
pub use answer::Answer;
pub use options::ChatOptions;
pub use own_model::{AskedModel, OwnModel};
pub use prompts::{BuiltInPrompt, CAPTION, PROMPTS, Prompt};
pub use said::Said;
pub use served_model::{Asked, ServedModel};
pub use server::{ChatServer, KEY_VARIABLE};
pub use yes_no::YesNo;
