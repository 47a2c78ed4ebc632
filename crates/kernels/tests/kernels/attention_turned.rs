//! Tests of `blocks::attention::turned`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn rows_are_turned_by_their_places_or_by_themselves() -> Result<()> {
    let rows = Tensor::new(&[[1_f32, 0.0, 5.0]; 3], &Device::Cpu)?;
    let sequences = Sequences::new([1, 2]);
    let turned = |turns: &Turns| turn_rows(&rows, &sequences, turns, 2)?.to_vec2::<f32>();
    let turns = Rotary::new(2, 10.0).turns(3);
    let row = |angle: f32| vec![angle.cos(), angle.sin(), 5.0];
    assert_eq!(turned(&turns)?, [row(0.0), row(0.0), row(1.0)]);
    let of_rows = turns.clone().of_rows();
    assert_eq!(turned(&of_rows)?, [row(0.0), row(1.0), row(2.0)]);
    let halved = turned(&of_rows.scaled(0.5))?;
    assert_eq!(halved[1], [0.5 * 1_f32.cos(), 0.5 * 1_f32.sin(), 5.0]);
    assert!(turned(&Rotary::new(2, 10.0).turns(2).of_rows()).is_err());
    Ok(())
}
