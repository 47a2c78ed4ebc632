//! `neurogauge retrieve`.

use crate::args::RetrieveArgs;
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::Error;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge_tasks::retrieval::{RetrievalRequest, retrieval};

pub(crate) fn run(args: &RetrieveArgs) -> Result<(), Error> {
    let bootstrap = bootstrap(&args.bootstrap, &args.interval);
    let run = retrieval(&RetrievalRequest {
        brain: args.brain.clone(),
        image: args.image.clone(),
        options: RetrievalOptions {
            candidates: args.candidates.into(),
            top_k: args.top_k.into(),
            repeats: args.repeats.into(),
            seed: bootstrap.seed,
            similarity: args.metric,
            ties: args.ties,
            copies: args.copies,
        },
        bootstrap,
    })?;
    output::result(&run, (&args.out, &args.overwrite), None, &args.table)
}
