//! Tests of `blocks::kernel::windows`.

use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::internals::*;

/// Each sum is one chain of fused operations, to the bit, with every set of instructions; other values are not
/// written.
#[test]
fn sums_have_the_bits_of_one_chain() {
    let noise = |name: &str, n: u64| -> Vec<f32> {
        let source = Synthetic::new(name, 0);
        (0..n).map(|i| source.uniform(i) - 0.5).collect()
    };
    let (taps, pixels, bias) = (noise("taps", 600), noise("pixels", 900), noise("bias", 48));
    // Apart by more than a pixel, or by one.
    let shapes = [(3, 51), (3, 49), (5, 49)];
    for (instructions, (n_columns, between)) in Instructions::available().flat_map(|i| shapes.map(|s| (i, s))) {
        for (n_windows, n_channels) in [1, WINDOWS].into_iter().flat_map(|w| (1..=48).map(move |c| (w, c))) {
            let windows = Windows {
                n_windows,
                n_rows: 2,
                n_columns,
                taps: &taps,
                tap_steps: [250, 50],
                pixels: &pixels,
                pixel_steps: [400, 49, between],
                bias: &bias,
            };
            let mut out = vec![7.0; 4 * 49];
            let summed = sum_windows(instructions, &windows, n_channels, &mut out, 49);
            // Plain code sums none.
            let widest = match Some(instructions) == Instructions::available().last() {
                true => 0,
                false => instructions.lines() * LINE,
            };
            assert_eq!(summed, widest.min(n_channels / LINE * LINE));
            for (index, value) in out.iter().enumerate() {
                let (window, c) = (index / 49, index % 49);
                let mut expected = 7.0;
                if window < n_windows && c < summed {
                    expected = bias[c];
                    for tap in 0..2 * n_columns {
                        let (row, column) = (tap / n_columns, tap % n_columns);
                        let pixel = pixels[row * 400 + column * 49 + window * between + c];
                        expected = pixel.mul_add(taps[row * 250 + column * 50 + c], expected);
                    }
                }
                assert_eq!(
                    value.to_bits(),
                    expected.to_bits(),
                    "{instructions:?} {n_columns} {between} {n_windows} {n_channels}: {window} {c}"
                );
            }
        }
    }
}

#[test]
#[should_panic(expected = "windows outside their map")]
fn no_window_reaches_out_of_its_map() {
    let values = [0.0; 64];
    let windows = Windows {
        n_windows: WINDOWS,
        n_rows: 1,
        n_columns: 2,
        taps: &values,
        tap_steps: [16, 16],
        pixels: &values,
        pixel_steps: [16, 16, 16],
        bias: &values,
    };
    // A set that sums nothing must not read anything either.
    if sum_windows(Instructions::best(), &windows, 16, &mut [0.0; 64], 16) == 0 {
        panic!("windows outside their map");
    }
}
