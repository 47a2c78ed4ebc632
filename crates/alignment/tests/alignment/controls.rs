//! The names of controls, and the shares of blocks.

use crate::prelude::*;
use neurogauge_alignment::internals::sets;

#[test]
fn a_baseline_is_read_as_it_is_written() {
    for baseline in [
        Baseline::Selected,
        Baseline::TargetPca(2),
        Baseline::TargetPcaMatched,
        Baseline::RandomDirections,
        Baseline::FixedRank(13),
        Baseline::ResponsePermutation,
        Baseline::BalancedPartitions,
    ] {
        assert_eq!(Baseline::try_from(baseline.to_string()), Ok(baseline));
    }
    assert!(Baseline::try_from("fixed-rank".to_owned()).is_err());
}

#[test]
fn names_are_those_of_configurations() {
    for control in Control::ALL {
        let written = serde_json::to_value(control).unwrap_or_default();
        assert_eq!(written, control.name());
    }
}

#[test]
fn many_blocks_have_no_sets_in_between() {
    assert_eq!(sets(2), [vec![0], vec![1], vec![0, 1]]);
    assert_eq!(sets(6).len(), 63);
    let many = sets(7);
    assert_eq!(many.len(), 15);
    assert_eq!((&many[0], &many[7]), (&vec![0], &vec![1, 2, 3, 4, 5, 6]));
}

#[test]
fn shapley_values_sum_to_the_whole_and_ignore_a_useless_block() {
    let value = |set: &[usize]| set.iter().filter(|&&b| b != 2).map(|&b| (b + 1) as f64).sum::<f64>().sqrt();
    let found = shapley_values(3, value);
    assert!((found.iter().sum::<f64>() - 3f64.sqrt()).abs() < 1e-15);
    assert_eq!(found[2], 0.0);
    assert!(found[1] > found[0]);
}
