//! Tests of `blocks::packed`.

use half::bf16;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::blocks::{Activation, Products};
use neurogauge_kernels::internals::*;
use proptest::prelude::*;

fn synthetic(name: &str, n: usize) -> Vec<f32> {
    let values = Synthetic::new(name, 0);
    (0..n as u64).map(|i| values.uniform(i) - 0.5).collect()
}

/// An empty matrix for these instructions.
fn packed_for(instructions: Instructions) -> PackedMatrix {
    PackedMatrix {
        instructions,
        ..PackedMatrix::default()
    }
}

/// Weights for these instructions, from concatenated columns.
fn weights_for(instructions: Instructions, n_steps: usize, weight: &[f32], products: Products) -> PackedMatrix {
    let mut packed = packed_for(instructions);
    let column = |c: usize| &weight[c * n_steps..][..n_steps];
    packed.set_weights(n_steps, weight.len() / n_steps, column, products);
    packed
}

/// Every set except plain code is fused.
fn is_fused(instructions: Instructions) -> bool {
    Some(instructions) != Instructions::available().last()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Compares with sums in f64; all fused sets must give the same bits.
    #[test]
    fn products_are_right_for_every_shape_and_instruction_set(
        n_rows in 0_usize..40,
        n_runs in 1_usize..4,
        run_length in 1_usize..50,
        n_columns in 1_usize..100,
        gap in 0_usize..5,
    ) {
        let n_steps = n_runs * run_length;
        let stride = n_columns + gap;
        let x = synthetic("x", n_rows * n_steps);
        let weight = synthetic("weight", n_steps * n_columns);
        let bias = synthetic("bias", n_columns);
        let residual = synthetic("residual", n_rows * stride);
        let mut fused: Option<Vec<f32>> = None;
        for instructions in Instructions::available() {
            let mut packed = packed_for(instructions);
            packed.set_rows(n_steps, n_columns, |i| &weight[i * n_columns..][..n_columns]);
            let mut out = vec![7.0; n_rows * stride];
            packed.multiply(
                n_rows,
                n_runs,
                |row, s| &x[row * n_steps + s * run_length..][..run_length],
                &mut out,
                stride,
                Epilogue { bias: &bias, residual: Some(&residual), activation: Activation::Relu },
            );
            for row in 0..n_rows {
                for c in 0..stride {
                    let value = out[row * stride + c];
                    if c >= n_columns {
                        prop_assert_eq!(value, 7.0);
                        continue;
                    }
                    let sum: f64 = (0..n_steps)
                        .map(|i| f64::from(x[row * n_steps + i]) * f64::from(weight[i * n_columns + c]))
                        .sum();
                    let sum = sum + f64::from(bias[c]) + f64::from(residual[row * stride + c]);
                    prop_assert!((f64::from(value) - sum.max(0.0)).abs() < 1e-5);
                }
            }
            if is_fused(instructions) {
                prop_assert_eq!(fused.get_or_insert_with(|| out.clone()), &out);
            }
        }
    }
}

/// Rounds values to the nearest in this precision.
fn rounded(values: &[f32], form: Form) -> Vec<f32> {
    let round: fn(f32) -> f32 = match form {
        Form::Full => |value| value,
        Form::F16 => |value| half::f16::from_f32(value).to_f32(),
        Form::Bf16 | Form::Bf16Pairs => |value| bf16::from_f32(value).to_f32(),
    };
    values.iter().map(|&value| round(value)).collect()
}

/// `x Wᵀ + b` with weights of shape (`n_columns`, `n_steps`).
fn product(weights: &PackedMatrix, (x, bias): (&[f32], &[f32])) -> Vec<f32> {
    let (n_rows, n_columns) = (x.len() / weights.n_steps, weights.n_columns);
    let mut out = vec![0.0; n_rows * n_columns];
    let epilogue = Epilogue {
        bias,
        residual: None,
        activation: Activation::Identity,
    };
    let rows = matrix_rows(x, weights.n_steps);
    weights.multiply(n_rows, 1, rows, &mut out, n_columns, epilogue);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Weights that are exact in 16 bits take half the memory and change no bit of the product.
    #[test]
    fn halved_weights_give_the_same_bits_with_every_instruction_set(
        n_rows in 1_usize..40,
        n_pairs in 1_usize..60,
        n_columns in 1_usize..100,
        is_f16 in any::<bool>(),
    ) {
        let n_steps = 2 * n_pairs;
        let form = if is_f16 { Form::F16 } else { Form::Bf16 };
        let x = synthetic("x", n_rows * n_steps);
        let bias = synthetic("bias", n_columns);
        let mut weight = rounded(&synthetic("weight", n_columns * n_steps), form);
        // A value that the other form cannot represent.
        weight[0] = if is_f16 { 1.0 + 1.0 / 1024.0 } else { 2.0_f32.powi(100) };
        let column = |c: usize| &weight[c * n_steps..][..n_steps];
        for instructions in Instructions::available() {
            let mut full = packed_for(instructions);
            full.set_columns(n_steps, n_columns, column);
            let halved = weights_for(instructions, n_steps, &weight, Products::F32);
            prop_assert_eq!(halved.form, form);
            prop_assert_eq!(2 * halved.lines.len(), full.lines.len());
            let bits = |weights| product(weights, (&x, &bias)).into_iter().map(f32::to_bits);
            prop_assert!(bits(&full).eq(bits(&halved)), "{instructions:?}");
        }
    }

    /// Compares with sums in f64 of the rounded factors, whose products are exact in f32.
    #[test]
    fn products_of_bf16_round_both_factors_and_nothing_else(
        n_rows in 1_usize..40,
        n_steps in 1_usize..120,
        n_columns in 1_usize..100,
    ) {
        let x = synthetic("x", n_rows * n_steps);
        let bias = synthetic("bias", n_columns);
        let weight = synthetic("weight", n_columns * n_steps);
        let (near_x, near_weight) = (rounded(&x, Form::Bf16), rounded(&weight, Form::Bf16));
        for instructions in Instructions::available() {
            let packed = weights_for(instructions, n_steps, &weight, Products::Bf16);
            let out = product(&packed, (&x, &bias));
            for (row, out) in near_x.chunks(n_steps).zip(out.chunks(n_columns)) {
                for ((weights, value), bias) in near_weight.chunks(n_steps).zip(out).zip(&bias) {
                    let products = row.iter().zip(weights).map(|(a, b)| f64::from(*a) * f64::from(*b));
                    let sum = products.sum::<f64>() + f64::from(*bias);
                    prop_assert!((f64::from(*value) - sum).abs() < 1e-5, "{instructions:?}");
                }
            }
        }
    }
}

/// Tests every height and width of the tiles of all instructions, and one more: each value is one chain of fused
/// operations, to the bit. This also holds for bf16 products, unless the instructions sum two at a time.
#[test]
fn every_remainder_of_a_tile_has_the_bits_of_one_chain() {
    let (n_steps, most_rows, most_columns) = (6, 2 * ROWS + 1, 4 * LINE + 1);
    let bias = synthetic("bias", most_columns);
    let residual = synthetic("residual", most_rows * most_columns);
    for form in [Form::Full, Form::Bf16, Form::F16, Form::Bf16Pairs] {
        let (products, factors) = match form {
            Form::Bf16Pairs => (Products::Bf16, Form::Bf16),
            _ => (Products::F32, Form::Full),
        };
        let x = rounded(&synthetic("x", most_rows * n_steps), factors);
        let weight = rounded(&synthetic("weight", most_columns * n_steps), form);
        let chain = |row: usize, c: usize| {
            let factors = x[row * n_steps..].iter().zip(&weight[c * n_steps..]);
            let sum = factors.take(n_steps).fold(bias[c], |sum, (x, w)| x.mul_add(*w, sum));
            let sum = sum + residual[row * most_columns + c];
            if sum < 0.0 { 0.0 } else { sum }
        };
        for instructions in Instructions::available().filter(|&set| is_fused(set)) {
            if form == Form::Bf16Pairs && instructions.reading(form) == form {
                continue;
            }
            for n_columns in 1..=most_columns {
                let weight = &weight[..n_columns * n_steps];
                let packed = weights_for(instructions, n_steps, weight, products);
                for n_rows in 1..=most_rows {
                    let mut out = vec![7.0; n_rows * most_columns];
                    let epilogue = Epilogue {
                        bias: &bias[..n_columns],
                        residual: Some(&residual),
                        activation: Activation::Relu,
                    };
                    let rows = matrix_rows(&x, n_steps);
                    packed.multiply(n_rows, 1, rows, &mut out, most_columns, epilogue);
                    for (index, value) in out.iter().enumerate() {
                        let (row, c) = (index / most_columns, index % most_columns);
                        let expected = if c < n_columns { chain(row, c) } else { 7.0 };
                        assert_eq!(
                            value.to_bits(),
                            expected.to_bits(),
                            "{instructions:?} {form:?}: {n_rows} x {n_columns}, {row} {c}"
                        );
                    }
                }
            }
        }
    }
}

/// A factor that is NaN gives NaN, even after ReLU.
#[test]
fn not_a_number_stays_one() {
    for instructions in Instructions::available() {
        let packed = weights_for(instructions, 1, &[1.0; 17], Products::F32);
        let mut out = vec![0.0; 17];
        let epilogue = Epilogue {
            activation: Activation::Relu,
            ..Epilogue::NONE
        };
        packed.multiply(1, 1, |_, _| &[f32::NAN], &mut out, 17, epilogue);
        assert!(out.iter().all(|value| value.is_nan()), "{instructions:?}");
    }
}

#[test]
fn rows_and_columns_pack_alike() {
    let (n_steps, n_columns) = (5, 75);
    let by_row = synthetic("weight", n_steps * n_columns);
    let by_column: Vec<f32> = (0..n_columns * n_steps).map(|k| by_row[k % n_steps * n_columns + k / n_steps]).collect();
    let mut rows = PackedMatrix::default();
    rows.set_rows(n_steps, n_columns, |i| &by_row[i * n_columns..]);
    let columns = PackedMatrix::from_columns(n_steps, n_columns, |c| &by_column[c * n_steps..][..n_steps]);
    assert_eq!(rows.lines.len(), n_steps * 5);
    let values = |packed: &PackedMatrix| packed.lines.iter().flat_map(|line| line.0).collect::<Vec<f32>>();
    assert_eq!(values(&rows), values(&columns));
}

#[test]
fn a_row_has_the_same_bits_in_any_company() {
    let (n_rows, n_steps, n_columns) = (700, 37, 50);
    let x = synthetic("x", n_rows * n_steps);
    let weight = synthetic("weight", n_steps * n_columns);
    let packed = PackedMatrix::from_columns(n_steps, n_columns, |c| &weight[c * n_steps..][..n_steps]);
    let epilogue = Epilogue {
        bias: &[],
        residual: None,
        activation: Activation::Silu,
    };
    let mut all = vec![0.0; n_rows * n_columns];
    packed.multiply(n_rows, 1, matrix_rows(&x, n_steps), &mut all, n_columns, epilogue);
    for row in [0, 1, 5, 511, 699] {
        let mut alone = vec![0.0; n_columns];
        let x = &x[row * n_steps..][..n_steps];
        packed.multiply(1, 1, matrix_rows(x, n_steps), &mut alone, n_columns, epilogue);
        assert_eq!(alone, all[row * n_columns..][..n_columns]);
    }
}

/// The lower halves of lanes, which have the first step of weights that are rounded.
fn bf16_bits(values: &[f32]) -> Vec<u16> {
    let packed = weights_for(Instructions::best(), 1, values, Products::Bf16);
    let lanes: Vec<f32> = packed.lines.iter().flat_map(|line| line.0).collect();
    lanes[..values.len()].iter().map(|lane| lane.to_bits() as u16).collect()
}

#[test]
fn values_are_rounded_as_the_crate_half_rounds_them() {
    let special = [0.0, -0.0, 1.0, f32::MAX, f32::MIN_POSITIVE, 1e-42, -3.3e38];
    let many = (0..100_000_u32).map(|i| f32::from_bits(i.wrapping_mul(42_949)));
    let infinite = [f32::INFINITY, f32::NEG_INFINITY];
    let values: Vec<f32> = special.into_iter().chain(many).chain(infinite).collect();
    for (value, bits) in values.iter().zip(bf16_bits(&values)) {
        assert_eq!(bits, bf16::from_f32(*value).to_bits(), "{value}");
    }
    let nans = bf16_bits(&[f32::NAN, f32::from_bits(0x7f80_0001)]);
    assert!(bf16::from_bits(nans[0]).is_nan());
    assert!(bf16::from_bits(nans[1]).is_nan());
}

#[test]
fn weights_are_halved_only_where_nothing_is_lost() {
    let form = |values: &[f32]| weights_for(Instructions::best(), values.len(), values, Products::F32).form;
    assert_eq!(form(&[1.0, -0.5, 3e38 + 0.0, 0.0]), Form::Full);
    assert_eq!(form(&[1.0, -0.5, 1e-40, 0.0]), Form::Full);
    assert_eq!(form(&[1.0, -0.5, 2.0_f32.powi(100), 0.0]), Form::Bf16);
    assert_eq!(form(&[1.0, 0.100_097_656, f32::INFINITY, -0.0]), Form::Bf16);
    assert_eq!(form(&[1.0, 0.099_975_586, 65_504.0, 5.960_464_5e-8]), Form::F16);
    assert_eq!(form(&[1.0, 0.099_975_586, 65_536.0, 0.0]), Form::Full);
    assert_eq!(form(&[1.0, 0.1]), Form::Full);
    // An odd number of steps has no pairs.
    assert_eq!(form(&[1.0, 2.0, 3.0]), Form::Full);
}

#[test]
fn what_was_put_comes_back() {
    for form in [Form::Bf16, Form::F16] {
        let mut lines = [Line([0.0; LINE]); 2];
        let value = |step: usize, line: usize, place: usize| (step * 64 + line * 32 + place) as f32;
        for step in 0..2 {
            for (number, line) in lines.iter_mut().enumerate() {
                for place in 0..LINE {
                    put(line, form, step, place, value(step, number, place));
                }
            }
        }
        let mut wide = Vec::new();
        widen(&lines, 2, form, &mut wide);
        for (index, line) in wide.iter().enumerate() {
            let expected: [f32; LINE] = std::array::from_fn(|place| value(index / 2, index % 2, place));
            assert_eq!(line.0, expected, "{form:?}");
        }
    }
}
