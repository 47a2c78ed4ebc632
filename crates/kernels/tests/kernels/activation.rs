//! Tests of `blocks::activation` and `blocks::gelu`.

use neurogauge_kernels::blocks::Activation;
use neurogauge_kernels::internals::erf;

/// Values of torch.nn.functional in f64 at -30, -2, -0.5, 0, 0.5, 2, 30.
const X: [f32; 7] = [-30.0, -2.0, -0.5, 0.0, 0.5, 2.0, 30.0];
const KNOWN: [(Activation, [f64; 7]); 6] = [
    (Activation::Relu, [0.0, 0.0, 0.0, 0.0, 0.5, 2.0, 30.0]),
    (
        Activation::Silu,
        [
            -2.807_286_890_651_79e-12,
            -0.238_405_844_044_234_4,
            -0.188_770_334_399_072_94,
            0.0,
            0.311_229_665_600_927_1,
            1.761_594_155_955_765_6,
            29.999_999_999_997_193,
        ],
    ),
    (
        Activation::Sigmoid,
        [
            9.357_622_968_840_175e-14,
            0.119_202_922_022_117_2,
            0.377_540_668_798_145_87,
            0.5,
            0.622_459_331_201_854_1,
            0.880_797_077_977_882_8,
            0.999_999_999_999_906_4,
        ],
    ),
    (
        Activation::Gelu,
        [
            0.0,
            -0.045_500_263_896_358_42,
            -0.154_268_769_362_993_45,
            0.0,
            0.345_731_230_637_006_55,
            1.954_499_736_103_641_6,
            30.0,
        ],
    ),
    (
        Activation::QuickGelu,
        [
            -2.004_679_774_500_938e-21,
            -0.064_341_376_855_791_86,
            -0.149_611_563_393_619_9,
            0.0,
            0.350_388_436_606_380_14,
            1.935_658_623_144_208_1,
            30.0,
        ],
    ),
    (
        Activation::TanhGelu,
        [
            0.0,
            -0.045_402_305_912_224_94,
            -0.154_285_990_174_855_78,
            0.0,
            0.345_714_009_825_143_96,
            1.954_597_694_087_775,
            30.0,
        ],
    ),
];

fn apply(activation: Activation, fused: bool, values: &mut [f32]) {
    if fused {
        activation.apply::<true>(values);
    } else {
        activation.apply::<false>(values);
    }
}

#[test]
fn values_are_those_of_the_reference() {
    let runs = KNOWN.iter().flat_map(|known| [(known, false), (known, true)]);
    for (&(activation, expected), fused) in runs {
        let mut values = X;
        apply(activation, fused, &mut values);
        for ((x, value), expected) in X.iter().zip(values).zip(expected) {
            let error = (f64::from(value) - expected).abs();
            assert!(error < 1e-6, "{activation:?}({x}) = {value}, not {expected}");
        }
    }
}

#[test]
fn not_a_number_stays_one() {
    for (activation, _) in KNOWN {
        for fused in [false, true] {
            let mut values = [f32::NAN];
            apply(activation, fused, &mut values);
            assert!(values[0].is_nan(), "{activation:?}");
        }
    }
}

/// Values from scipy.special.erf 1.17.1.
const ERF: [(f32, f64); 7] = [
    (0.0, 0.0),
    (1e-4, 1.128_379_163_334_249e-4),
    (0.5, 0.520_499_877_813_046_5),
    (1.0, 0.842_700_792_949_714_9),
    (2.0, 0.995_322_265_018_952_7),
    (3.5, 0.999_999_256_901_627_7),
    (9.0, 1.0),
];

#[test]
fn erf_is_odd_and_within_half_a_millionth() {
    for (x, expected) in ERF {
        assert!((f64::from(erf::<false>(x)) - expected).abs() < 5e-7, "erf::<false>({x})");
        assert_eq!(erf::<false>(-x), -erf::<false>(x));
    }
}
