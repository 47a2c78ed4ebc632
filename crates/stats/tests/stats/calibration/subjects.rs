//! Several subjects on the same stimuli: means for these subjects, and for new ones.

use super::experiments;
use super::page::{Rate, Rates, write_part};
use super::populations::Draws;
use neurogauge_core::{Direction, Outcome, Seed};
use neurogauge_stats::{
    BootstrapOptions, PairedTest, SubjectPopulation, SubjectScores, compare_subjects, compare_systems, crossed_mean,
    student_reach,
};
use rayon::prelude::*;

/// Score = 0.5 + subject + stimulus + rest, of these standard deviations.
pub(super) struct Design {
    pub(super) name: &'static str,
    subject: f64,
    stimulus: f64,
    rest: f64,
    /// Of mean 0 and variance 1; of subjects and stimuli.
    draw: fn(&mut Draws) -> f64,
}

/// Gamma(1.5), turned round, as where few subjects and few stimuli fail.
const SKEWED: fn(&mut Draws) -> f64 = |draws| (1.5 - draws.gamma(1.5)) / 1.5_f64.sqrt();

pub(super) const DESIGNS: [Design; 4] = [
    Design {
        name: "half of the variance is the stimulus's, subjects alike",
        subject: 0.0,
        stimulus: 0.14,
        rest: 0.14,
        draw: Draws::normal,
    },
    Design {
        name: "the same, subjects differ (SD 0.03)",
        subject: 0.03,
        stimulus: 0.14,
        rest: 0.14,
        draw: Draws::normal,
    },
    Design {
        name: "the same, subjects differ much (SD 0.1)",
        subject: 0.1,
        stimulus: 0.14,
        rest: 0.14,
        draw: Draws::normal,
    },
    Design {
        name: "subjects differ (SD 0.05), all of it skewed",
        subject: 0.05,
        stimulus: 0.14,
        rest: 0.14,
        draw: SKEWED,
    },
];

/// Scores of two systems, of which the second differs by subject and by stimulus but not on average, by subject; and
/// the mean over the first system's subjects that very many stimuli would give.
pub(super) struct Drawn {
    pub(super) systems: [Vec<Vec<f64>>; 2],
    pub(super) of_these: f64,
}

impl Design {
    /// Subjects of two systems differ by chance, which is no null hypothesis about these subjects.
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
            let table = table.collect::<Vec<Vec<f64>>>();
            (table, 0.5 + subjects.iter().sum::<f64>() / n_subjects as f64)
        };
        let ((one, of_these), (other, _)) = (system(), system());
        Drawn {
            systems: [one, other],
            of_these,
        }
    }
}

pub(super) fn options(experiment: usize) -> BootstrapOptions {
    BootstrapOptions {
        resamples: 400,
        seed: Seed(experiment as u64),
        ..BootstrapOptions::default()
    }
}

pub(super) fn holds(interval: Option<(f64, f64)>, truth: f64) -> Option<bool> {
    interval.map(|(low, high)| low <= truth && truth <= high)
}

fn outcomes(values: &[f64]) -> Vec<Outcome> {
    values.iter().map(|&value| Ok(value)).collect()
}

/// A table without a gap.
fn cells(table: &[Vec<f64>]) -> Vec<Vec<Option<f64>>> {
    let of_subject = |values: &Vec<f64>| values.iter().copied().map(Some).collect();
    table.iter().map(of_subject).collect()
}

/// For these subjects: coverage of the mean of one system, and how often the difference of two equal ones is
/// significant. As `compare_subjects` does it, and with all pairs of all subjects taken as independent.
fn of_these(design: &Design, (n_subjects, n_stimuli): (usize, usize), n_experiments: usize) -> [(Rate, Rate); 2] {
    let equal = design.of_equal_subjects();
    let experiment = |place: usize| {
        let mut draws = Draws::of(71, place);
        let drawn = design.draw(n_subjects, n_stimuli, &mut draws);
        let null = equal.draw(n_subjects, n_stimuli, &mut draws);
        let test = (PairedTest::SignFlip, 1);
        let options = options(place);
        let averaged = |systems: &[Vec<Vec<f64>>]| {
            let columns: Vec<Vec<Vec<Outcome>>> =
                (systems.iter()).map(|subjects| subjects.iter().map(|values| outcomes(values)).collect()).collect();
            let systems: Vec<Vec<SubjectScores<'_>>> = (columns.iter())
                .map(|subjects| {
                    let subjects = subjects.iter().map(|column| SubjectScores {
                        columns: vec![column.as_slice()],
                        pseudo_values: None,
                        too_low_by: 0.0,
                    });
                    subjects.collect()
                })
                .collect();
            let stimuli: Vec<usize> = (0..n_stimuli).collect();
            let population = SubjectPopulation::These;
            let direction = Direction::Higher;
            compare_subjects(&systems, &stimuli, direction, test, population, &options).unwrap().comparison
        };
        let pooled = |systems: &[Vec<Vec<f64>>]| {
            let columns: Vec<Vec<Outcome>> = systems.iter().map(|s| outcomes(&s.concat())).collect();
            let columns: Vec<Vec<&[Outcome]>> = columns.iter().map(|c| vec![&c[..]]).collect();
            compare_systems(&columns, Direction::Higher, test, &options).unwrap()
        };
        let [one, _] = &drawn.systems;
        let alone = std::slice::from_ref(one);
        let found = [(averaged(alone), averaged(&null.systems)), (pooled(alone), pooled(&null.systems))];
        found.map(|(mean, null)| {
            let interval = mean.systems[0].estimate.interval;
            let p = null.differences[0].p_value;
            (holds(interval, drawn.of_these), p.map(|p| p <= 0.05))
        })
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(experiment).collect();
    [0, 1].map(|way| {
        let (covered, rejected): (Vec<_>, Vec<_>) = all.iter().map(|found| found[way]).unzip();
        (Rate::of(&covered), Rate::of(&rejected))
    })
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
            p_value.map(|p| p <= 0.05),
        ]
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(experiment).collect();
    [0, 1, 2, 3].map(|what| Rate::of(&all.iter().map(|found| found[what]).collect::<Vec<_>>()))
}

#[test]
fn means_over_subjects_are_covered_and_tests_keep_their_size() {
    for design in &DESIGNS {
        let [(covered, rejected), (pooled, false_alarms)] = of_these(design, (4, 100), experiments(300));
        let name = design.name;
        let slack = |rate: Rate, bound: f64| 4.0 * rate.standard_error(bound);
        assert!(covered.share() >= 0.93 - slack(covered, 0.93), "{name}: {covered:?}");
        assert!(rejected.share() <= 0.06 + slack(rejected, 0.06), "{name}: {rejected:?}");
        assert!(pooled.share() < 0.87 && false_alarms.share() > 0.07, "{name}: {pooled:?} {false_alarms:?}");
        let [covered, over_subjects, bootstrap, rejected] = of_new(design, (5, 100), experiments(400));
        assert!(covered.share() >= 0.92 - slack(covered, 0.92), "{name}: {covered:?}");
        assert!(rejected.share() <= 0.06 + slack(rejected, 0.06), "{name}: {rejected:?}");
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
        "subjects, what is done",
        &N_STIMULI,
    );
    let mut sizes = Rates::new(
        "Sign-flip tests of two equal systems, each of four subjects, that give p ≤ 0.05, in %.",
        "subjects, what is done",
        &N_STIMULI,
    );
    for (place, design) in DESIGNS.iter().enumerate() {
        let all = N_STIMULI.map(|n| of_these(design, (4, n), N_EXPERIMENTS));
        for (way, name) in ways.iter().enumerate() {
            let row = format!("{}, {name}", design.name);
            let rates: Vec<Rate> = all.iter().map(|found| found[way].0).collect();
            covered.row(&row, &N_STIMULI, &rates, (93.0, 97.0));
            // Without differences of subjects, the second and the third design are the first.
            if ![1, 2].contains(&place) {
                let rates: Vec<Rate> = all.iter().map(|found| found[way].1).collect();
                sizes.row(&row, &N_STIMULI, &rates, (0.0, 6.0));
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
    let columns = N_SUBJECTS.map(|n| n * 100);
    let all = DESIGNS
        .each_ref()
        .map(|design| N_SUBJECTS.map(|n_subjects| of_new(design, (n_subjects, 100), N_EXPERIMENTS)));
    for (what, name) in names.iter().enumerate() {
        let sound = if what == 3 { (0.0, 6.0) } else { (93.0, 97.0) };
        let mut table = Rates::named(name, "subjects", &N_SUBJECTS.map(|n| format!("{n} subjects")));
        for (design, found) in DESIGNS.iter().zip(&all) {
            let rates: Vec<Rate> = found.iter().map(|found| found[what]).collect();
            table.row(design.name, &columns, &rates, sound);
        }
        text += &table.text();
    }
    write_part("subjects", &text);
}
