//! Metrics of identification: whether the right image of a pair is more similar than other images.

use super::averaged::{Trials, averaged};
use super::repeated_stimuli::{repeated, stimuli};
use super::{Computed, Context, Pairs, among_all, both};
use crate::Error;
use crate::dataset::{listed, of_pairs};
use crate::run_record::PoolRecord;
use crate::selected::MetricSource;
use crate::shared_names;
use crate::stored_rows::StoredRows;
use neurogauge_core::parallel;
use neurogauge_core::{Finding, Outcome, Pair, Role, Side, Sides, Undefined};
use neurogauge_metrics::Compute;
use neurogauge_metrics::decoding::identification::{
    Copies, Identification, IdentificationDirection, ItemParts, Others, identify_among,
};
use neurogauge_stats::u_statistic::of_mean;
use neurogauge_stats::{RowSource, StatsError, joined};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

pub(crate) fn compute(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let options = &context.request.options.identification;
    let copies = context.request.options.identification_copies;
    let pattern = context.request.stimulus_pattern.as_ref();
    let models: Vec<&str> = (context.selection.metrics.iter())
        .filter_map(|selected| match (&selected.metric.compute, &selected.source) {
            (Compute::Identification { .. }, MetricSource::Features(model, _)) => Some(model.as_str()),
            _ => None,
        })
        .collect();
    let stimuli = stimuli(context.dataset, context.items, pattern, &models)?;
    let stems = context.items.map_or(&context.dataset.stems, |items| &items.stems);
    computed.repeated_stimuli = repeated(stems, &stimuli);
    let clusters = match context.clusters {
        Some(clusters) => joined(&[clusters.of_stems(stems), stimuli.clone()]),
        None => stimuli.clone(),
    };
    let of_parts = |of_items: Vec<usize>| match context.items {
        Some(items) => items.parts.item_of().iter().map(|&item| of_items[item]).collect(),
        None => of_items,
    };
    let (stimuli, clusters) = (of_parts(stimuli), of_parts(clusters));
    if !computed.repeated_stimuli.is_empty() {
        let n_pairs = computed.repeated_stimuli.iter().map(Vec::len).sum();
        let copies = (!models.is_empty()).then_some(copies);
        let noun = context.items.map_or("pairs", |_| "items");
        computed.findings.push(of_repeated(n_pairs, noun, &computed.repeated_stimuli, copies));
    } else if pattern.is_none() {
        let has_images = context.dataset.input(Role::images(Side::Gt)).is_some();
        computed.findings.extend(shared_names::of_pairs(stems, has_images));
    }
    for selected in &context.selection.metrics {
        let compute = &selected.metric.compute;
        let (Compute::Identification { .. }, MetricSource::Features(model, _)) = (compute, &selected.source) else {
            continue;
        };
        let Some(features) = context.dataset.features_of(model) else {
            continue;
        };
        let id = selected.metric.spec.id;
        // A pair without features has no value and is not a distractor for other pairs.
        let has = |side: Side, pair: &Pair| features.sides.side(side).has(pair.of(side));
        let seen = Pairs::new(&features.pairs, |_, pair| {
            both(|side| Ok(has(side, pair).then_some(()).ok_or(Undefined::NoFeatures(side))))
        });
        let seen = seen.seen(|pair, _| Ok(pair.clone()))?;
        let known: Vec<Pair> = seen.iter().flatten().cloned().collect();
        let of_all =
            |outcomes: Vec<Outcome>| of_pairs(&context.dataset.stems, &features.pairs, among_all(&seen, outcomes));
        if known.is_empty() {
            computed.add_column(id, of_all(Vec::new()));
            continue;
        }
        let rows = |side: Side| known.iter().map(|pair| pair.of(side)).collect::<Vec<usize>>();
        let sides = Sides::new(
            StoredRows::of(&features.sides.gt, rows(Side::Gt)),
            StoredRows::of(&features.sides.recon, rows(Side::Recon)),
        );
        let pool = context.dataset.pool.features_of(model).filter(|_| compute.needs_pool());
        let others = pool.map(StoredRows::all);
        let others = others.as_ref().map(|others| others as &dyn RowSource);
        let places = context.dataset.places_of(&known);
        let at_places = |of: &[usize]| places.iter().map(|&place| of[place]).collect();
        let (stimuli, clusters): (Vec<usize>, Vec<usize>) = (at_places(&stimuli), at_places(&clusters));
        let parts = context.items.map(|items| items.parts.at(&places));
        let own = match options.direction {
            IdentificationDirection::Reconstruction => Side::Gt,
            IdentificationDirection::Stimulus => Side::Recon,
        };
        let rows_of_own = rows(own);
        let parts = parts.as_ref();
        let among = match others {
            Some(pool) => Others::Pool(pool),
            None => Others::Pairs {
                stimuli: Some(&stimuli),
                copies,
                clusters: Some(&clusters),
                parts: parts.map(|parts| ItemParts {
                    parts,
                    own: &rows_of_own,
                }),
            },
        };

        if let Some(parts) = parts {
            let trials = Trials {
                sides: Sides::new(&sides.gt, &sides.recon),
                parts,
                stimuli: &stimuli,
                clusters: &clusters,
                pool: others,
            };
            computed.averaged.extend(averaged(context, id, &trials)?);
        }
        context.progress.start(&format!("identifying, {id}"), 1, 0);
        let identified = identify_among(&sides.gt, &sides.recon, among, options);
        context.progress.finish();
        let Identification {
            outcomes,
            n_others,
            left_out,
            pseudo_values,
        } = identified.map_err(|source| Error::AllPairs { figure: id, source })?;
        let pseudo_values = match (pool, parts) {
            (Some(_), None) => of_mean(&outcomes, &clusters),
            _ => pseudo_values,
        };

        let stem = |other: usize| match pool {
            Some(pool) => pool.ids()[other].as_str(),
            None => known[other].stem.as_str(),
        };
        if !left_out.is_empty() {
            computed.findings.push(Finding::warning(
                "left_out_of_pool",
                id,
                format!(
                    "{} of the images that supply distractors have features that are all equal or \
                     not finite and were left out: {}",
                    left_out.len(),
                    listed(left_out.iter().map(|(other, _)| stem(*other)))
                ),
            ));
        }
        if let Some(others) = others {
            let twins = twins(sides.side(own), others).map_err(|source| Error::AllPairs {
                figure: id,
                source: source.into(),
            })?;
            // Copies that were reported for the images are not reported again for their features.
            let twins: Vec<&str> =
                twins.into_iter().map(stem).filter(|stem| !context.dataset.pool.overlap.contains(*stem)).collect();
            if !twins.is_empty() {
                computed.findings.push(Finding::warning(
                    "pool_holds_own",
                    id,
                    format!(
                        "{} images of the pool have the features of an image that is identified \
                         among them, and tie with it: {}",
                        twins.len(),
                        listed(twins.into_iter())
                    ),
                ));
            }
        }
        computed.pools.push(PoolRecord {
            metric: id.to_owned(),
            n_others,
            n_left_out: left_out.len(),
        });
        computed.add_column(id, of_all(outcomes));
        computed.add_pseudo_values(id, of_all(pseudo_values));
    }
    Ok(())
}

/// The finding that several pairs show the same stimulus, and how they are treated; `copies` is how identification
/// treats them, if there is any.
fn of_repeated(n_pairs: usize, noun: &str, stimuli: &[Vec<String>], copies: Option<Copies>) -> Finding {
    let shown = match stimuli.len() {
        1 => "show one stimulus".to_owned(),
        n => format!("show {n} stimuli, each several times"),
    };
    let first = listed(stimuli.iter().map(|stems| stems[0].as_str()));
    let what = match copies {
        Some(Copies::LeaveOut) => "identification tells none from a copy of its own; ",
        Some(Copies::Keep) => "identification tells each from copies of its own, too, with which it ties; ",
        None => "",
    };
    let message = format!("{n_pairs} {noun} {shown} ({first}): {what}intervals take a stimulus and its copies as one");
    let about = copies.map_or("intervals", |_| "identification");
    Finding::warning("repeated_stimuli", about, message)
}

/// Positions of the rows among `others` that equal a row of `own`, value by value.
fn twins(own: &dyn RowSource, others: &dyn RowSource) -> Result<Vec<usize>, StatsError> {
    let n_features = own.n_features();
    // Only rows with equal digests are compared in full: rows after a rectifier often begin with the same
    // values.
    let mut rows_of: HashMap<u64, Vec<usize>> = HashMap::new();
    for (row, digest) in digests(own)?.into_iter().enumerate() {
        rows_of.entry(digest).or_default().push(row);
    }
    let mut twins = Vec::new();
    for (other, digest) in digests(others)?.into_iter().enumerate() {
        let Some(candidates) = rows_of.get(&digest) else {
            continue;
        };
        let values = others.values(other, 0..n_features)?;
        for &row in candidates {
            if own.values(row, 0..n_features)? == values {
                twins.push(other);
                break;
            }
        }
    }
    Ok(twins)
}

fn digests(rows: &dyn RowSource) -> Result<Vec<u64>, StatsError> {
    let digest = |row: usize| {
        let values = rows.values(row, 0..rows.n_features())?;
        let mut hasher = DefaultHasher::new();
        values.for_each(|value| hasher.write_u64(value.to_bits()));
        Ok(hasher.finish())
    };
    parallel::try_map(rows.n_rows(), digest)
}
