//! Questions about pictures: the traits of models that answer in words, and by yes or no.

use crate::ModelError;
use neurogauge_core::{Image, ModelIdentity};
use serde::{Deserialize, Serialize};

/// A model that answers questions about pictures.
pub trait Vlm: Send + Sync {
    /// Identifies the model and its weights.
    fn identity(&self) -> &ModelIdentity;

    /// The answer to a question about a picture (values nominally within \[0, 1\], of any proportions), written with
    /// all threads.
    ///
    /// # Errors A picture whose shape the model does not take ([`ModelError::Item`]); more tokens than it has positions
    /// for ([`ModelError::Usage`]); outputs from which no token can be chosen
    /// ([`KernelError::Logits`](crate::KernelError::Logits)).
    fn answer(
        &self,
        picture: &Image<f32>,
        question: &str,
        options: &AnswerOptions,
    ) -> Result<WrittenAnswer, ModelError>;
}

/// A model that gives the probability of yes as the answer to a question about a picture.
pub trait YesNoVlm: Send + Sync {
    /// Identifies the model and its weights.
    fn identity(&self) -> &ModelIdentity;

    /// The probabilities of answers that begin with yes or no, in any spelling; at least one spelling of yes is
    /// included. They are computed with all threads, for a picture as in [`Vlm::answer`] (convention `vqa-score`).
    ///
    /// # Errors
    /// As in [`Vlm::answer`].
    fn beginnings(&self, picture: &Image<f32>, question: &str) -> Result<Vec<Beginning>, ModelError>;
}

/// A token that an answer may begin with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beginning {
    pub token: String,
    /// Natural logarithm of its probability.
    pub logprob: f64,
}

impl Beginning {
    /// Tokens that such an answer needs: one word, and a blank before it.
    pub(crate) const TOKENS: u32 = 4;

    /// Does a token spell this word?
    pub(crate) fn spells(token: &str, word: &str) -> bool {
        token.trim().eq_ignore_ascii_case(word)
    }
}

/// How an answer is written: greedily (convention `picture-questions`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnswerOptions {
    /// Maximum number of tokens, including the end token.
    pub max_new_tokens: usize,
    /// Divides positive logits of tokens that are in the prompt or were written, and multiplies negative ones; 1
    /// changes nothing.
    pub repetition_penalty: f32,
}

impl AnswerOptions {
    /// The penalty that Qwen2.5-VL is published with.
    pub const REPETITION_PENALTY: f32 = 1.05;
}

impl Default for AnswerOptions {
    fn default() -> Self {
        AnswerOptions {
            max_new_tokens: 512,
            repetition_penalty: Self::REPETITION_PENALTY,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenAnswer {
    pub text: String,
    /// Did the answer use all its tokens without reaching an end?
    pub is_cut_off: bool,
}
