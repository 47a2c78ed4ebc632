//! Do the intervals of audits contain the truth, and how often do their answers make false claims? Simulated from end
//! to end.
//!
//! `cargo test` runs a few experiments, whose tolerances follow from their number; `make calibration` runs many and
//! writes the tables of `bench/calibration/`.

#![allow(clippy::unwrap_used, reason = "in helpers too, which the lint does not see as tests")]

mod clusters;
#[path = "../../../../stats/tests/stats/calibration/rates.rs"]
#[allow(dead_code, reason = "the tables of means have cells of their own")]
mod rates;
mod stimuli;

use super::{normal, request, write};
use clusters::HeldOut;
use neurogauge::core::Seed;
use neurogauge_audit::Audit;
use rates::{Rate, Rates, write_part};
use rayon::prelude::*;
use std::collections::BTreeMap;
use stimuli::World;

/// A value and its interval.
type Measured = (f64, Option<(f64, f64)>);

/// The lines of an experiment: name, value and interval.
type Found = Vec<(String, f64, Option<(f64, f64)>)>;

/// The numbers of an audit.
fn lines(audit: &Audit) -> Found {
    let lines = audit.record.sections.iter().flat_map(|section| section.lines.iter().map(|line| (section.id, line)));
    let known = lines.filter_map(|(section, line)| {
        let value = line.estimate.value.clone().ok()?;
        Some((format!("{section}: {}", line.what), value, line.estimate.interval))
    });
    known.collect()
}

/// Many experiments, each with its own random numbers.
fn repeated(n: usize, seed: u64, experiment: impl Fn(Seed) -> Found + Sync) -> Vec<Found> {
    (0..n).into_par_iter().map(|place| experiment(Seed(seed * 1_000_000 + place as u64))).collect()
}

/// How often the intervals of each line contain its truth: the mean over all experiments, unless the truth is known.
fn coverage(experiments: &[Found], known: &[(&str, f64)]) -> BTreeMap<String, Rate> {
    let mut by_line: BTreeMap<String, Vec<Measured>> = BTreeMap::new();
    for (name, value, interval) in experiments.iter().flatten() {
        by_line.entry(name.clone()).or_default().push((*value, *interval));
    }
    let rates = by_line.into_iter().map(|(name, found)| {
        let mean = found.iter().map(|(value, _)| value).sum::<f64>() / found.len() as f64;
        let truth = known.iter().find(|(line, _)| *line == name).map_or(mean, |(_, truth)| *truth);
        let held = found.iter().map(|(_, interval)| {
            let (low, high) = (*interval)?;
            Some(low <= truth && truth <= high)
        });
        (name, Rate::of(&held.collect::<Vec<_>>()))
    });
    rates.collect()
}

/// How often the interval of a line excludes the true value.
fn size(experiments: &[Found], line: &str, truth: f64) -> Rate {
    let beyond = experiments.iter().map(|found| {
        let (.., interval) = found.iter().find(|(name, ..)| name == line)?;
        let (low, high) = (*interval)?;
        Some(truth < low || high < truth)
    });
    Rate::of(&beyond.collect::<Vec<_>>())
}

#[test]
fn intervals_of_audits_cover_and_answers_claim_little_that_is_not_so() {
    const N: usize = 60;
    let world = World::classifier();
    let found = repeated(N, 1, |seed| world.experiment(40, seed));
    for (line, rate) in coverage(&found, &[]) {
        let bound = 0.93 - 4.0 * rate.standard_error(0.93);
        assert!(rate.of == 0 || rate.share() >= bound, "{line}: {rate:?}");
    }
    let within = size(&found, stimuli::WITHIN, 0.5);
    assert!(within.share() <= 0.05 + 4.0 * within.standard_error(0.05), "{within:?}");
    let none = HeldOut {
        clusters: 20,
        drop: 0.0,
    };
    let found = repeated(N, 2, |seed| none.experiment(seed));
    let drop = size(&found, clusters::DIFFERENCE, 0.0);
    assert!(drop.share() <= 0.05 + 4.0 * drop.standard_error(0.05), "{drop:?}");
}

/// A decoder of a hundred categories is better than chance within 40 clusters, which contain several of them.
#[test]
fn a_decoder_of_categories_is_not_said_to_know_more_where_clusters_are_too_few() {
    let claims = |world: &World, seed: u64| {
        let audit = world.audited(150, Seed(seed), false);
        let section = audit.record.sections.iter().find(|section| section.id == "clusters").unwrap();
        (section.answer.contains("better than chance"), section.answer.contains("it knows more"))
    };
    // In 20 of 20 simulations the first is better than chance within 40 clusters, and no answer claims that it knows
    // more; for the second all do.
    assert_eq!(claims(&World::of_categories(), 0), (true, false));
    assert_eq!(claims(&World::beyond_categories(), 0), (true, true));
}

const NS: [usize; 2] = [30, 100];
const N_EXPERIMENTS: [usize; 2] = [1_000, 500];

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_audits() {
    let decoder = World::decoder();
    let by_n: Vec<Vec<Found>> = (NS.iter().zip(N_EXPERIMENTS).enumerate())
        .map(|(place, (&n, experiments))| repeated(experiments, 10 + place as u64, |seed| decoder.experiment(n, seed)))
        .collect();
    let rates: Vec<_> =
        by_n.iter().map(|found| coverage(found, &[(stimuli::OPTIMISM, stimuli::OPTIMISM_IS)])).collect();
    let title = "95% intervals of audits that hold what other test stimuli would give, in %.";
    let mut text = Rates::new(title, &NS);
    for line in rates[0].keys().filter(|line| rates[0][*line].of > 0) {
        let of_line: Vec<Rate> = rates.iter().map(|rates| rates[line]).collect();
        text.row(line, &of_line);
    }

    const CLUSTERS: [usize; 3] = [6, 12, 40];
    let columns = CLUSTERS.map(|clusters| format!("{clusters} clusters"));
    let title = "95% intervals of the difference between random folds and held-out clusters that hold what other clusters would give, in %.";
    let mut folds = Rates::named(title, &columns);
    let drop = |drop: f64| {
        CLUSTERS.map(|clusters| {
            let held_out = HeldOut { clusters, drop };
            repeated(500, 20 + clusters as u64, move |seed| held_out.experiment(seed))
        })
    };
    let (real, none) = (drop(0.1), drop(0.0));
    let held = real.map(|found| coverage(&found, &[(clusters::DIFFERENCE, 0.1)])[clusters::DIFFERENCE]);
    folds.row("0.1", &held);

    let [classifier, noise] = [World::classifier(), World::noise()].map(|world| -> Vec<Vec<Found>> {
        let experiments = NS.iter().zip(N_EXPERIMENTS).enumerate();
        let found = experiments.map(|(place, (&n, experiments))| {
            repeated(experiments, 50 + place as u64, |seed| world.experiment(n, seed))
        });
        found.collect()
    });
    let title = "How often answers claim something that is not so, in %: at most 5 are expected.";
    let mut sizes = Rates::new(title, &NS);
    let of = |by_n: &[Vec<Found>], line: &str, truth: f64| -> Vec<Rate> {
        by_n.iter().map(|found| size(found, line, truth)).collect()
    };
    let within = "the decoder knows more, or less, than the cluster (it knows the cluster alone)";
    sizes.row(within, &of(&classifier, stimuli::WITHIN, 0.5));
    let slope = "identification depends on the distance from training (it does not)";
    sizes.row(slope, &of(&noise, stimuli::SLOPE, 0.0));
    let nearer = "test stimuli are nearer to training, or farther, than training stimuli (they are alike)";
    sizes.row(nearer, &of(&noise, stimuli::RELATION, 0.0));
    let mut held_out = Rates::named("The same of held-out clusters.", &columns);
    let none = none.map(|found| size(&found, clusters::DIFFERENCE, 0.0));
    held_out.row("a difference (there is none)", &none);
    write_part("audit", &(text.text() + &folds.text() + &sizes.text() + &held_out.text()));
}
