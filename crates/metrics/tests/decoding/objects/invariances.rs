//! Properties of Object Recall, Precision and F1 for any boxes.

use crate::support::*;
use neurogauge_metrics::decoding::objects::ObjectScores;

const PRESETS: [Preset; 3] = [Preset::Official, Preset::Paper, Preset::Exact];
const VARIANTS: [Variant; 4] = [Variant::Existence, Variant::Size, Variant::Location, Variant::Number];
/// Scores are multiples of 1 / STEPS, so that integration over the middles of steps is exact.
const STEPS: u32 = 64;
const N_CATEGORIES: usize = 9;

fn all_options() -> impl Iterator<Item = ObjectOptions> {
    PRESETS.into_iter().flat_map(|preset| {
        VARIANTS.map(|variant| ObjectOptions {
            preset,
            variant,
            ..ObjectOptions::default()
        })
    })
}

fn any_detection() -> impl Strategy<Value = Detection> {
    let corner = || -20.0..400.0_f64;
    let extent = || 0.0..120.0_f64;
    (0..N_CATEGORIES, 0..=STEPS, corner(), corner(), extent(), extent()).prop_map(
        |(category, step, x0, y0, width, height)| Detection {
            category,
            score: f64::from(step) / f64::from(STEPS),
            bbox: bbox(x0, y0, x0 + width, y0 + height),
        },
    )
}

fn any_detections() -> impl Strategy<Value = Detections> {
    (prop::collection::vec(any_detection(), 0..25), any::<bool>()).prop_map(|(mut items, descending)| {
        if descending {
            items.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        Detections::of(items, Some((400.0, 300.0)))
    })
}

fn scores(gt: &Detections, recon: &Detections, options: &ObjectOptions) -> ObjectScores {
    object_scores(gt, recon, options).unwrap()
}

fn close(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-12,
        (a, b) => a == b,
    }
}

/// Eq. 1 at one threshold, from its definition.
fn recall_at(gt: &Detections, recon: &Detections, threshold: f64, number: bool) -> f64 {
    let count = |side: &Detections, category: usize| {
        side.items.iter().filter(|d: &&Detection| d.category == category && d.score >= threshold).count()
    };
    let (mut n_gt, mut found) = (0.0, 0.0);
    for category in 0..N_CATEGORIES {
        let (a, b) = (count(gt, category), count(recon, category));
        n_gt += if a > 0 { 1.0 } else { 0.0 };
        found += match (a, b) {
            (0, _) | (_, 0) => 0.0,
            _ if number => a.min(b) as f64 / a.max(b) as f64,
            _ => 1.0,
        };
    }
    found / n_gt
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2),
        ..ProptestConfig::with_cases(256)
    })]

    #[test]
    fn identical_sides_score_exactly_one(gt in any_detections()) {
        for options in all_options() {
            let found = scores(&gt, &gt, &options);
            for outcome in [found.recall, found.precision, found.f1].into_iter().flatten() {
                prop_assert_eq!(outcome, 1.0, "{:?}", options);
            }
        }
    }

    #[test]
    fn every_value_is_between_zero_and_one(gt in any_detections(), recon in any_detections()) {
        for options in all_options() {
            let found = scores(&gt, &recon, &options);
            for outcome in [found.recall, found.precision, found.f1].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&outcome), "{:?}: {}", options, outcome);
            }
        }
    }

    #[test]
    fn swapping_the_sides_swaps_recall_and_precision(
        gt in any_detections(),
        recon in any_detections(),
    ) {
        for options in all_options() {
            let (there, back) = (scores(&gt, &recon, &options), scores(&recon, &gt, &options));
            prop_assert_eq!(there.recall.ok(), back.precision.ok());
            prop_assert_eq!(there.precision.ok(), back.recall.ok());
            prop_assert_eq!(there.f1.is_ok(), back.f1.is_ok());
        }
    }

    #[test]
    fn category_numbers_are_only_names(gt in any_detections(), recon in any_detections()) {
        let renamed = |side: &Detections| {
            let mut side = side.clone();
            for detection in &mut side.items {
                detection.category = usize::MAX - (detection.category * 4) % N_CATEGORIES;
            }
            side
        };
        for options in all_options() {
            let before = scores(&gt, &recon, &options);
            let after = scores(&renamed(&gt), &renamed(&recon), &options);
            prop_assert!(close(&before.recall, &after.recall), "{:?}", options);
            prop_assert!(close(&before.precision, &after.precision), "{:?}", options);
            prop_assert!(close(&before.f1, &after.f1), "{:?}", options);
        }
    }

    #[test]
    fn the_order_of_the_file_matters_only_to_a_reader_that_stops(
        gt in any_detections(),
        recon in any_detections(),
    ) {
        let mut reversed = gt.clone();
        reversed.items.reverse();
        for options in all_options() {
            let options = ObjectOptions { stop_at_first_below: Some(false), ..options };
            prop_assert_eq!(
                scores(&gt, &recon, &options),
                scores(&reversed, &recon, &options)
            );
        }
    }

    #[test]
    fn a_second_box_with_a_lower_score_changes_nothing(
        gt in any_detections(),
        recon in any_detections(),
    ) {
        let doubled = |side: &Detections| {
            let mut side = side.clone();
            for index in 0..side.items.len() {
                let first = side.items[index];
                side.items.push(Detection { score: first.score * 0.75, ..first });
            }
            side
        };
        let options = ObjectOptions { preset: Preset::Exact, ..ObjectOptions::default() };
        prop_assert_eq!(
            scores(&gt, &recon, &options),
            scores(&doubled(&gt), &doubled(&recon), &options)
        );
    }

    #[test]
    fn the_closed_form_equals_numerical_integration(
        gt in any_detections(),
        recon in any_detections(),
    ) {
        for variant in [Variant::Existence, Variant::Number] {
            let options =
                ObjectOptions { preset: Preset::Exact, variant, ..ObjectOptions::default() };
            let highest = gt.items.iter().map(|d| d.score).fold(0.0, f64::max);
            let n_steps = (highest * f64::from(STEPS)) as u32;
            let sum: f64 = (0..n_steps)
                .map(|i| (f64::from(i) + 0.5) / f64::from(STEPS))
                .map(|t| recall_at(&gt, &recon, t, variant == Variant::Number))
                .sum();
            match scores(&gt, &recon, &options).recall {
                Ok(recall) => prop_assert!((recall - sum / f64::from(n_steps)).abs() <= 1e-12),
                Err(_) => prop_assert_eq!(n_steps, 0),
            }
        }
    }
}
