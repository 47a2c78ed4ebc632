//! Tests of `blocks::mlp`.

use candle_core::{Device, Result, Tensor};
use neurogauge_core::synthetic::parameter;
use neurogauge_kernels::blocks::*;

fn tensor(name: &str, shape: &[usize]) -> Result<Tensor> {
    Tensor::from_vec(parameter(name, shape, 0), shape, &Device::Cpu)
}

/// More rows than fit between the maps at once, and a number that does not divide.
#[test]
fn parts_are_the_layers_one_after_the_other() -> Result<()> {
    let (n, n_inner, n_rows) = (6, 2048, 523);
    let expand = Linear::new(&tensor("a.weight", &[n_inner, n])?, &tensor("a", &[n_inner])?)?;
    let contract = Linear::new(&tensor("b.weight", &[n, n_inner])?, &tensor("b", &[n])?)?;
    let norm = LayerNorm::new(&tensor("c.weight", &[n])?, &tensor("c", &[n])?, 1e-5)?;
    let x = tensor("x", &[1, n_rows, n])?;
    let residual = tensor("residual", &[1, n_rows, n])?;
    let mlp = Mlp::new(expand.clone(), Activation::Gelu, contract.clone());
    for (mlp, input) in [(mlp.clone(), x.clone()), (mlp.after(norm.clone()), norm.forward(&x)?)] {
        let inner = expand.clone().then(Activation::Gelu).forward(&input)?;
        let expected = contract.forward_residual(&inner, &residual)?;
        let y = mlp.forward_residual(&x, &residual)?;
        assert_eq!(y.to_vec3::<f32>()?, expected.to_vec3::<f32>()?);
    }
    Ok(())
}
