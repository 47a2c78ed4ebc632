//! Tests of `blocks::mlp`.

use crate::made::noise;
use candle_core::Result;
use neurogauge_kernels::blocks::*;

/// Has more rows than fit between the maps at once, and a number of rows that does not divide evenly.
#[test]
fn parts_are_the_layers_one_after_the_other() -> Result<()> {
    let (n, n_inner, n_rows) = (6, 2048, 523);
    let expand = Linear::new(&noise("a.weight", &[n_inner, n]), &noise("a", &[n_inner]))?;
    let contract = Linear::new(&noise("b.weight", &[n, n_inner]), &noise("b", &[n]))?;
    let norm = LayerNorm::new(&noise("c.weight", &[n]), &noise("c", &[n]), 1e-5)?;
    let x = noise("x", &[1, n_rows, n]);
    let residual = noise("residual", &[1, n_rows, n]);
    let mlp = Mlp::new(expand.clone(), Activation::Gelu, contract.clone());
    for (mlp, input) in [(mlp.clone(), x.clone()), (mlp.after(norm.clone()), norm.forward(&x)?)] {
        let inner = expand.clone().then(Activation::Gelu).forward(&input)?;
        let expected = contract.forward_residual(&inner, &residual)?;
        let y = mlp.forward_residual(&x, &residual)?;
        assert_eq!(y.to_vec3::<f32>()?, expected.to_vec3::<f32>()?);
    }
    Ok(())
}
