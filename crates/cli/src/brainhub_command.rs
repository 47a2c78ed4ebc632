//! `neurogauge caption`, `neurogauge ground` and `neurogauge shapes`.

use crate::args::{CaptionArgs, GroundArgs, ShapesArgs};
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::Error;
use neurogauge::stats::BootstrapOptions;
use neurogauge_tasks::brainhub::{CaptionRequest, GroundRequest, ShapesRequest, caption, ground, shapes};

pub(crate) fn run_caption(args: &CaptionArgs) -> Result<(), Error> {
    let run = caption(&CaptionRequest {
        reference: args.reference.clone(),
        decoded: args.decoded.clone(),
        image_captions: args.image_captions.clone(),
        metrics: args.metrics.clone(),
        wordnet: args.wordnet.clone(),
        rouge_stemming: args.rouge_stemming.is_some_and(bool::from),
        image_embeddings: args.image_embeddings.clone(),
        caption_embeddings: args.caption_embeddings.clone(),
        reference_embeddings: args.reference_embeddings.clone(),
        bootstrap: bootstrap(&args.bootstrap, &args.interval),
    })?;
    output::result(&run, (&args.out, &args.overwrite), None, &args.table)
}

pub(crate) fn run_ground(args: &GroundArgs) -> Result<(), Error> {
    let run = ground(&GroundRequest {
        reference: args.reference.clone(),
        decoded: args.decoded.clone(),
        threshold: args.threshold.into(),
        level: args.level.map_or(BootstrapOptions::default().level, Into::into),
    })?;
    output::result(&run, (&args.out, &args.overwrite), None, &args.table)
}

pub(crate) fn run_shapes(args: &ShapesArgs) -> Result<(), Error> {
    let run = shapes(&ShapesRequest {
        gt: args.gt.clone(),
        recon: args.recon.clone(),
        chamfer: args.chamfer,
        scale: args.scale,
        points: args.points.map(Into::into),
        bootstrap: bootstrap(&args.bootstrap, &args.interval),
    })?;
    output::result(&run, (&args.out, &args.overwrite), None, &args.table)
}
