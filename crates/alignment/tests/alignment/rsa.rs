//! Representational similarity against rsatoolbox (`reference/rsa.py`), by hand, and on populations whose truth is known.

use crate::goldens::{assert_all_near, assert_near, integers};
use crate::prelude::*;
use crate::rates::{Rate, holds, is_significant, tables, write_part};
use neurogauge_alignment::rsa::*;
use neurogauge_stats::BootstrapOptions;
use rand::RngExt;

const N_STIMULI: usize = 12;
const N_CHANNELS: usize = 9;
const N_REPEATS: usize = 3;

/// The twin of `patterns` in the reference script.
fn patterns(name: &str) -> Matrix {
    let [shared, own] = ["shared", name].map(|name| noise(name, N_STIMULI, N_CHANNELS));
    Matrix::from_fn(N_STIMULI, N_CHANNELS, |i, j| shared.get(i, j) + own.get(i, j))
}

/// The twin of `trials`; trials come in the order of repeats, then of stimuli.
fn trials(name: &str, rows: &[usize]) -> Trials {
    let n_trials = N_REPEATS * N_STIMULI;
    let own = noise(&format!("{name} noise"), n_trials, N_CHANNELS);
    let common = noise(&format!("{name} common"), n_trials, 1);
    let patterns = patterns(name);
    let responses = Matrix::from_fn(rows.len(), N_CHANNELS, |row, voxel| {
        let trial = rows[row];
        patterns.get(trial % N_STIMULI, voxel) + 0.7 * (own.get(trial, voxel) + common.get(trial, 0))
    });
    let stimuli: Vec<usize> = rows.iter().map(|trial| trial % N_STIMULI).collect();
    Trials::new(&Unit::new("s", "", "V1"), responses, &stimuli, N_STIMULI).unwrap()
}

fn distances(name: &str) -> Dissimilarities {
    Dissimilarities::of(&patterns(name), Dissimilarity::Correlation).unwrap()
}

/// As of a model with few levels.
fn tied(own: &Dissimilarities) -> Dissimilarities {
    square(own.n_stimuli(), |i, j| (2.0 * own.get(i, j)).round_ties_even())
}

fn square(n: usize, value: impl Fn(usize, usize) -> f64) -> Dissimilarities {
    Dissimilarities::from_fn(vec![true; n], value)
}

/// Over all stimuli, each once.
fn compared(one: &Dissimilarities, other: &Dissimilarities, comparison: RdmComparison) -> Outcome {
    compare_dissimilarities(one, other, comparison, &vec![1; one.n_stimuli()]).unwrap()
}

const COMPARISONS: [RdmComparison; 6] = [
    RdmComparison::Spearman,
    RdmComparison::KendallTauA,
    RdmComparison::KendallTauB,
    RdmComparison::Pearson,
    RdmComparison::Cosine,
    RdmComparison::WhitenedCosine,
];

fn options(resamples: usize) -> BootstrapOptions {
    BootstrapOptions {
        resamples,
        ..BootstrapOptions::default()
    }
}

#[test]
fn dissimilarities_equal_rsatoolbox_and_scipy() {
    let golden = &read("rsa.json")["dissimilarities"];
    let kinds = [Dissimilarity::Correlation, Dissimilarity::Cosine, Dissimilarity::SquaredEuclidean];
    for kind in kinds {
        let found = Dissimilarities::of(&patterns("one"), kind).unwrap();
        assert_all_near(&words::word_of(&kind), found.values(), &golden[words::word_of(&kind)]);
    }
    let all: Vec<usize> = (0..N_REPEATS * N_STIMULI).collect();
    let found = Dissimilarities::of_trials(&trials("one", &all), Dissimilarity::Crossnobis).unwrap();
    assert_all_near("crossnobis", found.values(), &golden["crossnobis"]);
}

#[test]
fn comparisons_equal_rsatoolbox_on_all_on_resampled_and_on_missing_stimuli() {
    let golden = read("rsa.json");
    let one = distances("one");
    for comparison in COMPARISONS {
        let golden = &golden["comparisons"][words::word_of(&comparison)];
        for (name, other) in [("two", distances("two")), ("tied", tied(&distances("two")))] {
            let what = format!("{comparison:?} {name}");
            let of = |one: &Dissimilarities, other: &Dissimilarities| compared(one, other, comparison).unwrap();
            assert_near(&what, of(&one, &other), &golden["all"][name]);
            // A subject that lacks stimuli.
            let places: Vec<usize> = (0..N_STIMULI).filter(|stimulus| ![4, 7].contains(stimulus)).collect();
            let of_places = square(places.len(), |i, j| one.get(places[i], places[j]));
            assert_near(&what, of(&of_places.among(&places, N_STIMULI), &other), &golden["absent"][name]);
        }
    }
    assert_eq!(integers(&golden["absent"]), [4, 7]);
}

/// A resample counts copies of a stimulus; rsatoolbox has them side by side.
#[test]
fn a_single_resample_equals_that_of_rsatoolbox() {
    let golden = read("rsa.json");
    let mut drawn = vec![0; N_STIMULI];
    integers(&golden["drawn"]).iter().for_each(|&stimulus| drawn[stimulus] += 1);
    for comparison in COMPARISONS {
        let found = compare_dissimilarities(&distances("one"), &distances("two"), comparison, &drawn).unwrap();
        let expected = &golden["comparisons"][words::word_of(&comparison)]["drawn"];
        assert_near(&format!("{comparison:?}"), found.unwrap(), &expected["two"]);
        let found = compare_dissimilarities(&distances("one"), &tied(&distances("two")), comparison, &drawn).unwrap();
        assert_near(&format!("{comparison:?} tied"), found.unwrap(), &expected["tied"]);
    }
}

#[test]
fn values_of_subjects_and_ceilings_equal_rsatoolbox() {
    let golden = &read("rsa.json")["evaluations"];
    let sources = [distances("one"), distances("two"), tied(&distances("two"))];
    let subjects: Vec<Dissimilarities> = (0..4).map(|place| distances(&format!("subject {place}"))).collect();
    for comparison in COMPARISONS {
        let golden = &golden[words::word_of(&comparison)];
        let found = evaluate_rsa(&subjects, &sources, comparison, &options(2)).unwrap();
        for place in 0..sources.len() {
            let source = found.get(place, Quantity::Similarity).unwrap();
            let values: Vec<f64> = source.subjects.iter().cloned().map(Result::unwrap).collect();
            assert_all_near(&format!("{comparison:?} {place}"), &values, &golden["subjects"][place]);
        }
        for (place, quantity) in [Quantity::LowerCeiling, Quantity::UpperCeiling].into_iter().enumerate() {
            let value = found.get(1, quantity).unwrap().value.clone().unwrap();
            assert_near(&format!("{quantity:?}"), value, &golden["ceiling"][place]);
        }
    }
}

#[test]
fn variances_equal_rsatoolbox() {
    for case in list(&read("rsa.json")["variances"]) {
        let drawn: Vec<Vec<f64>> = list(&case["drawn"]).iter().map(numbers).collect();
        let n_stimuli = number(&case["n_stimuli"]) as usize;
        let found = two_factor_variance(&numbers(&case["observed"]), &drawn, n_stimuli).unwrap();
        assert_near("variance", found, &case["variance"]);
    }
    assert_eq!(two_factor_variance(&[1.0, 2.0], &[vec![1.0, 2.0]], 5), None);
    // One subject: n / (n − 1) times the variance over resamples, 2 / 1 · 2.
    assert_eq!(two_factor_variance(&[1.0], &[vec![0.0], vec![2.0]], 2), Some(4.0));
}

/// Repeats that some stimuli lack: unbiased all the same, and by hand.
#[test]
fn crossnobis_of_unequal_repeats_by_hand() {
    // One voxel with noise variance s²: distances are products of differences of different repeats, over s².
    let responses = Matrix::from_rows(5, 1, &[1.0, 3.0, 7.0, 4.0, 6.0]).unwrap();
    let own = Trials::new(&Unit::new("s", "", "V1"), responses, &[0, 0, 0, 1, 1], 2).unwrap();
    let found = Dissimilarities::of_trials(&own, Dissimilarity::Crossnobis).unwrap();
    // Residuals −8/3, −2/3, 10/3; −1, 1: s² = (168/9 + 2) / 3. Mean products of different repeats: 31/3 of the first,
    // 24 of the second, and (1·6 + 3·4 + 7·4 + 7·6) / 4 = 22 between them.
    let noise = (168.0 / 9.0 + 2.0) / 3.0;
    assert!((found.values()[0] - (31.0 / 3.0 + 24.0 - 44.0) / noise).abs() < 1e-12, "{:?}", found.values());

    let once: Vec<usize> = (0..N_REPEATS * N_STIMULI).filter(|trial| trial % N_STIMULI != 5 || *trial == 5).collect();
    let error = Dissimilarities::of_trials(&trials("one", &once), Dissimilarity::Crossnobis).unwrap_err();
    assert!(error.to_string().starts_with("s V1: stimulus 5 has 1 repeat; "), "{error}");
}

#[test]
fn patterns_that_have_no_dissimilarity_are_missing() {
    let rows = [0.1, 0.1, 0.1, 1.0, 2.0, 3.0, f64::NAN, f64::NAN, f64::NAN, 3.0, 1.0, 2.0, 0.0, 0.0, 0.0];
    let own = Matrix::from_rows(5, 3, &rows).unwrap();
    let present = |kind| Dissimilarities::of(&own, kind).unwrap().is_present().to_vec();
    assert_eq!(present(Dissimilarity::Correlation), [false, true, false, true, false]);
    assert_eq!(present(Dissimilarity::Cosine), [true, true, false, true, false]);
    assert_eq!(present(Dissimilarity::SquaredEuclidean), [true, true, false, true, true]);
    let error = |own: &Matrix, kind| Dissimilarities::of(own, kind).unwrap_err().to_string();
    let infinite = Matrix::from_rows(1, 2, &[1.0, f64::INFINITY]).unwrap();
    assert!(error(&infinite, Dissimilarity::Cosine).starts_with("the pattern of stimulus 0 is inf in channel 1"));
    assert!(error(&own, Dissimilarity::Crossnobis).contains("takes trials with repeats"));
    // As the files of a run have them: symmetric, 0 on the diagonal, NaN for a missing stimulus.
    let all = Dissimilarities::of(&own, Dissimilarity::SquaredEuclidean).unwrap().square();
    // (0.9² + 1.9² + 2.9²) / 3 of stimuli 0 and 1.
    assert!((all[1] - 12.83 / 3.0).abs() < 1e-12 && all[1] == all[5]);
    assert!((0..5).all(|i| (all[6 * i] == 0.0) == (i != 2) && all[5 * i + 2].is_nan() && all[10 + i].is_nan()));
    let constant = square(4, |_, _| 1.0);
    let found = compare_dissimilarities(&constant, &distances("one"), RdmComparison::Cosine, &[1; 4]).unwrap_err();
    assert!(found.to_string().contains("has 12 stimuli, expected 4"));
    for comparison in [RdmComparison::Spearman, RdmComparison::Pearson, RdmComparison::KendallTauA] {
        assert!(compared(&constant, &constant, comparison).is_err(), "{comparison:?}");
    }
    let itself = compared(&constant, &constant, RdmComparison::WhitenedCosine);
    assert!((itself.unwrap() - 1.0).abs() < 1e-12);
}

/// Subjects see what models see, through noise of their own; a model may see `seen` of it.
struct Population {
    n_subjects: usize,
    n_stimuli: usize,
}

impl Population {
    fn matrix(&self, seed: u64, stream: u64) -> Matrix {
        let mut rng = Seed(seed).stream(stream);
        let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        Matrix::from_fn(self.n_stimuli, 16, |_, _| normal())
    }

    /// Latents of the stimuli, and subjects' dissimilarities; each subject weighs the latents in its own way.
    fn draw(&self, seed: u64) -> (Matrix, Vec<Dissimilarities>) {
        let latents = self.matrix(seed, 0);
        let subjects = (0..self.n_subjects).map(|subject| {
            let noise = self.matrix(seed, 100 + subject as u64);
            let gains = self.matrix(seed, 1000 + subject as u64);
            let own = Matrix::from_fn(self.n_stimuli, 16, |i, j| {
                latents.get(i, j) * (1.0 + 0.5 * gains.get(0, j)) + noise.get(i, j)
            });
            Dissimilarities::of(&own, Dissimilarity::Correlation).unwrap()
        });
        let subjects = subjects.collect();
        (latents, subjects)
    }

    fn model(&self, latents: &Matrix, seen: f64, seed: u64, stream: u64) -> Dissimilarities {
        let noise = self.matrix(seed, stream);
        let own = Matrix::from_fn(self.n_stimuli, 16, |i, j| seen * latents.get(i, j) + noise.get(i, j));
        Dissimilarities::of(&own, Dissimilarity::Correlation).unwrap()
    }
}

const POPULATIONS: [(&str, Population); 3] = [
    (
        "8 subjects",
        Population {
            n_subjects: 8,
            n_stimuli: 24,
        },
    ),
    (
        "5 subjects",
        Population {
            n_subjects: 5,
            n_stimuli: 40,
        },
    ),
    (
        "1 subject",
        Population {
            n_subjects: 1,
            n_stimuli: 80,
        },
    ),
];

impl Population {
    /// How often the interval of a model holds the truth, two models that see equally much are ranked, one that sees nothing
    /// has a p of 0.05 or less, and one that sees.
    fn rates(&self, n_runs: u64) -> [Rate; 4] {
        let runs = (0..n_runs).into_par_iter().map(|seed| {
            let (latents, subjects) = self.draw(seed);
            let models = [(1.0, 1), (1.0, 2), (0.0, 3)];
            let models = models.map(|(seen, stream)| self.model(&latents, seen, seed, stream));
            evaluate_rsa(&subjects, &models, RdmComparison::Spearman, &options(200)).unwrap()
        });
        let runs: Vec<RegionEstimates> = runs.collect();
        let of = |run: &RegionEstimates, source: usize| run.get(source, Quantity::Similarity).unwrap().clone();
        // Each run draws stimuli, subjects and models again, so the mean over runs is the truth.
        let truth = runs.iter().map(|run| of(run, 0).value.unwrap()).sum::<f64>() / n_runs as f64;
        let rate =
            |what: &dyn Fn(&RegionEstimates) -> Option<bool>| Rate::of(&runs.iter().map(what).collect::<Vec<_>>());
        [
            rate(&|run| holds(of(run, 0).interval, truth)),
            rate(&|run| is_significant(run.differences[0].estimate.p)),
            rate(&|run| is_significant(of(run, 2).p)),
            rate(&|run| is_significant(of(run, 0).p_corrected)),
        ]
    }
}

#[test]
fn intervals_cover_equal_models_are_not_ranked_and_noise_is_not_claimed() {
    for (name, population) in POPULATIONS {
        let [covered, ranked, claimed, seen] = population.rates(60).map(|rate| rate.share());
        // Three standard errors of a share of 5% in 60 runs are 8%. Resamples count pairs without structure three times,
        // so intervals are wide.
        let is_right = covered >= 0.87 && ranked <= 0.13 && claimed <= 0.13 && seen > 0.5;
        assert!(is_right, "{name}: {covered} {ranked} {claimed} {seen}");
    }
}

#[test]
#[ignore = "minutes; make calibration-align"]
fn table_of_similarities() {
    let cases = POPULATIONS.map(|(name, population)| {
        let [covered, ranked, claimed, _] = population.rates(300);
        (name, population.n_stimuli, [covered, claimed, ranked])
    });
    let titles = [
        "95% intervals of similarities of dissimilarities that hold the truth, in %.",
        "Sources without information, p ≤ 0.05, in %.",
        "Differences of two models that see equally much, p ≤ 0.05, in %.",
    ];
    write_part("rsa", &tables(titles, &cases));
}

/// Dissimilarities that vary little have a high cosine with any others, so that a source without information seems
/// better than another one. Correlations have a chance of 0.
#[test]
fn cosines_of_noise_claim_nothing() {
    let population = Population {
        n_subjects: 5,
        n_stimuli: 24,
    };
    let runs = (0..60).into_par_iter().map(|seed| {
        let (latents, subjects) = population.draw(seed);
        let own = population.model(&latents, 0.0, seed, 1);
        let varied = population.model(&latents, 0.0, seed, 2);
        let varied = square(24, |i, j| varied.get(i, j).powi(4));
        let of = |comparison| evaluate_rsa(&subjects, &[own.clone(), varied.clone()], comparison, &options(100));
        [RdmComparison::Cosine, RdmComparison::Pearson].map(|comparison| of(comparison).unwrap())
    });
    let runs: Vec<[RegionEstimates; 2]> = runs.collect();
    let share = |of: &dyn Fn(&RegionEstimates) -> bool, place: usize| {
        runs.iter().filter(|run| of(&run[place])).count() as f64 / runs.len() as f64
    };
    let is_low = |p: Option<f64>| p.is_some_and(|p| p <= 0.05);
    let is_claimed = |run: &RegionEstimates| {
        is_low(run.differences[0].estimate.p) || is_low(run.get(0, Quantity::Similarity).unwrap().p)
    };
    let is_apart = |run: &RegionEstimates| run.differences[0].estimate.interval.unwrap().0 > 0.0;
    // The cosine itself is higher.
    assert!(share(&is_apart, 0) > 0.9);
    assert_eq!(share(&is_claimed, 0), 0.0);
    // Two tests of 5% each; three standard errors of 10% in 60 runs are 12%.
    assert!(share(&is_claimed, 1) <= 0.22);
}

#[test]
fn a_single_subject_has_no_ceiling() {
    let sources = [distances("one"), distances("two")];
    let found = evaluate_rsa(&[distances("subject 0")], &sources, RdmComparison::Cosine, &options(50)).unwrap();
    assert_eq!(found.sources[0].len(), 1);
    assert!(found.get(0, Quantity::LowerCeiling).is_none());
    assert!(found.get(0, Quantity::Similarity).unwrap().interval.is_some());
    assert!(evaluate_rsa(&[], &sources, RdmComparison::Cosine, &options(50)).is_err());
}
