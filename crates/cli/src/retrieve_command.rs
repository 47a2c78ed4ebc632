//! `neurogauge retrieve`.

use crate::args::*;
use neurogauge::Error;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge_tasks::retrieval::{RetrievalRequest, retrieval};

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where retrieval.json, retrieval.md and retrieval.csv go")))]
pub(crate) struct RetrieveArgs {
    /// Embeddings decoded from the brain: .npy or .pt (items first; other dimensions are
    /// flattened), FILE.pt#NAME for one tensor of several
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) brain: PathBuf,
    /// Embeddings of the images, likewise. Rows pair up by the ids.json beside each file, or by
    /// position if neither has one
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) image: PathBuf,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    /// Items of a draw, the own one included
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_CANDIDATES>, usize>, default_value_t = RetrievalOptions::default().candidates, help_heading = "Retrieval")]
    pub(crate) candidates: usize,
    /// The own one must be among the K most similar
    #[arg(long, value_name = "K", value_parser = number::<Count<MAX_CANDIDATES>, usize>, default_value_t = RetrievalOptions::default().top_k, help_heading = "Retrieval")]
    pub(crate) top_k: usize,
    /// How often candidates are drawn
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_RESAMPLES>, usize>, default_value_t = RetrievalOptions::default().repeats, help_heading = "Retrieval")]
    pub(crate) repeats: usize,
    /// How embeddings are compared
    #[arg(long, value_parser = choice::<Similarity>(), default_value = word_of(&RetrievalOptions::default().similarity), help_heading = "Retrieval")]
    pub(crate) metric: Similarity,
    /// What an exact tie counts for
    #[arg(long, value_parser = choice::<Ties>(), default_value = word_of(&RetrievalOptions::default().ties), help_heading = "Retrieval")]
    pub(crate) ties: Ties,
    /// Whether items of the same image, whose embeddings are equal, are distractors of each other
    #[arg(long, value_parser = choice::<Copies>(), default_value = word_of(&RetrievalOptions::default().copies), help_heading = "Retrieval")]
    pub(crate) copies: Copies,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

pub(crate) fn run(args: &RetrieveArgs) -> Result<(), Error> {
    let bootstrap = args.bootstrap.options();
    let run = retrieval(&RetrievalRequest {
        brain: args.brain.clone(),
        image: args.image.clone(),
        options: RetrievalOptions {
            candidates: args.candidates,
            top_k: args.top_k,
            repeats: args.repeats,
            seed: bootstrap.seed,
            similarity: args.metric,
            ties: args.ties,
            copies: args.copies,
        },
        bootstrap,
    })?;
    args.place.written(&run, None)?.print()
}
