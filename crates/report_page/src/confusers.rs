//! The rank of each pair's own image among the distractors of an identification metric, and the nearest distractors.

use crate::document::{Identification, MetricEntry, PairRank};
use crate::feature_files::{FeatureFiles, OpenedFeatures};
use crate::inputs::{Inputs, System};
use indexmap::IndexSet;
use neurogauge::Run;
use neurogauge::core::parallel;
use neurogauge::core::{Finding, Outcome, Side};
use neurogauge::metrics::Compute;
use neurogauge::metrics::decoding::identification::{
    Copies, Draws, IdentificationOptions, Others, RankCounts, identify_among,
};
use neurogauge::stats::similarity::{ComparedRows, similarities_between};
use neurogauge::stats::{RowSource, Similarity, StatsError};
use std::collections::BTreeMap;
use std::ops::Range;

/// Number of distractors that are named for each pair.
const NEAREST: usize = 3;
/// Maximum number of multiplications for one page: enough for CLIP and Inception of a thousand pairs of five systems.
/// Cheaper metrics come first.
pub(crate) const MOST_PRODUCTS: u64 = 16_000_000_000;
/// Bytes of similarities in memory at a time.
const TABLE_BYTES: usize = 64 << 20;
/// Largest difference between recorded and found outcomes, which are quotients of two counts.
const TOLERANCE: f64 = 1e-9;

/// The distractors of each identification metric of each system, as far as the features still exist.
pub(crate) fn identifications(
    inputs: &Inputs,
    metrics: &[MetricEntry],
    findings: &mut Vec<Finding>,
) -> Vec<Identification> {
    let mut found = Vec::new();
    let mut wanted: Vec<(usize, FeatureFiles)> = Vec::new();
    for (place, system) in inputs.systems.iter().enumerate() {
        for (metric, entry) in metrics.iter().enumerate() {
            if !is_identified(&system.run, entry.id) {
                continue;
            }
            let files = FeatureFiles::find(&system.run, entry.id, needs_pool(entry.id));
            let (files, not_shown) = match files {
                Ok(files) => (Some(files), None),
                Err(reason) => (None, Some(reason)),
            };
            wanted.extend(files.map(|files| (found.len(), files)));
            found.push(Identification {
                system: place,
                metric,
                direction: system.run.record.request.options.identification.direction,
                pool: None,
                pairs: Vec::new(),
                not_shown,
            });
        }
    }
    // The sort is stable, so equally expensive metrics keep their order.
    wanted.sort_by_key(|(_, files)| files.n_products);
    let mut n_products = 0;
    for (place, files) in wanted {
        let (system, id) = (found[place].system, metrics[found[place].metric].id);
        n_products += files.n_products;
        let standings = if n_products > MOST_PRODUCTS {
            Err(format!("rows of {} values take too long to compare while a page is written", files.n_features))
        } else {
            standings(inputs, &inputs.systems[system], id, &files)
        };
        match standings {
            Ok((pairs, pool)) => (found[place].pairs, found[place].pool) = (pairs, pool),
            Err(reason) => found[place].not_shown = Some(reason),
        }
    }
    warn(inputs, metrics, &found, findings);
    found
}

/// Is it an identification metric that the run computed?
pub(crate) fn is_identified(run: &Run, id: &str) -> bool {
    let metric = neurogauge::metrics::find(id);
    let is_one = metric.is_some_and(|metric| matches!(metric.compute, Compute::Identification { .. }));
    is_one && run.scores.column(id).is_some()
}

pub(crate) fn needs_pool(id: &str) -> bool {
    neurogauge::metrics::find(id).is_some_and(|metric| metric.compute.needs_pool())
}

/// Warns once for each system and reason.
fn warn(inputs: &Inputs, metrics: &[MetricEntry], found: &[Identification], findings: &mut Vec<Finding>) {
    let mut by_reason: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
    for one in found {
        if let Some(reason) = &one.not_shown {
            by_reason.entry((one.system, reason)).or_default().push(&metrics[one.metric].label);
        }
    }
    for ((system, reason), labels) in by_reason {
        let message = format!("ranks and nearest confusers by {} are not shown: {reason}", labels.join(", "));
        let subject = inputs.systems[system].name.clone();
        findings.push(Finding::warning("confusers_not_shown", subject, message));
    }
}

/// The ranks of the page's pairs, and the names of the pool's images that they refer to.
type Standings = (Vec<Option<PairRank>>, Option<Vec<String>>);

fn standings(inputs: &Inputs, system: &System, id: &str, files: &FeatureFiles) -> Result<Standings, String> {
    let opened = files.open(&system.run)?;
    let options = &system.run.record.request.options.identification;
    let pairs: Vec<usize> = (0..opened.rows.len()).filter(|&pair| opened.rows[pair].is_some()).collect();
    let [queries, own] = opened.compared(options.direction, &pairs);
    let pool = opened.of_pool();
    let others = pool.as_ref().map(|pool| pool as &dyn RowSource);
    let request = &system.run.record.request;
    let stimuli = system.run.record.stimuli_of(&system.run.scores.pairs);
    let stimuli: Vec<usize> = pairs.iter().map(|&pair| stimuli[pair]).collect();
    let among = match others {
        Some(pool) => Others::Pool(pool),
        None => Others::Pairs {
            stimuli: Some(&stimuli),
            copies: request.options.identification_copies,
            clusters: None,
            parts: None,
        },
    };
    let mut of_run = ranked(&queries, &own, among).map_err(|error| error.to_string())?;
    let recorded = system.run.scores.column(id).unwrap_or_default();
    let is_other = match system.run.record.parts.as_ref().and_then(|parts| parts.axes.first()) {
        Some(axis) => {
            format!("each value is a mean over the {}s of an item, which have ranks of their own", axis.noun())
        }
        None => "the features are not those that were scored".to_owned(),
    };
    if !agree(&opened, &pairs, recorded, &of_run, (options, among)) {
        return Err(is_other);
    }
    let mut names = IndexSet::new();
    for standing in of_run.iter_mut().flatten() {
        for (other, _) in &mut standing.nearest {
            *other = match &opened.pool {
                Some(pool) => names.insert_full(pool.ids()[*other].clone()).0,
                None => pairs[*other],
            };
        }
    }
    let on_page = system.on_page();
    let mut of_page: Vec<Option<PairRank>> = inputs.stems.iter().map(|_| None).collect();
    for (pair, mut standing) in pairs.into_iter().zip(of_run) {
        if opened.pool.is_none() {
            for (other, _) in standing.iter_mut().flat_map(|standing| &mut standing.nearest) {
                *other = on_page.get(other).copied().ok_or_else(|| is_other.clone())?;
            }
        }
        if let Some(&place) = on_page.get(&pair) {
            of_page[place] = standing;
        }
    }
    Ok((of_page, opened.pool.map(|_| names.into_iter().collect())))
}

/// The rank of each pair: row i of `own` matches row i of `queries` among the others.
fn ranked(
    queries: &dyn RowSource,
    own: &dyn RowSource,
    among: Others<'_>,
) -> Result<Vec<Option<PairRank>>, StatsError> {
    let compared = |rows| ComparedRows::new(rows, Similarity::Correlation);
    let (queries, own) = (compared(queries)?, compared(own)?);
    let (pool, leave_out) = match among {
        Others::Pool(pool) => (Some(compared(pool)?), None),
        Others::Pairs { stimuli, copies, .. } => (None, stimuli.filter(|_| copies == Copies::LeaveOut)),
    };
    let others = pool.as_ref().unwrap_or(&own);
    let n_pairs = queries.n_rows();
    let at_a_time = (TABLE_BYTES / size_of::<f64>() / others.n_rows().max(1)).max(1);
    let mut found = Vec::with_capacity(n_pairs);
    for start in (0..n_pairs).step_by(at_a_time) {
        let pairs: Range<usize> = start..n_pairs.min(start + at_a_time);
        let all = 0..others.n_rows();
        let to_others = similarities_between((&queries, pairs.clone()), (others, all.clone()))?;
        let standing = |pair: usize| -> Result<Option<PairRank>, StatsError> {
            if queries.defect(pair).is_some() || own.defect(pair).is_some() {
                return Ok(None);
            }
            let to_own = match &pool {
                Some(_) => {
                    let (query, own) = ((&queries, pair..pair + 1), (&own, pair..pair + 1));
                    similarities_between(query, own)?.get(0, 0)
                }
                None => to_others.get(pair - start, pair),
            };
            let is_copy = |other: usize| match leave_out {
                Some(stimuli) => stimuli[other] == stimuli[pair],
                None => other == pair,
            };
            let is_other = |&other: &usize| (pool.is_some() || !is_copy(other)) && others.defect(other).is_none();
            let known: Vec<(usize, f64)> =
                (all.clone().filter(is_other)).map(|other| (other, to_others.get(pair - start, other))).collect();
            Ok(PairRank::of(to_own, known))
        };
        found.extend(parallel::try_map(pairs.len(), |place| standing(pairs.start + place))?);
    }
    Ok(found)
}

impl PairRank {
    fn of(own: f64, mut others: Vec<(usize, f64)>) -> Option<PairRank> {
        let similarities: Vec<f64> = others.iter().map(|(_, similarity)| *similarity).collect();
        let counts = RankCounts::of(own, &similarities);
        others.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        others.truncate(NEAREST);
        (counts.n_others > 0).then_some(PairRank {
            rank: counts.n_better + 1,
            tied: counts.n_tied,
            others: counts.n_others,
            own: rounded(own),
            nearest: others.into_iter().map(|(other, similarity)| (other, rounded(similarity))).collect(),
        })
    }
}

fn rounded(similarity: f64) -> f64 {
    (10_000.0 * similarity).round() / 10_000.0
}

/// Do these ranks reproduce the recorded outcomes?
fn agree(
    opened: &OpenedFeatures,
    pairs: &[usize],
    recorded: &[Outcome],
    standings: &[Option<PairRank>],
    (options, among): (&IdentificationOptions, Others<'_>),
) -> bool {
    let expected: Vec<Option<f64>> = match options.draws {
        Draws::Exact => standings
            .iter()
            .map(|standing| {
                let standing = standing.as_ref()?;
                let counts = RankCounts {
                    n_others: standing.others,
                    n_better: standing.rank - 1,
                    n_tied: standing.tied,
                };
                let success = || counts.success(options.n_way, options.top_k, options.ties);
                (options.n_way <= counts.n_others + 1).then(|| success() - options.too_low_by(counts.n_others))
            })
            .collect(),
        Draws::Seeded { .. } => {
            let (gt, recon) = (opened.of(Side::Gt, pairs), opened.of(Side::Recon, pairs));
            match identify_among(&gt, &recon, among, options) {
                Ok(found) => found.outcomes.into_iter().map(Result::ok).collect(),
                Err(_) => return false,
            }
        }
    };
    let of_run = |pair: usize| recorded.get(pair).and_then(|outcome| outcome.as_ref().ok());
    let same = |(&pair, expected): (&usize, Option<f64>)| match (of_run(pair), expected) {
        (Some(then), Some(now)) => (then - now).abs() <= TOLERANCE,
        (then, now) => then.is_none() && now.is_none(),
    };
    pairs.iter().zip(expected).all(same)
}
