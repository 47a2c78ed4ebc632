//! Ticks of axes and their labels.

use neurogauge_report::figures::internals::Axis;

#[test]
fn ticks_are_round_and_within_the_range() {
    let axis = Axis::around([0.0, 1.0], 6);
    assert_eq!(axis.labels, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert!((axis.share(0.5) - 0.5).abs() < 1e-12);
    for ends in [[-3.0, 7.0], [0.123, 0.1234], [1e-7, 3e-7], [-2e9, 5e8]] {
        let axis = Axis::around(ends, 6);
        assert!((2..=6).contains(&axis.ticks.len()), "{ends:?} {axis:?}");
        let inside = |tick: &f64| (axis.low..=axis.high).contains(tick);
        assert!(axis.ticks.iter().all(inside), "{axis:?}");
        let mut labels = axis.labels.clone();
        labels.dedup();
        assert_eq!(labels, axis.labels);
    }
}

#[test]
fn equal_values_get_a_range_around_them() {
    for value in [0.0, 5.0, -1e-12, 1e12] {
        let axis = Axis::around([value, value], 5);
        assert!(axis.low < value && value < axis.high, "{value}: {axis:?}");
        assert!(!axis.ticks.is_empty());
    }
    let almost = Axis::around([1e16, 1e16 + 2.0], 5);
    assert!(almost.ticks.len() <= 5);
    assert_eq!(Axis::around([], 5), Axis::around([0.0, 1.0], 5));
}

#[test]
fn labels_have_the_decimals_of_their_step() {
    let two = |low: f64, high: f64| Axis::exactly([low, high], 2).labels;
    assert_eq!(two(-0.3, 0.3), ["−0.2", "0.2"]);
    assert_eq!(two(-0.001, 0.001), ["−0.001", "0.001"]);
    assert_eq!(two(0.0, 0.0), ["−0.5", "0.5"]);
    for n in 2..9 {
        for (low, high) in [(0.0, 1e-12), (-1e-17, 1e-17), (0.1, 0.9), (3.0, 1e5)] {
            let axis = Axis::exactly([low, high], n);
            assert!((2..=n).contains(&axis.ticks.len()), "{n} {low} {high} {axis:?}");
            let is_short = |label: &String| label.chars().count() < 9;
            assert!(axis.labels.iter().all(is_short), "{axis:?}");
        }
    }
}

#[test]
fn wide_labels_leave_room_for_fewer_ticks() {
    let axis = Axis::around([123_456.0, 123_457.0], 8);
    assert!(axis.fitted(90.0, 8).ticks.len() < axis.ticks.len());
}
