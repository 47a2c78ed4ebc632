//! Tests of `blocks::linear` and `blocks::products`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn maps_each_row_and_fuses_side_by_side() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = Tensor::new(&[[1_f32, 2.0], [3.0, 4.0]], cpu)?;
    let weight = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0], [1.0, -1.0]], cpu)?;
    let bias = Tensor::new(&[10_f32, 20.0, 30.0], cpu)?;
    let y = Linear::new(&weight, &bias)?.forward(&x)?;
    assert_eq!(y.to_vec2::<f32>()?, [[11.0, 22.0, 29.0], [13.0, 24.0, 29.0]]);
    let twice = Linear::fused(&[(weight.clone(), bias.clone()), (weight, bias)])?;
    assert_eq!(twice.forward(&x)?.to_vec2::<f32>()?[1], [13.0, 24.0, 29.0, 13.0, 24.0, 29.0]);
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

/// Factors are applied after weights that fit into 16 bits, and multiplied into others. Either way they apply before
/// the residual.
#[test]
fn factors_of_the_output_come_before_residual_and_activation() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = Tensor::new(&[[1_f32, 2.0], [3.0, 4.0]], cpu)?;
    let bias = Tensor::new(&[10_f32, 20.0, 30.0], cpu)?;
    let factors = Tensor::new(&[0.1_f32, 3.0, 1.0], cpu)?;
    let residual = Tensor::new(&[[-9_f32, 0.0, 0.0], [0.0, 0.0, -99.0]], cpu)?;
    // 0.1 is exact neither in bf16 nor in f16.
    for (small, is_behind) in [(0.125_f32, true), (0.1, false)] {
        let weight = Tensor::new(&[[1_f32, 0.0], [0.0, small], [1.0, -1.0]], cpu)?;
        let linear = Linear::scaled(&weight, &bias, &factors)?;
        assert_eq!(format!("{linear:?}").contains("factors: []"), !is_behind);
        let second = |x: f32| 3.0 * (small * x + 20.0);
        let close = |found: Vec<Vec<f32>>, expected: [[f32; 3]; 2]| {
            let pairs = found.iter().flatten().zip(expected.as_flattened());
            for (found, expected) in pairs {
                assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        };
        let expected = [[1.1, second(2.0), 29.0], [1.3, second(4.0), 29.0]];
        close(linear.forward(&x)?.to_vec2()?, expected);
        let rectified = linear.then(Activation::Relu);
        let expected = [[0.0, second(2.0), 29.0], [1.3, second(4.0), 0.0]];
        close(rectified.forward_residual(&x, &residual)?.to_vec2()?, expected);
        let swapped = rectified.forward_picked(&x, &[Some(1), Some(0)])?;
        let expected = [[1.3, second(4.0), 29.0], [1.1, second(2.0), 29.0]];
        close(swapped.to_vec2()?, expected);
    }
    Ok(())
}

/// A factor that is a power of two gives the same bits as if it were multiplied into the weights.
#[test]
fn only_the_first_of_several_maps_gets_the_factor() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = Tensor::new(&[[3_f32, -5.0]], cpu)?;
    let map = |value: f32| -> Result<(Tensor, Tensor)> {
        Ok((Tensor::new(&[[value, 1.0]], cpu)?, Tensor::new(&[value], cpu)?))
    };
    for value in [0.1, 0.5] {
        let maps = [map(value)?, map(value)?];
        let fused = Linear::fused_scaling_first(&maps, 0.125)?.forward(&x)?;
        let plain = Linear::fused(&maps)?.forward(&x)?.to_vec2::<f32>()?;
        assert_eq!(fused.to_vec2::<f32>()?, [[plain[0][0] * 0.125, plain[0][1]]]);
    }
    Ok(())
}

/// The precision of maps that are being built; bf16 has no 1.003.
fn of_arrangement() -> Products {
    let tensor = |value: f32| Tensor::new(&[[value]], &Device::Cpu).unwrap();
    let linear = Linear::without_bias(&tensor(1.003)).unwrap();
    match linear.forward(&tensor(1.0)).unwrap().to_vec2::<f32>().unwrap()[0][0] {
        1.0 => Products::Bf16,
        value => {
            assert_eq!(value, 1.003);
            Products::F32
        }
    }
}

#[test]
fn it_holds_within_and_not_behind() {
    let inner = Products::Bf16.arranging(|| {
        let nested = Products::F32.arranging(of_arrangement);
        (nested, of_arrangement())
    });
    assert_eq!(inner, (Products::F32, Products::Bf16));
    let caught = std::panic::catch_unwind(|| Products::Bf16.arranging(|| panic!("here")));
    assert!(caught.is_err());
    assert_eq!(of_arrangement(), Products::F32);
}
