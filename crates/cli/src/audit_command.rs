//! `neurogauge audit`.

use crate::args::AuditArgs;
use crate::output::Done;
use crate::run_settings::{bootstrap, model_choices, settings};
use neurogauge::models::ImagePreset;
use neurogauge::{Error, Progress};
use neurogauge_audit::{AuditRequest, audit};

pub(crate) fn written(args: &AuditArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let both = |one: &Option<_>, other: &Option<_>| Some([one.clone()?, other.clone()?]);
    let run = audit(
        &AuditRequest {
            train: args.train.clone(),
            decoded: args.recon.clone().or(args.decoded.clone()),
            features: args.features.clone(),
            reading: (&args.reading).into(),
            preset: args.preset.unwrap_or(ImagePreset::Published),
            antialias: args.antialias.map(bool::from),
            models: model_choices(&args.weights, &args.device),
            similarity: args.metric,
            clusters: args.clusters_from(),
            axes: args.axes.into(),
            folds: args.folds.into(),
            fold_scores: both(&args.random_fold_scores, &args.cluster_fold_scores),
            caption_pictures: args.caption_pictures.clone(),
            captions: both(&args.train_captions, &args.decoded_captions),
            sample_scores: args.sample_scores.clone(),
            sample_pattern: args.sample_pattern.clone(),
            chosen: args.chosen.clone(),
            bootstrap: bootstrap(&args.bootstrap, &args.interval),
            ..AuditRequest::new(&args.test)
        },
        &settings(args.results.out.clone(), &args.weights),
        progress,
    )?;
    args.results.written(&run)
}
