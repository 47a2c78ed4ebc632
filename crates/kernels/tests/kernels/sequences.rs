//! Tests of `blocks::sequences`.

use neurogauge_kernels::blocks::*;

#[test]
fn lengths_become_ranges_and_positions() {
    let sequences = Sequences::new([2, 3, 1]);
    assert_eq!(sequences.n_sequences(), 3);
    assert_eq!(sequences.rows().collect::<Vec<_>>(), [0..2, 2..5, 5..6]);
    assert_eq!(sequences.positions(), [0, 1, 0, 1, 2, 0]);
}

#[test]
fn an_arrangement_knows_its_way_back() {
    let rows = vec![Some(2), None, Some(0)];
    let arrangement = Arrangement::new(Sequences::new([2, 1]), rows, 4);
    assert_eq!(arrangement.places(), [Some(2), None, Some(0), None]);
    assert_eq!(arrangement.sequences().n_sequences(), 2);
}
