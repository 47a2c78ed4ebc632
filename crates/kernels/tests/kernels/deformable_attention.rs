//! Tests of `blocks::deformable_attention`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

/// One head, one point, one channel, with the values of the maps and the given offsets.
fn look(maps: &[(usize, usize, Vec<f32>)], references: &References, offset: [f32; 2]) -> Result<f32> {
    let cpu = &Device::Cpu;
    let identity = Linear::new(&Tensor::new(&[[1_f32]], cpu)?, &Tensor::new(&[0_f32], cpu)?)?;
    let n = maps.len();
    let offsets = offset.repeat(n);
    let attention = DeformableAttention::new(
        (Tensor::zeros((2 * n, 1), candle_core::DType::F32, cpu)?, Tensor::from_vec(offsets, 2 * n, cpu)?),
        (
            Tensor::zeros((n, 1), candle_core::DType::F32, cpu)?,
            Tensor::zeros(n, candle_core::DType::F32, cpu)?,
        ),
        identity.clone(),
        identity,
        Samples {
            n_heads: 1,
            n_levels: n,
            n_points: 1,
        },
    )?;
    let sizes: Vec<(usize, usize)> = maps.iter().map(|(h, w, _)| (*h, *w)).collect();
    let memory: Vec<f32> = maps.iter().flat_map(|(_, _, values)| values.clone()).collect();
    let memory = Tensor::from_vec(memory.clone(), (memory.len(), 1), cpu)?;
    let query = Tensor::new(&[[0_f32]], cpu)?;
    Ok(attention.forward_residual(&query, references, &memory, &sizes, &query)?.to_vec2::<f32>()?[0][0])
}

fn map() -> (usize, usize, Vec<f32>) {
    (2, 3, vec![1.0, 2.0, 3.0, 10.0, 20.0, 30.0])
}

#[test]
fn the_middle_of_a_place_is_its_value_and_between_places_is_their_mean() -> Result<()> {
    let point = |x: f32, y: f32| References::Points(vec![[x / 3.0, y / 2.0]]);
    let at = |x, y, offset| look(&[map()], &point(x, y), offset);
    assert!((at(1.5, 1.5, [0.0, 0.0])? - 20.0).abs() < 1e-5);
    assert!((at(1.5, 1.0, [0.0, 0.0])? - 11.0).abs() < 1e-5);
    // One position to the right, half a position up.
    assert!((at(1.5, 1.5, [1.0, -0.5])? - 16.5).abs() < 1e-5);
    // Half of the point is outside the map, then all of it.
    assert!((at(3.0, 1.5, [0.0, 0.0])? - 15.0).abs() < 1e-5);
    assert_eq!(at(0.5, 0.5, [-1e30, 0.0])?, 0.0);
    assert!(at(0.5, 0.5, [f32::NAN, 0.0])?.is_nan());
    Ok(())
}

#[test]
fn offsets_from_a_box_are_in_halves_of_it() -> Result<()> {
    // The centre is in the middle of the first position; half the width is two positions.
    let whole = References::Boxes(vec![[0.5 / 3.0, 0.25, 4.0 / 3.0, 0.1]]);
    assert!((look(&[map()], &whole, [0.5, 0.0])? - 2.0).abs() < 1e-5);
    Ok(())
}

#[test]
fn maps_are_weighed_alike_where_their_scores_are() -> Result<()> {
    let maps = [map(), (1, 1, vec![100.0])];
    let point = References::Points(vec![[0.5, 0.75]]);
    // 20 plus three quarters of 100, since the point is a quarter below the middle of the only position.
    assert!((look(&maps, &point, [0.0, 0.0])? - 47.5).abs() < 1e-4);
    Ok(())
}
