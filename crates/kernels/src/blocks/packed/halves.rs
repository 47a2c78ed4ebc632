//! Weights in 16 bits: which values are exact, how lines hold them, and how they are widened.

use crate::blocks::kernel::{Form, LINE, Line};
use half::f16;
use half::slice::HalfFloatSliceExt;

/// The form that takes the least memory and represents these weights exactly. Pairs of steps need an even number of
/// them.
pub(super) fn exact_form<'a>(n_steps: usize, columns: &(impl Iterator<Item = &'a [f32]> + Clone)) -> Form {
    let all = |fits: fn(&f32) -> bool| columns.clone().all(|values| values.iter().all(fits));
    if !n_steps.is_multiple_of(2) {
        Form::Full
    } else if all(fits_bf16) {
        Form::Bf16
    } else if all(fits_f16) {
        Form::F16
    } else {
        Form::Full
    }
}

pub(crate) fn fits_bf16(value: &f32) -> bool {
    value.to_bits() & 0xffff == 0
}

pub(crate) fn fits_f16(value: &f32) -> bool {
    f16::from_f32(*value).to_f32().to_bits() == value.to_bits()
}

/// Writes the value at step `step` and column `place` into its line of pairs.
pub fn put(line: &mut Line, form: Form, step: usize, place: usize, value: f32) {
    if form == Form::F16 {
        // The sixteen values of a step take eight lanes of the line.
        let index = LINE * (step % 2) + place;
        put_bits(&mut line.0[index / 2], index % 2, f16::from_f32(value).to_bits());
    } else {
        put_bits(&mut line.0[place], step % 2, bf16_bits(value));
    }
}

/// Writes the lower (0) or upper (1) half of a lane's bits.
fn put_bits(place: &mut f32, half: usize, bits: u16) {
    let kept = match half {
        0 => place.to_bits() & 0xffff_0000,
        _ => place.to_bits() & 0xffff,
    };
    *place = f32::from_bits(kept | u32::from(bits) << (16 * half));
}

/// The nearest bf16, ties to even; NaN stays NaN.
#[inline(always)]
fn bf16_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    let nan = bits >> 16 | 0x40;
    (if value.is_nan() { nan } else { rounded }) as u16
}

/// Widens lines of pairs of steps to lines of one step each, for instructions that cannot read pairs.
#[multiversion::multiversion(targets = "simd")]
pub fn widen(panel: &[Line], n_lines: usize, form: Form, out: &mut Vec<Line>) {
    out.clear();
    out.resize(2 * panel.len(), Line([0.0; LINE]));
    for (pair, steps) in panel.chunks_exact(n_lines).zip(out.chunks_exact_mut(2 * n_lines)) {
        let (earlier, later) = steps.split_at_mut(n_lines);
        for (line, (earlier, later)) in pair.iter().zip(earlier.iter_mut().zip(later)) {
            if form == Form::F16 {
                let halves: [u16; 2 * LINE] =
                    std::array::from_fn(|index| (line.0[index / 2].to_bits() >> (16 * (index % 2))) as u16);
                let halves = halves.map(f16::from_bits);
                halves[..LINE].convert_to_f32_slice(&mut earlier.0);
                halves[LINE..].convert_to_f32_slice(&mut later.0);
            } else {
                for ((place, earlier), later) in line.0.iter().zip(&mut earlier.0).zip(&mut later.0) {
                    *earlier = f32::from_bits(place.to_bits() << 16);
                    *later = f32::from_bits(place.to_bits() & 0xffff_0000);
                }
            }
        }
    }
}

/// Concatenated rows whose values have been rounded to bf16.
pub(super) struct RoundedRows {
    values: Vec<f32>,
    width: usize,
}

impl RoundedRows {
    /// Rounds rows of equal length, to pairs of steps or to f32. A row of odd length gets an additional zero.
    pub(super) fn of<'a>(
        rows: impl Iterator<Item = &'a [f32]>,
        (n_rows, n_steps): (usize, usize),
        in_pairs: bool,
    ) -> Self {
        let n_pairs = n_steps.div_ceil(2);
        let width = if in_pairs { n_pairs } else { 2 * n_pairs };
        let mut values = vec![0.0; n_rows * width];
        for (row, out) in rows.zip(values.chunks_exact_mut(width.max(1))) {
            if in_pairs {
                pair(&row[..n_steps], out);
            } else {
                round(&row[..n_steps], out);
            }
        }
        RoundedRows { values, width }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.width..][..self.width]
    }
}

#[multiversion::multiversion(targets = "simd")]
fn pair(row: &[f32], out: &mut [f32]) {
    let (pairs, last) = row.as_chunks::<2>();
    for ([earlier, later], out) in pairs.iter().zip(out.iter_mut()) {
        let bits = u32::from(bf16_bits(*later)) << 16 | u32::from(bf16_bits(*earlier));
        *out = f32::from_bits(bits);
    }
    if let ([last], Some(out)) = (last, out.last_mut()) {
        *out = f32::from_bits(u32::from(bf16_bits(*last)));
    }
}

#[multiversion::multiversion(targets = "simd")]
fn round(row: &[f32], out: &mut [f32]) {
    for (value, out) in row.iter().zip(out) {
        *out = f32::from_bits(u32::from(bf16_bits(*value)) << 16);
    }
}
