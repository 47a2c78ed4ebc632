//! Tests of `blocks::wide_linear`.

use crate::made::noise;
use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn parts_give_what_the_whole_gives() {
    for n_out in [1, 511, 512, 1000, 1025] {
        let (weight, bias, x) = (noise("weight", &[n_out, 37]), noise("bias", &[n_out]), noise("x", &[5, 37]));
        let whole = Linear::new(&weight, &bias).unwrap().then(Activation::Relu).forward(&x).unwrap();
        let wide = WideLinear::new(&weight, &bias).unwrap().then(Activation::Relu).forward(&x).unwrap();
        assert_eq!(whole.dims(), wide.dims());
        assert_eq!(whole.to_vec2::<f32>().unwrap(), wide.to_vec2::<f32>().unwrap());
    }
}

#[test]
fn all_parts_multiply_as_was_asked_of_the_whole() -> Result<()> {
    let weight = Tensor::new(&[[1.003_f32], [1.003], [1.003]], &Device::Cpu)?;
    let bias = Tensor::new(&[0_f32; 3], &Device::Cpu)?;
    let x = Tensor::new(&[[1_f32]], &Device::Cpu)?;
    let wide = || WideLinear::in_parts(&weight, &bias, 1);
    let rounded = Products::Bf16.arranging(wide)?.forward(&x)?;
    assert_eq!(rounded.to_vec2::<f32>()?, [[1.0; 3]]);
    assert_eq!(wide()?.forward(&x)?.to_vec2::<f32>()?, [[1.003; 3]]);
    Ok(())
}
