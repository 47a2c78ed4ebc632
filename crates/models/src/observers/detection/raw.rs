//! What goes into a network that detects, and what it says before anything is made of it.

/// What a detector says before post-processing.
#[derive(Debug, Clone, PartialEq)]
pub struct RawDetections {
    /// How well each query fits each token of the prompt: n_queries x n_tokens logits, row-major.
    pub logits: Vec<f32>,
    /// Tokens of the prompt, `[CLS]` and `[SEP]` included.
    pub n_tokens: usize,
    /// One box for each query: (centre x, centre y, width, height), 0..1 of the image as given.
    pub boxes: Vec<[f32; 4]>,
}

/// A prompt as its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTokens {
    /// BERT's ids, `[CLS]` and `[SEP]` included.
    pub ids: Vec<u32>,
}
