//! Tests of the difference between two systems, and their verdicts.

use crate::batched_sign_flips::sign_flip_tests;
use crate::mean_of_means::FEWEST_RESAMPLED;
use crate::{BootstrapOptions, StatsError, TestedMean, holm, holm_can_reject, smallest_sign_flip_p, studentized_test};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use serde::{Deserialize, Serialize};

/// The test of the difference between two systems on the same pairs, which also gives its interval (convention
/// `paired-test`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairedTest {
    /// [`sign_flip_test`](crate::sign_flip_test): exact if the systems are exchangeable within every pair.
    #[default]
    SignFlip,
    /// [`studentized_test`]: for skewed differences.
    Studentized,
}

impl PairedTest {
    pub fn label(self) -> &'static str {
        match self {
            PairedTest::SignFlip => "sign-flip test",
            PairedTest::Studentized => "studentised bootstrap test",
        }
    }

    /// The smallest p value that the test can give for `n` pairs, in a family of `n_family` tests.
    pub fn smallest_p(self, n: usize, n_family: usize, options: &BootstrapOptions) -> f64 {
        match self {
            PairedTest::SignFlip => smallest_sign_flip_p(n, n_family, options.level),
            // Below six pairs this is Student's t test, whose p has no lower bound.
            PairedTest::Studentized if n < FEWEST_RESAMPLED => 0.0,
            PairedTest::Studentized => 2.0 / (1.0 + options.resamples as f64),
        }
    }

    /// Tests each of these differences between systems, the first minus the second.
    pub(crate) fn of_all(
        self,
        systems: &[Vec<f64>],
        differences: &[(usize, usize)],
        n_family: usize,
        options: &BootstrapOptions,
    ) -> Result<Vec<Option<TestedMean>>, StatsError> {
        match self {
            PairedTest::SignFlip => sign_flip_tests(systems, differences, n_family, options),
            PairedTest::Studentized => parallel::try_map_each(differences, |&(a, b)| {
                stop_if_asked();
                let values = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b);
                studentized_test(&values.collect::<Vec<f64>>(), options)
            }),
        }
    }
}

/// The verdict of a corrected test on two systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Different,
    NotShown,
    /// No difference, however large, could have been shown with so few pairs (or resamples) and so many differences.
    NotDecidable,
}

impl Verdict {
    pub fn id(self) -> &'static str {
        match self {
            Verdict::Different => "different",
            Verdict::NotShown => "not_shown",
            Verdict::NotDecidable => "not_decidable",
        }
    }

    /// For each test, its p value after Holm's correction over all tests, and the verdict at `alpha`.
    ///
    /// - Shapes: for each test its p value, and the smallest p value that it can give.
    /// - Errors: those of [`holm`].
    ///
    /// ```
    /// use neurogauge_stats::Verdict;
    /// // Five pairs and eight pairs, two tests: p (Holm) of five pairs cannot be below 0.0625.
    /// let found = Verdict::corrected(&[(0.0625, 1.0 / 16.0), (1.0 / 128.0, 1.0 / 128.0)], 0.05).unwrap();
    /// assert_eq!(found, [(0.0625, Verdict::NotDecidable), (1.0 / 64.0, Verdict::Different)]);
    /// ```
    pub fn corrected(tests: &[(f64, f64)], alpha: f64) -> Result<Vec<(f64, Verdict)>, StatsError> {
        let (p_values, smallest): (Vec<f64>, Vec<f64>) = tests.iter().copied().unzip();
        let can_reject = holm_can_reject(&p_values, &smallest, alpha)?;
        let verdict = |(p, can_reject): (f64, bool)| match (p <= alpha, can_reject) {
            (true, _) => (p, Verdict::Different),
            (false, true) => (p, Verdict::NotShown),
            (false, false) => (p, Verdict::NotDecidable),
        };
        Ok(holm(&p_values)?.into_iter().zip(can_reject).map(verdict).collect())
    }
}
