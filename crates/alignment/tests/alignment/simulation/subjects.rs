//! Simulated studies of five subjects who share eight dimensions: the effect of noise on scores relative to other
//! subjects, and how often the results claim that a source without information recovers something.
//!
//! A few studies run with the other tests, the cells of the calibration page with `make calibration-align`.

#![allow(clippy::print_stdout)]

use super::parts::{aligned, source};
use super::region;
use crate::prelude::*;

const N_SUBJECTS: usize = 5;
/// Number of the eight dimensions in the partial model.
const PART: usize = 3;
/// Outer and inner folds of the calibration page, and fewer for tests of claims, which take a third as long.
const FEW_FOLDS: [usize; 2] = [3, 2];
const PAGE_FOLDS: [usize; 2] = [5, 5];

fn simulation(n_stimuli: usize, noise: f64, seed: u64) -> Simulation {
    Simulation::new(SimulationOptions {
        n_stimuli,
        n_subjects: N_SUBJECTS,
        regions: vec![region("V1", 20)],
        shared: (0..8).map(|d| 2.0 - 1.7 * f64::from(d) / 7.0).collect(),
        private: Vec::new(),
        noise,
        shared_noise: Vec::new(),
        repeats: vec![3],
        n_sessions: 1,
        seed: Seed(seed),
    })
    .unwrap()
}

fn summary(study: &Study, [outer, inner]: [usize; 2], null: usize, donors: bool) -> (StudySummary, Vec<UnitScore>) {
    let settings = AlignSettings {
        partitions: 8,
        null,
        donors,
        controls: Vec::new(),
        ..AlignSettings::default()
    };
    let folds = FoldPlan::draw(study.stimuli.len(), outer, inner, Seed(1)).unwrap();
    let units = aligned(study, folds, &settings);
    let descriptions = study.sources.iter().map(|own| SourceDescription {
        name: own.name.clone(),
        state: Some(SourceState::Pretrained),
        ..SourceDescription::default()
    });
    let scores = unit_scores(&units, &settings).unwrap();
    let summarising = Summarising {
        settings: &settings,
        sources: &descriptions.collect::<Vec<_>>(),
        blocks: &BTreeMap::new(),
        units: &units,
        unit_scores: &scores,
        controls: &[],
    };
    (summarising.summary().unwrap(), scores)
}

/// Scores of one model: BrainRefScore, noise-corrected, and the truth, for the same subjects without noise in their
/// responses.
type Scores = [Option<f64>; 3];

/// Scores of the models with all eight and with three dimensions, and the reliability of the other subjects; means over
/// studies, with these folds and draws of the null.
fn scores(noise: f64, (folds, null): ([usize; 2], usize), n_studies: u64) -> ([Scores; 2], Option<f64>) {
    let studies = (0..n_studies).into_par_iter().map(|seed| {
        let [simulation, clean] = [noise, 0.0].map(|noise| simulation(60, noise, 10 + seed));
        let all: Vec<usize> = (0..8).collect();
        let models = vec![
            source("all", simulation.features(&all, 40, 0.05, 0).unwrap()),
            source("part", simulation.features(&all[..PART], 40, 0.05, 1).unwrap()),
        ];
        let study = Study::simulated(&simulation, models).unwrap();
        let (found, mut scores) = summary(&study, folds, null, true);
        // The truth needs neither a null nor donors.
        let without_noise = (0..N_SUBJECTS).map(|subject| {
            let means = clean.unit(subject, 0).unwrap().trials.means();
            source(&format!("subj{:02} without noise", subject + 1), means)
        });
        let sources = without_noise.collect();
        scores.extend(summary(&Study { sources, ..study }, folds, 0, false).1);
        let of = |name: &str, unit: &Unit| {
            let mut own = scores.iter().filter(|own| !own.donor && own.unit == *unit);
            own.find(|own| own.source == name).unwrap().profile_mean().unwrap()
        };
        let models = ["all", "part"].map(|name| {
            let own = found.sources.iter().find(|own| own.source == name).unwrap();
            let units = scores.iter().filter(|own| own.source == name).map(|own| &own.unit);
            let truth = units.map(|unit| {
                let others = (1..=N_SUBJECTS).map(|place| format!("subj{place:02}"));
                let others = others.filter(|subject| *subject != unit.subject);
                let others = others.map(|subject| of(&format!("{subject} without noise"), unit));
                of(name, unit) / neurogauge_stats::quantile(&others.collect::<Vec<_>>(), 0.5).unwrap()
            });
            let truth = neurogauge_stats::mean(truth);
            [own.brain_ref_score.mean, own.noise_corrected.mean, truth]
        });
        (models, found.human_references[0].reliability.clone().ok())
    });
    type Found = ([Scores; 2], Option<f64>);
    let studies: Vec<Found> = studies.collect();
    let mean = |of: &dyn Fn(&Found) -> Option<f64>| neurogauge_stats::mean(studies.iter().filter_map(of));
    let models = [0, 1].map(|model| [0, 1, 2].map(|score| mean(&|own| own.0[model][score])));
    (models, mean(&|own| own.1))
}

/// The noise of a trial has 0.3, 1.1 and 2.2 times the standard deviation of its signal.
#[test]
fn noise_raises_the_papers_ratio_and_not_the_corrected_one() {
    let found = [1.0, 4.0, 8.0].map(|noise| scores(noise, ([5, 3], 5), 2));
    for (models, reliability) in &found {
        for [measured, corrected, truth] in models.map(|own| own.map(Option::unwrap)) {
            assert!((corrected - truth).abs() < 0.1, "{corrected} {truth}");
            assert!(measured > corrected - 0.005, "{measured} {corrected}");
        }
        assert!(reliability.is_some_and(|own| (0.4..=1.0).contains(&own)), "{reliability:?}");
    }
    let of = |model: usize, score: usize| found.each_ref().map(|own| own.0[model][score].unwrap());
    // A model of all shared dimensions recovers as much as the subjects do, with any noise.
    assert!(of(0, 0)[2] > 1.2 && of(0, 1)[2] < 1.12, "{found:?}");
    // The score of a partial model grows with noise in the other subjects' responses, by up to 0.25.
    let [measured, corrected] = [0, 1].map(|score| of(1, score));
    assert!(measured[2] > measured[0] + 0.2, "{found:?}");
    assert!(corrected.iter().all(|own| (0.6..0.9).contains(own)), "{found:?}");
    // More noise means less reliability.
    let [low, middle, high] = found.each_ref().map(|own| own.1.unwrap());
    assert!(low > 0.98 && middle < low && high < middle - 0.15, "{found:?}");
}

/// With too much noise, there is no ratio to subjects who do not recover more than chance.
#[test]
fn no_ratio_to_subjects_at_chance() {
    let simulation = simulation(40, 60.0, 3);
    let part = source("part", simulation.features(&[0, 1, 2], 30, 0.05, 0).unwrap());
    let (found, _) = summary(&Study::simulated(&simulation, vec![part]).unwrap(), FEW_FOLDS, 20, true);
    let reference = &found.human_references[0];
    let n_above = reference.units_above_null.unwrap();
    let model = found.sources.last().unwrap();
    assert_eq!((reference.units, model.brain_ref_score.n), (N_SUBJECTS, n_above));
    assert!(n_above < 2 && model.noise_corrected.mean.is_none(), "{reference:?}");
    assert_eq!(model.corrected.n, N_SUBJECTS);
}

/// In studies of four equal sources, the shares in which the results claim that one recovers more than chance, and that
/// two differ, after correction.
fn claims(spanned: &[usize], folds: [usize; 2], n_studies: u64) -> (f64, f64) {
    let studies = (0..n_studies).into_par_iter().map(|seed| {
        let simulation = simulation(40, 2.0, 100 + seed);
        let sources = (0..4).map(|set| {
            let features = simulation.features(spanned, 20, 2.0, set).unwrap();
            source(&format!("source {set}"), features)
        });
        let (found, _) = summary(&Study::simulated(&simulation, sources.collect()).unwrap(), folds, 19, false);
        let above = found.sources.iter().any(|own| own.group_null.p_corrected.is_some_and(|p| p <= 0.05));
        let differ = found.differences.iter().any(|own| own.p_corrected.is_some_and(|p| p <= 0.05));
        (f64::from(u8::from(above)), f64::from(u8::from(differ)))
    });
    let (above, differ): (Vec<f64>, Vec<f64>) = studies.collect::<Vec<_>>().into_iter().unzip();
    let share = |of: Vec<f64>| neurogauge_stats::mean(of).unwrap();
    (share(above), share(differ))
}

#[test]
fn sources_without_information_are_claimed_to_be_nothing() {
    let (above, differ) = claims(&[], FEW_FOLDS, 12);
    // The expectation is one in 20; three or more of 12 occur in 2% of such tests.
    assert!(above <= 2.0 / 12.0 && differ <= 2.0 / 12.0, "{above} {differ}");
    let (above, differ) = claims(&[0, 1, 2], FEW_FOLDS, 2);
    assert!(above > 0.99 && differ < 0.01, "{above} {differ}");
}

/// A row for each noise, as on the page: the model of all dimensions, then of three, each as measured, noise-corrected
/// and true; then the shares of studies with a claim.
#[test]
#[ignore = "minutes; make calibration runs it"]
fn calibration_of_scores_relative_to_other_subjects() {
    for noise in [1.0, 4.0, 8.0, 12.0] {
        let (models, reliability) = scores(noise, (PAGE_FOLDS, 10), 16);
        let cell = |value: &Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let cells: Vec<String> = models.iter().flatten().map(cell).collect();
        println!("| {noise} | {} | {} |", cell(&reliability), cells.join(" | "));
    }
    for (words, spanned) in [("none", &[][..]), ("three", &[0, 1, 2])] {
        let n_studies = 120;
        let (above, differ) = claims(spanned, PAGE_FOLDS, n_studies);
        println!("| {words} | {:.1}% | {:.1}% |", 100.0 * above, 100.0 * differ);
        let margin = 3.0 * (0.06 * 0.94 / n_studies as f64).sqrt();
        assert!(differ < 0.06 + margin && (spanned.len() == 3 || above < 0.06 + margin));
    }
}
