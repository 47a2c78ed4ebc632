//! The scores of controls that never saw the brain.

use crate::AuditRequest;
use crate::feature_set::{FeatureSet, Picked};
use crate::identification::Wins;
use crate::items::{AgainstTraining, Items, against_training, to_nearest, unknown_item};
use crate::section::{Line, Section, known};
use neurogauge::Error;
use neurogauge::core::{Estimate, Outcome, Progress, Undefined};
use neurogauge::stats::similarity::{ComparedRows, HeldRows, SimilarityMatrix, similarities_between};
use neurogauge::stats::u_statistic::{FEWEST_STIMULI, jackknifed};
use neurogauge::stats::{BootstrapOptions, RowSource};
use std::collections::HashMap;

pub(crate) fn section(
    request: &AuditRequest,
    items: &Items,
    mean: &[f64],
    progress: &dyn Progress,
) -> Result<Option<Section>, Error> {
    let Some(similarities) = &items.similarities else {
        return Ok(None);
    };
    let options = &request.bootstrap;
    let n = items.stems.len();
    let wins = Wins::of(similarities);
    let (decoded, _) = wins.estimate(|_, _| true, options)?;
    let mut lines = vec![Line::new("two-way identification of what was decoded", decoded).beside("chance", 0.5)];

    let nearest = |found: &[AgainstTraining]| -> Option<Vec<usize>> {
        found.iter().map(|one| one.nearest.map(|(row, _)| row)).collect()
    };
    let oracle = nearest(&items.of_test);
    let copied = nearest(&items.of_decoded);
    let of_captions = captions(request, items, progress)?;
    let controls = [
        ("the training stimulus nearest to the stimulus itself", oracle),
        ("the training stimulus nearest to the reconstruction", copied),
        ("the training stimulus whose caption is nearest to the decoded caption", of_captions),
    ];
    let controls = controls.map(|(what, rows)| (what, rows.map(|rows| (&items.train, rows))));
    let pictures = of_caption_pictures(items)?;
    let pictures = ("pictures made of the decoded captions alone", pictures);
    for (what, shown) in controls.into_iter().chain([pictures]) {
        if let Some((of, rows)) = shown {
            let found = instead(items, request, &Picked { of, rows })?;
            lines.push(Line::new(format!("the same of {what}"), found).beside("chance", 0.5));
        }
    }

    let own: Vec<Outcome> = (0..n).map(|item| known(similarities.get(item, item))).collect();
    lines.push(Line::mean("similarity to the own stimulus", &own, items.range(), options)?);
    let of_others = shuffled(similarities, items.range(), options)?;
    lines.push(Line::new("similarity to another stimulus (shuffled pairing)", of_others));
    let of_mean = mean_picture(items, mean, request)?;
    let what = "similarity of the mean of all training features to a stimulus";
    lines.push(Line::mean(what, &of_mean, items.range(), options)?);

    let slope = wins.slope_on(&to_nearest(&items.of_test), options)?;
    lines.push(
        Line::new("slope of two-way identification on similarity to training", slope.clone()).beside("no gap", 0.0),
    );
    let mut answer = match (lines[0].value(), find(&lines, "the same of the training stimulus nearest to the stimulus"))
    {
        (Some(decoded), Some(oracle)) => format!(
            "A decoder that always shows the training picture nearest to the stimulus would have {oracle:.3} in two-way identification; \
             this one has {decoded:.3}. "
        ),
        _ => String::new(),
    };
    answer += match slope.interval {
        Some((low, _)) if low > 0.0 => {
            "Stimuli that are nearer to the training set are identified better: expect lower scores of pictures that are farther from it."
        }
        Some((_, high)) if high < 0.0 => "Stimuli that are nearer to the training set are identified worse.",
        Some(_) => {
            "These data show no relation between the distance from the training set and identification; that is no proof that \
                    there is none."
        }
        None => "There are too few stimuli to relate identification to the distance from the training set.",
    };
    Ok(Some(Section {
        id: "controls",
        question: "What do controls get that never saw the brain?",
        lines,
        answer,
        population: "new stimuli as targets and as distractors; the training stimuli stay the same",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515",
    }))
}

fn find(lines: &[Line], what: &str) -> Option<f64> {
    lines.iter().find(|line| line.what.starts_with(what)).and_then(Line::value)
}

/// The mean similarity of decoded rows to the stimuli of other items. Every stimulus is in many pairs, so the interval
/// is that of the jackknife that removes it from all of them at once.
fn shuffled(similarities: &SimilarityMatrix, range: (f64, f64), options: &BootstrapOptions) -> Result<Estimate, Error> {
    let n_items = similarities.n_x();
    let is_known = |&item: &usize| !similarities.get(item, item).is_nan();
    let known: Vec<usize> = (0..n_items).filter(is_known).collect();
    if known.len() < FEWEST_STIMULI {
        return Ok(Line::exact("", Err(Undefined::EmptyPool), n_items).estimate);
    }
    let of_item = |&item: &usize| -> f64 {
        let others = known.iter().filter(|&&other| other != item);
        others.map(|&other| similarities.get(item, other) + similarities.get(other, item)).sum()
    };
    let sums: Vec<f64> = known.iter().map(of_item).collect();
    // Every pair is part of both of its items' sums.
    let total = sums.iter().sum::<f64>() / 2.0;
    let n = known.len() as f64;
    let without: Vec<f64> = sums.iter().map(|sum| (total - sum) / ((n - 1.0) * (n - 2.0))).collect();
    let found = jackknifed(total / (n * (n - 1.0)), &without, options)?;
    Ok(Estimate {
        n_undefined: n_items - known.len(),
        ..found.within(range)
    })
}

/// Two-way identification with other pictures in place of reconstructions.
fn instead(items: &Items, request: &AuditRequest, shown: &Picked<'_>) -> Result<Estimate, Error> {
    let n = shown.n_rows();
    let test = items.test_picked();
    let shown = ComparedRows::new(shown, request.similarity)?;
    let test = ComparedRows::new(&test, request.similarity)?;
    let values = similarities_between((&shown, 0..n), (&test, 0..n))?;
    Ok(Wins::of(&values).estimate(|_, _| true, &request.bootstrap)?.0)
}

/// The training stimulus whose caption is nearest to each decoded caption.
fn captions(request: &AuditRequest, items: &Items, progress: &dyn Progress) -> Result<Option<Vec<usize>>, Error> {
    let Some([train, decoded]) = &request.captions else {
        return Ok(None);
    };
    let train = FeatureSet::open("train_captions", train)?;
    let decoded = FeatureSet::open("decoded_captions", decoded)?;
    crate::items::check_width(&train, &decoded)?;
    let row_of: HashMap<&String, usize> = items.train.ids.iter().zip(0..).collect();
    let picked = Picked {
        of: &decoded,
        rows: of_stems(items, &decoded, "features of a decoded caption for every test stimulus")?,
    };
    let (all, picked) =
        (ComparedRows::new(&train, request.similarity)?, ComparedRows::new(&picked, request.similarity)?);
    let n = picked.n_rows();
    let stage = ("comparing captions", progress);
    let found = against_training(&picked, &vec![f64::NAN; n], &vec![None; n], &all, stage)?;
    let mut shown = Vec::with_capacity(n);
    for one in found {
        let Some((caption, _)) = one.nearest else {
            return Ok(None);
        };
        let id = &train.ids[caption];
        let row = row_of.get(id).copied();
        shown.push(
            row.ok_or_else(|| unknown_item(&train.path, id, "captions of training stimuli that have features, too"))?,
        );
    }
    Ok(Some(shown))
}

/// The rows of a set that belong to the test stimuli, found by name.
fn of_stems(items: &Items, set: &FeatureSet, expected: &str) -> Result<Vec<usize>, Error> {
    let row_of: HashMap<&String, usize> = set.ids.iter().zip(0..).collect();
    let row = |stem: &String| row_of.get(stem).copied().ok_or_else(|| unknown_item(&set.path, stem, expected));
    items.stems.iter().map(row).collect()
}

/// Pictures made from the decoded captions alone, in the order of the test stimuli.
fn of_caption_pictures(items: &Items) -> Result<Option<(&FeatureSet, Vec<usize>)>, Error> {
    let Some(set) = &items.caption_pictures else {
        return Ok(None);
    };
    let rows = of_stems(items, set, "a picture made of the decoded caption for every test stimulus")?;
    Ok(Some((set, rows)))
}

/// Similarity of the mean of all training features to each stimulus.
fn mean_picture(items: &Items, mean: &[f64], request: &AuditRequest) -> Result<Vec<Outcome>, Error> {
    let mean: Vec<f32> = mean.iter().map(|&value| value as f32).collect();
    let (rows, test) = ([&mean[..]], items.test_picked());
    let mean = HeldRows::new(&rows)?;
    let mean = ComparedRows::new(&mean, request.similarity)?;
    let test = ComparedRows::new(&test, request.similarity)?;
    let n = test.n_rows();
    let values = similarities_between((&mean, 0..1), (&test, 0..n))?;
    Ok((0..n).map(|item| known(values.get(0, item))).collect())
}
