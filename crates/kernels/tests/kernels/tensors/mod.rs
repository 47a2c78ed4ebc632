//! Tests every layer with packed weights and with the engine's operations, in f32 and in f64, and on the device in
//! NEUROGAUGE_TEST_DEVICE if it is set.

mod attention;
mod composed;
mod shapes;

use crate::made::noise as synthetic;
use candle_core::{DType, Device, Tensor};
use neurogauge_kernels::DeviceChoice;
use neurogauge_kernels::blocks::*;
use neurogauge_kernels::internals::*;
use std::sync::LazyLock;

const ACTIVATIONS: [Activation; 7] = [
    Activation::Identity,
    Activation::Relu,
    Activation::Silu,
    Activation::Sigmoid,
    Activation::Gelu,
    Activation::QuickGelu,
    Activation::TanhGelu,
];

/// A device and precision for the engine's operations.
#[derive(Clone)]
struct Setting(Device, DType);

impl Setting {
    fn brings(&self, tensor: &Tensor) -> Tensor {
        let tensor = tensor.to_device(&self.0).unwrap();
        tensor.to_dtype(self.1).unwrap()
    }
}

/// The device in NEUROGAUGE_TEST_DEVICE comes last.
static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mut settings = [DType::F32, DType::F64].map(|dtype| Setting(Device::Cpu, dtype)).to_vec();
    if let Ok(name) = std::env::var("NEUROGAUGE_TEST_DEVICE") {
        let choice: DeviceChoice = name.parse().unwrap();
        let x = choice.placement().unwrap().tensor(vec![0.0], 1).unwrap();
        settings.push(Setting(x.device().clone(), x.dtype()));
    }
    settings
});

/// The tensor in the last of [`SETTINGS`], where layers are not packed.
fn elsewhere(tensor: &Tensor) -> Tensor {
    SETTINGS.last().unwrap().brings(tensor)
}

fn difference(a: &Tensor, b: &Tensor) -> f32 {
    assert_eq!(a.dims(), b.dims());
    let (a, b) = (host_values(a).unwrap(), host_values(b).unwrap());
    let differences = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    // NaN is infinitely far from everything.
    differences.fold(0.0, |most, x| if x <= most { most } else { x })
}

#[track_caller]
fn assert_close(a: &Tensor, b: &Tensor) {
    let difference = difference(a, b);
    assert!(difference < 1e-5, "{difference:e}");
}

/// Asserts that `compute` gives the same with packed tensors and with the same tensors elsewhere.
#[track_caller]
fn assert_alike(compute: impl Fn(fn(&Tensor) -> Tensor) -> Tensor) {
    assert_close(&compute(elsewhere), &compute(Tensor::clone));
}

#[test]
fn layers_choose_by_where_their_weights_lie() {
    let (weight, bias) = (synthetic("weight", &[4, 3]), synthetic("bias", &[4]));
    let x = synthetic("x", &[5, 3]);
    let packed = Linear::new(&weight, &bias).unwrap();
    let plain = Linear::new(&elsewhere(&weight), &elsewhere(&bias)).unwrap();
    assert!(packed.is_packed() && !plain.is_packed());
    let y = plain.forward(&elsewhere(&x)).unwrap();
    assert_eq!(y.dtype(), SETTINGS.last().unwrap().1);
    assert_close(&y, &packed.forward(&x).unwrap());
    // Maps and weights on different devices are refused.
    assert!(plain.forward(&x).is_err() && packed.forward(&elsewhere(&x)).is_err());
}

#[test]
fn activations_over_their_range() {
    let x: Vec<f32> = (-400..=400).map(|i| i as f32 / 10.0).collect();
    let x = Tensor::from_vec(x, 801, &Device::Cpu).unwrap();
    for activation in ACTIVATIONS {
        let mut values = host_values(&x).unwrap();
        activation.apply::<false>(&mut values);
        let packed = Tensor::from_vec(values, 801, &Device::Cpu).unwrap();
        for setting in SETTINGS.iter() {
            let y = activate(&setting.brings(&x), activation).unwrap();
            let difference = difference(&y, &packed);
            // Values are up to 40.
            assert!(difference < 1e-5, "{activation:?}: {difference:e}");
        }
        let nan = Tensor::new(&[f32::NAN, -f32::NAN], &Device::Cpu).unwrap();
        let nan = host_values(&activate(&nan, activation).unwrap()).unwrap();
        assert!(nan.iter().all(|value| value.is_nan()), "{activation:?}");
    }
}

#[test]
fn norms() {
    for n in [1, 7, 48] {
        let (weight, bias) = (synthetic("weight", &[n]), synthetic("bias", &[n]));
        let x = (synthetic("x", &[3, 5, n]) * 3.0).unwrap();
        let packed = LayerNorm::new(&weight, &bias, 1e-5).unwrap();
        let packed = packed.forward(&x).unwrap();
        for setting in SETTINGS.iter() {
            let [x, weight, bias] = [&x, &weight, &bias].map(|tensor| setting.brings(tensor));
            let epsilon = 1e-5;
            let norm = TensorNorm { weight, bias, epsilon };
            assert_close(&norm.forward(&x).unwrap(), &packed);
        }
    }
}
