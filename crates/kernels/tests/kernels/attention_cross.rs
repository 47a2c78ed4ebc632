//! Tests of `blocks::attention::cross`.

use crate::made::{identity, noise};
use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

fn map(name: &str, [n_out, n_in]: [usize; 2]) -> (Tensor, Tensor) {
    (noise(name, &[n_out, n_in]), noise(&format!("{name}.bias"), &[n_out]))
}

#[test]
fn each_token_weighs_the_values_of_its_own_source() -> Result<()> {
    let cpu = &Device::Cpu;
    let (weight, bias) = identity(2);
    let attention = CrossAttention::new([(); 3].map(|()| identity(2)), Linear::new(&weight, &bias)?, 1)?;
    let tokens = Tensor::new(&[[[0_f32, 0.0], [2.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], cpu)?;
    let sources = Tensor::new(&[[[4_f32, 1.0], [0.0, 3.0]], [[1.0, 0.0], [3.0, 8.0]]], cpu)?;
    let residual = Tensor::new(&[[[0_f32, 0.0], [10.0, 0.0]], [[0.0, 0.0], [0.0, 20.0]]], cpu)?;
    let y = attention.forward_residual(&tokens, [&sources], &residual)?.to_vec3::<f32>()?;
    // A query of zeros weighs all keys equally.
    assert_eq!(y[0][0], [2.0, 2.0]);
    assert_eq!(y[1], [[2.0, 4.0], [2.0, 24.0]]);
    let weight = 1.0 / (1.0 + (-8.0 / 2.0_f32.sqrt()).exp());
    assert!((y[0][1][0] - 10.0 - 4.0 * weight).abs() < 1e-5, "{y:?}");
    assert!((y[0][1][1] - weight - 3.0 * (1.0 - weight)).abs() < 1e-5);
    Ok(())
}

/// More tokens than lanes, several heads.
#[test]
fn a_sequence_that_is_its_own_source_attends_to_itself() -> Result<()> {
    let (n_heads, width) = (3, 36);
    let square = |name| map(name, [width, width]);
    let maps = || ["query", "key", "value"].map(square);
    let output = Linear::new(&noise("output", &[width, width]), &noise("bias", &[width]))?;
    let x = noise("x", &[2, 37, width]);
    let own = SelfAttention::new(maps(), output.clone(), n_heads)?;
    let rows = x.flatten_to(1)?;
    let expected = own.forward_residual(&rows, &Sequences::new([37, 37]), &NoBias, &rows)?;
    let cross = CrossAttention::new(maps(), output, n_heads)?;
    let found = cross.forward_residual(&x, [&x], &x)?.flatten_to(1)?;
    assert_eq!(found.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);
    let plain = (cross.forward(&x, [&x])? + &x)?.flatten_all()?.to_vec1::<f32>()?;
    let found = found.flatten_all()?.to_vec1::<f32>()?;
    assert!(plain.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-5));
    Ok(())
}

/// Keys and values in one matrix give the same as in two; neither threads nor a matrix with a single sequence change
/// the result.
#[test]
fn sources_may_be_two_matrices() -> Result<()> {
    let maps = || [map("query", [12, 5]), map("key", [12, 7]), map("value", [12, 7])];
    let (weight, bias) = map("output", [5, 12]);
    let output = Linear::new(&weight, &bias)?;
    let (tokens, source) = (noise("tokens", &[2, 301, 5]), noise("x", &[2, 19, 7]));
    let together = CrossAttention::new(maps(), output.clone().shared(false), 3)?;
    let expected = together.forward_residual(&tokens, [&source], &tokens)?;
    let apart = CrossAttention::apart(maps(), output.shared(true), 3)?;
    let found = apart.forward_residual(&tokens, [&source, &source], &tokens)?;
    assert_eq!(found.to_vec3::<f32>()?, expected.to_vec3::<f32>()?);
    let (tokens, source) = (tokens.get(1)?, source.get(1)?);
    let found = apart.forward_residual(&tokens, [&source, &source], &tokens)?;
    let expected = expected.get(1)?;
    assert_eq!(found.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);
    let reversed = source.flip(&[0])?;
    let other = apart.forward_residual(&tokens, [&source, &reversed], &tokens)?;
    assert_ne!(other.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);
    Ok(())
}
