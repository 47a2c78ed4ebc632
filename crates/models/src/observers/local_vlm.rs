//! Questions about pictures: the traits of models that answer them in words and by yes or no.

use crate::ModelError;
use neurogauge_core::{Image, ModelIdentity};
use serde::{Deserialize, Serialize};

/// A model that answers questions about pictures.
pub trait Vlm: Send + Sync {
    /// Which model this is, to the byte.
    fn identity(&self) -> &ModelIdentity;

    /// The answer to a question about a picture (values nominally within \[0, 1\], of any proportions), written with
    /// all threads.
    ///
    /// # Errors
    /// A picture of a form that the model does not take ([`ModelError::Item`]); more tokens than it has positions
    /// for ([`ModelError::Usage`]); outputs that no token can be chosen by
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
    /// Which model this is, to the byte.
    fn identity(&self) -> &ModelIdentity;

    /// The probabilities of answers that begin with yes or no, in any spelling: at least one of yes. Computed with all
    /// threads, for a picture as in [`Vlm::answer`] (convention `vqa-score`).
    ///
    /// # Errors
    /// Those of [`Vlm::answer`].
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
    /// Tokens that an answer needs: one word, and a blank before it.
    pub(crate) const TOKENS: u32 = 4;

    /// Does a token spell this word?
    pub(crate) fn spells(token: &str, word: &str) -> bool {
        token.trim().eq_ignore_ascii_case(word)
    }
}

/// How an answer is written: greedily (convention `picture-questions`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnswerOptions {
    /// The most tokens that are written, the end token included.
    pub max_new_tokens: usize,
    /// Logits of tokens that are in the prompt or were written are divided by it, or multiplied where they are
    /// negative; 1 changes nothing.
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
    /// Did it have all the tokens that it may have, without coming to an end?
    pub is_cut_off: bool,
}
