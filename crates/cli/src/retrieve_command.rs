//! `neurogauge retrieve`.

use crate::args::RetrieveArgs;
use crate::output;
use crate::predefined::set;
use neurogauge::Error;
use neurogauge::core::Seed;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge::stats::{BootstrapOptions, MeanInterval};
use neurogauge_tasks::retrieval::{RetrievalRequest, retrieval};

pub(crate) fn run(args: &RetrieveArgs) -> Result<(), Error> {
    let seed = Seed(args.seed);
    let mut interval = MeanInterval::default();
    set(&mut interval, args.interval.interval);
    let run = retrieval(&RetrievalRequest {
        brain: args.brain.clone(),
        image: args.image.clone(),
        options: RetrievalOptions {
            candidates: args.candidates.into(),
            top_k: args.top_k.into(),
            repeats: args.repeats.into(),
            seed,
            similarity: args.metric.into(),
            ties: args.ties.into(),
            copies: args.copies.into(),
        },
        bootstrap: BootstrapOptions {
            resamples: args.resamples.into(),
            level: args.level.into(),
            seed,
            interval,
        },
    })?;
    output::result(&run, (&args.out, &args.overwrite), None, &args.table)
}
