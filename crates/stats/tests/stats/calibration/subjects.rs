//! Several subjects with the same stimuli: means for these subjects, and for new ones.

use super::experiments;
use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, is_significant, rates, write_part};
use crate::support::*;

/// Score = 0.5 + subject + stimulus + rest, with these standard deviations.
pub(super) struct Design {
    pub(super) name: &'static str,
    subject: f64,
    stimulus: f64,
    rest: f64,
    /// Draws effects of subjects and stimuli, with mean 0 and variance 1.
    draw: fn(&mut Draws) -> f64,
}

/// Gamma(1.5), reversed, as if few subjects and few stimuli fail.
const SKEWED: fn(&mut Draws) -> f64 = |draws| (1.5 - draws.gamma(1.5)) / 1.5_f64.sqrt();

const fn design(name: &'static str, subject: f64, draw: fn(&mut Draws) -> f64) -> Design {
    let (stimulus, rest) = (0.14, 0.14);
    Design {
        name,
        subject,
        stimulus,
        rest,
        draw,
    }
}

pub(super) const DESIGNS: [Design; 4] = [
    design("half of the variance is the stimulus's, subjects alike", 0.0, Draws::normal),
    design("the same, subjects differ (SD 0.03)", 0.03, Draws::normal),
    design("the same, subjects differ much (SD 0.1)", 0.1, Draws::normal),
    design("subjects differ (SD 0.05), all of it skewed", 0.05, SKEWED),
];

/// Scores of two systems by subject; the second differs by subject and by stimulus, but not on average. Also the mean
/// over the first system's subjects for very many stimuli.
pub(super) struct Drawn {
    pub(super) systems: [Vec<Vec<f64>>; 2],
    pub(super) of_these: f64,
}

impl Design {
    /// Without their differences, subjects of designs called the same are those of the design before.
    pub(super) fn has_own_null(&self) -> bool {
        !self.name.starts_with("the same")
    }

    /// Removes the random difference of subjects between systems, since with it the null hypothesis about these
    /// subjects would be false.
    pub(super) fn of_equal_subjects(&self) -> Self {
        Design { subject: 0.0, ..*self }
    }

    pub(super) fn draw(&self, n_subjects: usize, n_stimuli: usize, draws: &mut Draws) -> Drawn {
        let of_all = |draws: &mut Draws, n: usize, scale: f64| -> Vec<f64> {
            (0..n).map(|_| scale * (self.draw)(draws)).collect()
        };
        let shared = of_all(draws, n_stimuli, self.stimulus / 2_f64.sqrt());
        let mut system = || {
            let subjects = of_all(draws, n_subjects, self.subject);
            let stimuli = of_all(draws, n_stimuli, self.stimulus / 2_f64.sqrt());
            let table = subjects.iter().map(|subject| {
                let stimuli = shared.iter().zip(&stimuli);
                stimuli.map(|(a, b)| 0.5 + subject + a + b + self.rest * draws.normal()).collect()
            });
            (table.collect::<Vec<Vec<f64>>>(), 0.5 + subjects.iter().sum::<f64>() / n_subjects as f64)
        };
        let ((one, of_these), (other, _)) = (system(), system());
        Drawn {
            systems: [one, other],
            of_these,
        }
    }
}

/// A table without missing cells.
fn cells(table: &[Vec<f64>]) -> Vec<Vec<Option<f64>>> {
    table.iter().map(|values: &Vec<f64>| values.iter().copied().map(Some).collect()).collect()
}

/// For these subjects: coverage of the mean of one system, and how often the difference of two equal ones is
/// significant; by `compare_subjects`, and with all pairs of all subjects as independent.
fn of_these(design: &Design, (n_subjects, n_stimuli): (usize, usize), n_experiments: usize) -> [(Rate, Rate); 2] {
    let equal = design.of_equal_subjects();
    let experiment = |place: usize| {
        let mut draws = Draws::of(71, place);
        let drawn = design.draw(n_subjects, n_stimuli, &mut draws);
        let null = equal.draw(n_subjects, n_stimuli, &mut draws);
        let options = options(400, place);
        let averaged = |systems: &[Vec<Vec<f64>>]| {
            let of_system = |subjects: &Vec<Vec<f64>>| subjects.iter().cloned().map(outcomes).collect();
            let tables: Vec<Vec<Vec<Outcome>>> = systems.iter().map(of_system).collect();
            compare_tables(&tables, SubjectPopulation::These, &options).comparison
        };
        let pooled = |systems: &[Vec<Vec<f64>>]| {
            let columns: Vec<Vec<Outcome>> = systems.iter().map(|s| outcomes(s.concat())).collect();
            compare_columns(&columns, &options)
        };
        let alone = std::slice::from_ref(&drawn.systems[0]);
        let covered = |found: Comparison| holds(found.systems[0].estimate.interval, drawn.of_these);
        let nulls = design.has_own_null().then_some(null.systems.as_slice());
        let rejected = |found: Option<Comparison>| is_significant(found?.differences[0].p_value);
        [
            covered(averaged(alone)),
            rejected(nulls.map(averaged)),
            covered(pooled(alone)),
            rejected(nulls.map(pooled)),
        ]
    };
    let [covered, rejected, pooled, false_alarms] = rates(n_experiments, experiment);
    [(covered, rejected), (pooled, false_alarms)]
}

/// For new subjects and new stimuli: coverage by [`crossed_mean`], by Student's t over the means of subjects, and by
/// percentiles of a bootstrap of subjects and of stimuli (Owen, 2007); and the size of the test of two systems that are
/// equal on average over subjects.
fn of_new(design: &Design, (n_subjects, n_stimuli): (usize, usize), n_experiments: usize) -> [Rate; 4] {
    let experiment = |place: usize| {
        let mut draws = Draws::of(73, place);
        let [one, other] = design.draw(n_subjects, n_stimuli, &mut draws).systems;
        let crossed = crossed_mean(&cells(&one), 0.95);
        let means: Vec<f64> = (one.iter()).map(|values| values.iter().sum::<f64>() / n_stimuli as f64).collect();
        let mean = means.iter().sum::<f64>() / n_subjects as f64;
        let squares = means.iter().map(|own| (own - mean).powi(2)).sum::<f64>();
        let error = (squares / (n_subjects * (n_subjects - 1)) as f64).sqrt();
        let reach = error * student_reach(n_subjects, 0.95);
        let mut replicates: Vec<f64> = (0..300)
            .map(|_| {
                let mut draw = |n: usize| -> Vec<usize> {
                    let below = |draws: &mut Draws| (draws.uniform() * n as f64) as usize;
                    (0..n).map(|_| below(&mut draws).min(n - 1)).collect()
                };
                let (subjects, stimuli) = (draw(n_subjects), draw(n_stimuli));
                let of = |&s: &usize| stimuli.iter().map(|&i| one[s][i]).sum::<f64>();
                subjects.iter().map(of).sum::<f64>() / (n_subjects * n_stimuli) as f64
            })
            .collect();
        replicates.sort_unstable_by(f64::total_cmp);
        let difference = |(a, b): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        let table: Vec<Vec<f64>> = one.iter().zip(&other).map(difference).collect();
        let p_value = crossed_mean(&cells(&table), 0.95).map(|found| found.p_value);
        [
            holds(crossed.and_then(|found| found.interval), 0.5),
            holds(Some((mean - reach, mean + reach)), 0.5),
            holds(Some((replicates[7], replicates[292])), 0.5),
            is_significant(p_value),
        ]
    };
    rates(n_experiments, experiment)
}

#[test]
fn means_over_subjects_are_covered_and_tests_keep_their_size() {
    for design in &DESIGNS {
        let [(covered, rejected), (pooled, false_alarms)] = of_these(design, (4, 50), experiments(300));
        let name = design.name;
        covered.assert_at_least(0.93, name);
        assert!(pooled.share() < 0.87, "{name}: {pooled:?}");
        if design.has_own_null() {
            rejected.assert_at_most(0.06, name);
            assert!(false_alarms.share() > 0.07, "{name}: {false_alarms:?}");
        }
        let [covered, over_subjects, bootstrap, rejected] = of_new(design, (5, 100), experiments(400));
        covered.assert_at_least(0.92, name);
        rejected.assert_at_most(0.06, name);
        let too_narrow = match design.subject {
            0.1 => bootstrap.share() < 0.9,
            0.0 => over_subjects.share() < 0.8,
            _ => over_subjects.share() < 0.93,
        };
        assert!(too_narrow, "{name}: {over_subjects:?} {bootstrap:?}");
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_subjects() {
    const N_STIMULI: [usize; 2] = [100, 500];
    const N_SUBJECTS: [usize; 3] = [4, 5, 8];
    const N_EXPERIMENTS: usize = 2000;
    let ways = ["averaged over subjects first", "pooled as independent pairs"];
    let mut covered = Rates::new(
        "95% intervals of the mean over four subjects that hold what new stimuli would give of these subjects, in %.",
        &N_STIMULI,
    );
    let mut sizes = Rates::new(
        "Sign-flip tests of two equal systems, each of four subjects, that give p ≤ 0.05, in %.",
        &N_STIMULI,
    );
    for design in &DESIGNS {
        let all = N_STIMULI.map(|n| of_these(design, (4, n), N_EXPERIMENTS));
        for (way, name) in ways.iter().enumerate() {
            let row = format!("{}, {name}", design.name);
            let rates: Vec<Rate> = all.iter().map(|found| found[way].0).collect();
            covered.row(&row, &rates);
            if design.has_own_null() {
                let rates: Vec<Rate> = all.iter().map(|found| found[way].1).collect();
                sizes.row(&row, &rates);
            }
        }
    }
    let names = [
        "95% intervals of the mean that hold what new subjects and new stimuli would give, in %: as `--new-subjects` makes them (none below five subjects).",
        "The same by Student's t over the means of subjects, which takes the 100 stimuli as given.",
        "The same by percentiles of resampled subjects and stimuli.",
        "Tests of two systems that are equal on average over subjects that give p ≤ 0.05, in %, as `--new-subjects` makes them.",
    ];
    let mut text = covered.text() + &sizes.text();
    let all = DESIGNS
        .each_ref()
        .map(|design| N_SUBJECTS.map(|n_subjects| of_new(design, (n_subjects, 100), N_EXPERIMENTS)));
    for (what, name) in names.iter().enumerate() {
        let mut table = Rates::named(name, &N_SUBJECTS.map(|n| format!("{n} subjects")));
        for (design, found) in DESIGNS.iter().zip(&all) {
            let rates: Vec<Rate> = found.iter().map(|found| found[what]).collect();
            table.row(design.name, &rates);
        }
        text += &table.text();
    }
    write_part("subjects", &text);
}
