//! Missing values: subjects who lack cells or have their own stimuli, and composites whose parts lack pairs.

use super::experiments;
use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, is_significant, rates, write_part};
use super::subjects::{DESIGNS, Design};
use crate::support::*;

/// Which cells of subjects and stimuli are missing.
#[derive(Clone, Copy, PartialEq)]
enum Gaps {
    /// A random 15% of each system's cells.
    Random,
    /// Cells of stimuli that belong to other subjects.
    OwnStimuli,
}

/// Coverage of one system's mean and the size of the test of two equal systems, for these subjects and for new ones.
fn of_subjects(
    design: &Design,
    gaps: Gaps,
    (n_subjects, n_stimuli): (usize, usize),
    n_experiments: usize,
) -> [Rate; 4] {
    let equal = design.of_equal_subjects();
    let experiment = |place: usize| {
        let mut draws = Draws::of(79, place);
        let drawn = design.draw(n_subjects, n_stimuli, &mut draws);
        let null = equal.draw(n_subjects, n_stimuli, &mut draws);
        let mut gapped = |systems: &[Vec<Vec<f64>>]| -> Vec<Vec<Vec<Outcome>>> {
            let mut is_missing = |subject: usize, stimulus: usize| match gaps {
                Gaps::Random => draws.uniform() < 0.15,
                Gaps::OwnStimuli => stimulus % n_subjects != subject,
            };
            let mut column = |(subject, values): (usize, &Vec<f64>)| {
                let cells = values.iter().enumerate().map(|(stimulus, &value)| match is_missing(subject, stimulus) {
                    true => Err(Undefined::NoPairs),
                    false => Ok(value),
                });
                cells.collect::<Vec<Outcome>>()
            };
            systems.iter().map(|subjects| subjects.iter().enumerate().map(&mut column).collect()).collect()
        };
        let (drawn_cells, null_cells) = (gapped(&drawn.systems), gapped(&null.systems));
        let compared = |systems: &[Vec<Vec<Outcome>>]| {
            compare_tables(systems, SubjectPopulation::These, &options(400, place)).comparison
        };
        // The first system alone, where both have a value, has the same interval as beside the other, without its tests.
        let shared = |(a, b): (&Outcome, &Outcome)| b.clone().and_then(|_| a.clone());
        let of_subject = |(a, b): (&Vec<Outcome>, &Vec<Outcome>)| a.iter().zip(b).map(shared).collect();
        let alone: Vec<Vec<Outcome>> = drawn_cells[0].iter().zip(&drawn_cells[1]).map(of_subject).collect();
        let interval = compared(&[alone]).systems[0].estimate.interval;
        let p_value = design.has_own_null().then(|| compared(&null_cells).differences[0].p_value).flatten();
        // Results of comparisons for new subjects, without their tests of each subject.
        let for_new = |value: fn(f64, f64) -> f64| {
            let cell = |(a, b): (&Outcome, &Outcome)| Some(value(a.clone().ok()?, b.clone().ok()?));
            let subject = |(a, b): (&Vec<Outcome>, &Vec<Outcome>)| a.iter().zip(b).map(cell).collect();
            let table: Vec<Vec<Option<f64>>> = drawn_cells[0].iter().zip(&drawn_cells[1]).map(subject).collect();
            crossed_mean(&table, 0.95)
        };
        let (mean, difference) = (for_new(|a, _| a), for_new(|a, b| a - b));
        [
            holds(interval, drawn.of_these),
            is_significant(p_value),
            holds(mean.and_then(|mean| mean.interval), 0.5),
            is_significant(difference.map(|difference| difference.p_value)),
        ]
    };
    rates(n_experiments, experiment)
}

/// Coverage of a composite of three parts, one without a random 28% of the pairs and one without 10% of the other
/// pairs, and the size of the test of two systems.
fn of_composites(n_pairs: usize, n_experiments: usize) -> [Rate; 2] {
    let is_undefined =
        |(_, part): (usize, usize), _: f64, _: f64, draws: &mut Draws| draws.uniform() < [0.28, 0.1, 0.0][part];
    of_parts(is_undefined, (83, 0), n_pairs, n_experiments)
}

/// Coverage of the true mean over all pairs, 0.5, by the interval of system `shown`, and the size of the test of two
/// equal systems. `is_undefined` decides whether a part of a system has no value, from the system and part, the
/// stimulus, and the otherwise defined value.
fn of_parts(
    is_undefined: impl Fn((usize, usize), f64, f64, &mut Draws) -> bool + Sync,
    (seed, shown): (u64, usize),
    n_pairs: usize,
    n_experiments: usize,
) -> [Rate; 2] {
    let experiment = |place: usize| {
        let mut draws = Draws::of(seed, place);
        let stimuli: Vec<f64> = (0..n_pairs).map(|_| 0.1 * draws.normal()).collect();
        let mut column = |of: (usize, usize)| -> Vec<Outcome> {
            let of_pair = |&stimulus: &f64| {
                let value = 0.5 + stimulus + 0.15 * draws.normal();
                (!is_undefined(of, stimulus, value, &mut draws)).then_some(value).ok_or(Undefined::NoPairs)
            };
            stimuli.iter().map(of_pair).collect()
        };
        let systems = [0, 1].map(|system| [0, 1, 2].map(|part| column((system, part))));
        let columns = systems.each_ref().map(|columns| slices(columns));
        let found = compare_systems(&columns, Direction::Higher, SIGN_FLIP, &options(400, place)).unwrap();
        [holds(found.systems[shown].estimate.interval, 0.5), is_significant(found.differences[0].p_value)]
    };
    rates(n_experiments, experiment)
}

#[track_caller]
fn check(name: &str, covered: Rate, rejected: Rate) {
    covered.assert_at_least(0.93, name);
    rejected.assert_at_most(0.06, name);
}

#[test]
fn what_is_missing_by_chance_leaves_coverage_and_size_as_they_are() {
    for gaps in [Gaps::Random, Gaps::OwnStimuli] {
        for design in [&DESIGNS[0], &DESIGNS[2]] {
            let [covered, rejected, of_new, rejected_for_new] = of_subjects(design, gaps, (6, 48), experiments(300));
            covered.assert_at_least(0.93, design.name);
            if design.has_own_null() {
                rejected.assert_at_most(0.06, design.name);
            }
            check(design.name, of_new, rejected_for_new);
        }
    }
    let [covered, rejected] = of_composites(30, experiments(300));
    check("composites", covered, rejected);
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_missing_values() {
    const N_STIMULI: [usize; 3] = [30, 60, 100];
    const N_EXPERIMENTS: usize = 400;
    let names = [
        "95% intervals of the mean over subjects that hold what new stimuli would give of these subjects, in %.",
        "Sign-flip tests of two equal systems that give p ≤ 0.05, in %, for these subjects.",
        "95% intervals for new subjects and new stimuli (`--new-subjects`), in %.",
        "Tests of two systems that are equal on average over subjects that give p ≤ 0.05, in %, with `--new-subjects`.",
    ];
    let mut tables = names.map(|name| Rates::new(name, &N_STIMULI));
    for n_subjects in [4, 8] {
        for (gaps, name) in [(Gaps::Random, "15% of cells"), (Gaps::OwnStimuli, "stimuli of other subjects")] {
            for design in &DESIGNS {
                let found = N_STIMULI.map(|n| of_subjects(design, gaps, (n_subjects, n), N_EXPERIMENTS));
                let row = format!("{n_subjects} subjects, {}, {name}", design.name);
                // For these subjects, their differences add the same to every score.
                let is_of_these = |what: usize| what < 2 && design.has_own_null();
                let is_of_new = |what: usize| what >= 2 && n_subjects > 4;
                for (what, table) in
                    tables.iter_mut().enumerate().filter(|(what, _)| is_of_these(*what) || is_of_new(*what))
                {
                    let rates = found.map(|rates| rates[what]);
                    table.row(&row, &rates);
                }
            }
        }
    }
    let composites = N_STIMULI.map(|n| of_composites(n, N_EXPERIMENTS));
    for (what, table) in tables.iter_mut().take(2).enumerate() {
        let row = "a composite, one of three parts lacks 28% of pairs, another 10%";
        table.row(row, &composites.map(|rates| rates[what]));
    }
    write_part("missing", &tables.iter().map(Rates::text).collect::<String>());
}

/// [`of_parts`] for the second system, whose first part is undefined in about three of ten pairs, depending on its
/// value.
fn of_failures(is_undefined: IsUndefined, n_pairs: usize, n_experiments: usize) -> [Rate; 2] {
    let is_undefined = |(system, part): (usize, usize), stimulus: f64, value: f64, _: &mut Draws| {
        part == 0 && is_undefined(system, stimulus, value)
    };
    of_parts(is_undefined, (89, 1), n_pairs, n_experiments)
}

/// Is the first part of this system undefined for this stimulus, given its otherwise defined value?
type IsUndefined = fn(usize, f64, f64) -> bool;

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_failures() {
    let ns = [30, 200];
    let rows: [(&str, IsUndefined); 3] = [
        ("where the stimulus is hard (28%)", |_, stimulus, _| stimulus < -0.0583),
        ("where a system's own result is poor (31%)", |_, _, value| value < 0.4106),
        ("only the second system's poor results (31%)", |system, _, value| system == 1 && value < 0.4106),
    ];
    let title = "How often the 95% interval of a system holds its mean over all pairs, in %, where what is missing would have been low.";
    let mut covered = Rates::new(title, &ns);
    let title = "Tests of two equal systems that give p ≤ 0.05, in %, where what is missing would have been low.";
    let mut rejected = Rates::new(title, &ns);
    for (name, is_undefined) in rows {
        let found = ns.map(|n| of_failures(is_undefined, n, 1_000));
        covered.row(name, &found.map(|rates| rates[0]));
        rejected.row(name, &found.map(|rates| rates[1]));
    }
    write_part("failures", &(covered.text() + &rejected.text()));
}
