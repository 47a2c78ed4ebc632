//! Tests of `blocks::rotary`.

use neurogauge_kernels::blocks::*;

#[test]
fn pairs_stand_half_a_head_apart_and_later_ones_turn_slower() {
    // The angle of the first pair is 1 per position, that of the second 1 / 10,000^(2 / 4).
    let turns = Rotary::new(4, 10_000.0).turns(3);
    assert_eq!(turns.n_positions(), 3);
    let mut heads = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0];
    turns.turn(2, &mut heads);
    let expected = [
        2_f64.cos(),
        -(0.02_f64.sin()),
        2_f64.sin(),
        0.02_f64.cos(),
        -2.0 * 2_f64.sin(),
        0.0,
        2.0 * 2_f64.cos(),
        0.0,
    ];
    for (value, expected) in heads.iter().zip(expected) {
        assert!((f64::from(*value) - expected).abs() < 3e-7, "{heads:?}");
    }
}

#[test]
fn neighbours_turn_together_where_they_are_the_pairs() {
    let angles = [0.0, 0.0, 0.5, 2.0];
    let turned = |pairs, values: [f32; 4]| {
        let mut head = values;
        Turns::new(angles, 2, pairs).turn(1, &mut head);
        head
    };
    let [a, b, c, d] = turned(Pairs::Halves, [0.3, -1.0, 0.7, 2.0]);
    assert_eq!(turned(Pairs::Neighbours, [0.3, 0.7, -1.0, 2.0]), [a, c, b, d]);
}

#[test]
fn the_first_position_stays() {
    let mut head = [0.25, -3.0, 7.5, 0.5];
    Rotary::new(4, 1e6).turns(1).turn(0, &mut head);
    assert_eq!(head, [0.25, -3.0, 7.5, 0.5]);
}

#[test]
fn products_depend_on_the_distance_only() {
    let turns = Rotary::new(6, 100.0).turns(40);
    let turned = |position: usize, values: [f32; 6]| {
        let mut head = values;
        turns.turn(position, &mut head);
        head
    };
    let query = [0.3, -1.0, 0.7, 2.0, -0.2, 0.5];
    let key = [1.1, 0.4, -0.6, 0.9, 0.8, -1.5];
    let product =
        |at: usize, to: usize| -> f32 { turned(at, query).into_iter().zip(turned(to, key)).map(|(a, b)| a * b).sum() };
    assert!((product(9, 4) - product(37, 32)).abs() < 1e-5);
    assert!((product(9, 4) - product(9, 3)).abs() > 1e-2);
}
