//! Tests of `blocks::windows`.

use neurogauge_kernels::blocks::*;

const NONE: Seam = Seam {
    rows: false,
    columns: false,
};

fn rows(windows: &Windows) -> Vec<Option<u32>> {
    windows.arrangement.rows().to_vec()
}

#[test]
fn windows_go_on_at_the_opposite_edge() {
    let plain = Windows::new(1, (4, 4), 2, Shift::None);
    assert_eq!(rows(&plain)[4..8], [2, 3, 6, 7].map(Some));
    assert!((0..4).all(|window| plain.seam(window) == NONE));
    let shifted = Windows::new(1, (4, 4), 2, Shift::Always);
    assert_eq!(rows(&shifted)[..4], [5, 6, 9, 10].map(Some));
    assert_eq!(rows(&shifted)[12..], [15, 12, 3, 0].map(Some));
    assert_eq!(shifted.seam(0), NONE);
    assert!(!shifted.seam(1).rows && shifted.seam(1).columns);
    assert!(shifted.seam(2).rows && !shifted.seam(2).columns);
    assert!(shifted.seam(3).rows && shifted.seam(3).columns);
}

#[test]
fn a_direction_that_one_window_covers_is_not_shifted() {
    let shifted = Windows::new(2, (3, 5), 4, Shift::WhereThereAreSeveral);
    let columns = [[2, 3, 4].map(Some).to_vec(), vec![None]].concat();
    assert_eq!(rows(&shifted)[..4], columns);
    assert_eq!(rows(&shifted)[12..16], [None; 4]);
    // The second image.
    assert_eq!(rows(&shifted)[32..36], [Some(17), Some(18), Some(19), None]);
    assert!(!shifted.seam(3).rows && shifted.seam(3).columns);
}

#[test]
fn a_window_that_covers_the_map_may_be_shifted_too() {
    let shifted = Windows::new(1, (2, 2), 2, Shift::Always);
    assert_eq!(rows(&shifted), [3, 2, 1, 0].map(Some));
    assert!(shifted.seam(0).rows && shifted.seam(0).columns);
}
