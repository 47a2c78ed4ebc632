//! Tests of `blocks::gated_mlp`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn one_half_gates_the_other() -> Result<()> {
    let cpu = &Device::Cpu;
    let linear = |rows: &[[f32; 2]]| {
        let weight = Tensor::from_slice(rows.as_flattened(), (rows.len(), 2), cpu)?;
        Linear::without_bias(&weight)
    };
    let gate = linear(&[[1.0, 0.0], [-1.0, 0.0]])?;
    let mlp =
        GatedMlp::new(gate, Activation::Relu, linear(&[[0.0, 1.0], [1.0, 1.0]])?, linear(&[[1.0, 10.0], [0.0, 1.0]])?);
    let x = Tensor::new(&[[2_f32, 3.0], [-1.0, 5.0]], cpu)?;
    // The gated products are (2 * 3, 0) and (0, 1 * 4).
    let y = mlp.forward_residual(&x, &x)?;
    assert_eq!(y.to_vec2::<f32>()?, [[8.0, 3.0], [39.0, 9.0]]);
    Ok(())
}
