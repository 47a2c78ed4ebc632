//! Identification, retrieval and other comparisons of feature rows.

use crate::inputs::{defined, paired_rows, uniform};
use crate::{Failure, HotPath, Work};
use neurogauge::core::{Outcome, Seed};
use neurogauge::metrics::decoding::cap_sim::{References, cap_sim};
use neurogauge::metrics::decoding::identification::{Draws, IdentificationOptions, identify};
use neurogauge::metrics::decoding::n_way_accuracy::{NWayOptions, n_way_accuracy};
use neurogauge::metrics::decoding::retrieval::{RetrievalOptions, retrieve};
use neurogauge::metrics::losses::{EmbeddingHingeOptions, pairwise_hinge_of_embeddings};

pub(crate) const PATHS: &[HotPath] = &[
    ("identification-exact", || identification(IdentificationOptions::default())),
    ("identification-sampled", || {
        identification(IdentificationOptions {
            n_way: 50,
            draws: Draws::Seeded {
                trials: 100,
                seed: Seed::default(),
            },
            ..IdentificationOptions::default()
        })
    }),
    ("retrieval", retrieval),
    ("cap-sim", captions),
    ("n-way-accuracy", classes),
    ("pairwise-hinge", hinge),
];

fn sum(outcomes: impl IntoIterator<Item = Outcome>) -> Result<f64, Failure> {
    let mut sum = 0.0;
    for outcome in outcomes {
        sum += defined(outcome)?;
    }
    Ok(sum)
}

fn identification(options: IdentificationOptions) -> Result<Work, Failure> {
    let (gt, recon) = paired_rows(150, 512);
    Ok(Box::new(move || {
        let pairs: Vec<(&[f32], &[f32])> = gt.iter().zip(&recon).map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
        sum(identify(&pairs, None, &options)?.outcomes)
    }))
}

fn retrieval() -> Result<Work, Failure> {
    let (gt, recon) = paired_rows(150, 256);
    let options = RetrievalOptions {
        candidates: 100,
        ..RetrievalOptions::default()
    };
    Ok(Box::new(move || {
        let pairs: Vec<(&[f32], &[f32])> = gt.iter().zip(&recon).map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
        Ok(retrieve(&pairs, &options)?.items.len() as f64)
    }))
}

/// 200 captions with five references each.
fn captions() -> Result<Work, Failure> {
    let (references, captions) = paired_rows(1000, 384);
    Ok(Box::new(move || {
        let references: Vec<&[f32]> = references.iter().map(Vec::as_slice).collect();
        let mut outcomes = Vec::new();
        for (references, caption) in references.chunks(5).zip(&captions) {
            outcomes.push(cap_sim(references, caption, References::Mean)?);
        }
        sum(outcomes)
    }))
}

fn classes() -> Result<Work, Failure> {
    let probabilities = |name: &str| -> Vec<f32> { uniform(name, 1000).iter().map(|&p| p as f32).collect() };
    let (gt, recon) = (probabilities("gt"), probabilities("recon"));
    let options = NWayOptions::default();
    Ok(Box::new(move || {
        let mut outcomes = Vec::new();
        for pair in 0..20 {
            outcomes.push(n_way_accuracy(&gt, &recon, 50, pair, &options)?);
        }
        sum(outcomes)
    }))
}

fn hinge() -> Result<Work, Failure> {
    let (truth, predicted) = (uniform("truth", 128 * 64), uniform("predicted", 128 * 64));
    let options = EmbeddingHingeOptions::default();
    Ok(Box::new(move || {
        let loss = pairwise_hinge_of_embeddings(&truth, &predicted, 128, &options)?;
        Ok(defined(loss)?.value)
    }))
}
