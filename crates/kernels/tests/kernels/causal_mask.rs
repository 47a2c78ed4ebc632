//! Tests of `blocks::causal_mask`.

use neurogauge_kernels::blocks::*;

#[test]
fn a_token_sees_itself_and_what_is_before_it() {
    let mask = CausalMask::new(&Sequences::new([1, 3, 1]));
    let back = f32::NEG_INFINITY;
    let rows: Vec<&[f32]> = mask.of(mask.kind(1), 7).unwrap().chunks(score_stride(3)).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0][..3], [0.0, back, back]);
    assert_eq!(rows[1][..3], [0.0, 0.0, back]);
    assert_eq!(rows[2][..3], [0.0, 0.0, 0.0]);
    assert_eq!(mask.of(mask.kind(2), 0).unwrap()[0], 0.0);
}
