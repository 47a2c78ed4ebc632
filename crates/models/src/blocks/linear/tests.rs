use super::*;
use candle_core::Device;

#[test]
fn maps_each_row_and_fuses_side_by_side() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = Tensor::new(&[[1_f32, 2.0], [3.0, 4.0]], cpu)?;
    let weight = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0], [1.0, -1.0]], cpu)?;
    let bias = Tensor::new(&[10_f32, 20.0, 30.0], cpu)?;
    let y = Linear::new(&weight, &bias)?.forward(&x)?;
    assert_eq!(
        y.to_vec2::<f32>()?,
        [[11.0, 22.0, 29.0], [13.0, 24.0, 29.0]]
    );
    let twice = Linear::fused(&[(weight.clone(), bias.clone()), (weight, bias)])?;
    assert_eq!(
        twice.forward(&x)?.to_vec2::<f32>()?[1],
        [13.0, 24.0, 29.0, 13.0, 24.0, 29.0]
    );
    Ok(())
}

#[test]
fn the_residual_is_added_before_the_activation() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = Tensor::new(&[[[1_f32, 2.0]]], cpu)?;
    let weight = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
    let residual = Tensor::new(&[[[-5_f32, 5.0]]], cpu)?;
    let linear = Linear::without_bias(&weight)?.then(Activation::Relu);
    let y = linear.forward_residual(&x, &residual)?;
    assert_eq!(y.to_vec3::<f32>()?, [[[0.0, 7.0]]]);
    Ok(())
}

#[test]
fn picked_rows_may_be_absent() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = Tensor::new(&[[1_f32, 2.0], [3.0, 4.0]], cpu)?;
    let weight = Tensor::new(&[[1_f32, 1.0]], cpu)?;
    let linear = Linear::new(&weight, &Tensor::new(&[10_f32], cpu)?)?;
    let rows = [Some(1), None, Some(0)];
    let y = linear.forward_picked(&x, &rows)?;
    assert_eq!(y.to_vec2::<f32>()?, [[17.0], [10.0], [13.0]]);
    let residual = Tensor::new(&[[[100_f32], [200.0], [300.0]]], cpu)?;
    let y = linear.forward_picked_residual(&x, &rows, &residual)?;
    assert_eq!(y.to_vec3::<f32>()?, [[[117.0], [210.0], [313.0]]]);
    assert!(linear.forward_picked(&x, &[Some(2)]).is_err());
    Ok(())
}
