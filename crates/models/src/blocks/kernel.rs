//! The inner loop of every matrix product: one tile of outputs, for each set of instructions.
//!
//! The one file with `unsafe` code. [`multiply_tile`] is safe: it checks every length before a kernel
//! gets pointers. The kernels rely on four things: every row of every run has `run_length` values; the
//! panel has its lines for every step of every run, and the bias one for each line of the panel; the
//! target (and the residual) has `width` values in each row; the processor has the instructions. Only
//! [`Instructions::available`] makes values that name instructions, so the last holds by construction.
//!
//! Each output is one chain of fused multiply-adds in the order of the steps, begun with the bias: the
//! same bits with AVX2 and with AVX-512, for all rows and columns that share the tile, and whether the weights
//! are in 32 bits or in 16. Processors without fused operations round twice. Products of bf16
//! ([`Form::Bf16Pairs`]) are summed two at a time.
#![allow(unsafe_code)]

/// Rows of a tile.
pub(crate) const ROWS: usize = 8;
/// Values of a line.
pub(crate) const LINE: usize = 16;
/// Columns of a tile: two lines.
pub(crate) const COLUMNS: usize = 2 * LINE;

/// Sixteen values in one line of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [f32; LINE]);

/// Instructions that a product is computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instructions(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    /// AVX-512 F, and its products of bf16.
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Instructions {
    /// All that this processor has, the best first.
    pub(crate) fn available() -> impl Iterator<Item = Instructions> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bf16"))
                .then_some(Set::Avx512Bf16),
            is_x86_feature_detected!("avx512f").then_some(Set::Avx512),
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(Set::Avx2),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [Option<Set>; 0] = [];
        let all = special.into_iter().flatten();
        all.chain([Set::Portable]).map(Instructions)
    }

    /// The best that this processor has.
    pub(crate) fn best() -> Instructions {
        Instructions::available()
            .next()
            .unwrap_or(Instructions(Set::Portable))
    }

    /// Do they read weights of this form? Others have to be brought into the full one.
    pub(crate) fn read(self, form: Form) -> bool {
        match form {
            Form::Full => true,
            #[cfg(target_arch = "x86_64")]
            Form::Bf16 | Form::F16 => matches!(self.0, Set::Avx512Bf16 | Set::Avx512),
            #[cfg(target_arch = "x86_64")]
            Form::Bf16Pairs => self.0 == Set::Avx512Bf16,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// How weights are laid out in the lines of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Form {
    /// A step in each line.
    #[default]
    Full,
    /// Two steps in each line: every place has the earlier one's value as bf16 in its lower bits and the later one's in
    /// its upper bits.
    Bf16,
    /// Two steps in each line: the sixteen values of the earlier one as f16, then those of the later one.
    F16,
    /// As [`Form::Bf16`]. The values of rows are pairs of steps too, and products are of bf16.
    Bf16Pairs,
}

/// The rows that a tile is computed from: for each run of steps, the values of each row.
pub(crate) type Runs<'a> = [[&'a [f32]; ROWS]];

/// What a tile is made from.
#[derive(Clone, Copy)]
pub(crate) struct Tile<'a> {
    pub(crate) n_rows: usize,
    pub(crate) runs: &'a Runs<'a>,
    pub(crate) run_length: usize,
    /// One line for each step (or two steps), or two.
    pub(crate) panel: &'a [Line],
    pub(crate) form: Form,
    /// What the sums begin with.
    pub(crate) bias: &'a [Line],
}

/// Where a tile goes, and how it ends.
pub(crate) struct Target<'a> {
    /// From the tile's first value on.
    pub(crate) out: &'a mut [f32],
    /// Added to the sums; laid out like `out`.
    pub(crate) residual: Option<&'a [f32]>,
    /// Distance between rows.
    pub(crate) stride: usize,
    /// Columns that are written.
    pub(crate) width: usize,
    /// Do negative values become 0?
    pub(crate) rectify: bool,
}

/// Asks for lines that will be needed soon.
#[inline]
pub(crate) fn prefetch(lines: &[Line]) {
    #[cfg(target_arch = "x86_64")]
    for line in lines {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = lines;
}

/// `out[r][c] = f(bias[c] + Σ_s Σ_i runs[s][r][i] · panel[s · run_length + i][c] + residual[r][c])`.
///
/// # Panics
/// On lengths that do not fit together, and on a form that the instructions do not read: faults of the caller.
#[inline]
pub(crate) fn multiply_tile(instructions: Instructions, tile: Tile<'_>, target: &mut Target<'_>) {
    let values_in_line = match tile.form {
        Form::Full | Form::Bf16Pairs => 1,
        Form::Bf16 | Form::F16 => 2,
    };
    let (n_rows, n_lines) = (tile.n_rows, tile.bias.len());
    let columns = LINE * (n_lines - 1) + 1..=LINE * n_lines;
    assert!(instructions.read(tile.form), "weights in another form");
    assert!(
        (1..=ROWS).contains(&n_rows)
            && (1..=2).contains(&n_lines)
            && tile.run_length.is_multiple_of(values_in_line)
            && tile.panel.len() == tile.runs.len() * tile.run_length / values_in_line * n_lines
            && columns.contains(&target.width),
        "a tile of another shape than its panel"
    );
    for run in tile.runs {
        for row in &run[..n_rows] {
            assert!(row.len() >= tile.run_length, "a row that is too short");
        }
    }
    let extent = (n_rows - 1) * target.stride + target.width;
    assert!(
        target.out.len() >= extent && target.residual.is_none_or(|r| r.len() >= extent),
        "a tile outside its target"
    );
    macro_rules! choose {
        ($kernel:ident, $($n:literal)*) => {
            match (n_rows, n_lines) {
                $(($n, 1) => $kernel::<$n, 1>(tile, target),
                ($n, _) => $kernel::<$n, 2>(tile, target),)*
                (_, 1) => $kernel::<8, 1>(tile, target),
                (_, _) => $kernel::<8, 2>(tile, target),
            }
        };
    }
    match (instructions.0, tile.form) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: lengths were checked above, and this set was made by `available`.
        (Set::Avx512Bf16 | Set::Avx512, Form::Full) => unsafe { choose!(avx512, 1 2 3 4 5 6 7) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        (Set::Avx512Bf16 | Set::Avx512, Form::Bf16) => unsafe {
            choose!(avx512_bf16, 1 2 3 4 5 6 7);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        (Set::Avx512Bf16 | Set::Avx512, Form::F16) => unsafe { choose!(avx512_f16, 1 2 3 4 5 6 7) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above, and `read` says that this set has products of bf16.
        (_, Form::Bf16Pairs) => unsafe { choose!(avx512_bf16_pairs, 1 2 3 4 5 6 7) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        (Set::Avx2, _) => unsafe { choose!(avx2, 1 2 3 4 5 6 7) },
        (Set::Portable, _) => choose!(portable, 1 2 3 4 5 6 7),
    }
}

/// Steps of a panel that are asked for before they are needed: panels that come from main memory are read at
/// the memory's pace, since the processor's own prefetching stops at every 4 KiB.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 32;

/// Adds the residual to the sums of a tile, rectifies them, and writes them, in the first `width` columns of its rows only. A
/// macro, since the sums of a function's argument would not stay in registers.
#[cfg(target_arch = "x86_64")]
macro_rules! end_tile {
    ($sums:ident, $target:ident) => {{
        use std::arch::x86_64::{
            _mm512_add_ps, _mm512_mask_storeu_ps, _mm512_maskz_loadu_ps, _mm512_max_ps,
            _mm512_setzero_ps,
        };
        for (r, sums) in $sums.iter().enumerate() {
            for (v, &sum) in sums.iter().enumerate() {
                let place = r * $target.stride + LINE * v;
                let mask = u16::MAX >> (LINE * (v + 1)).saturating_sub($target.width);
                let mut sum = sum;
                if let Some(residual) = $target.residual {
                    let residual = residual.as_ptr().add(place);
                    sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, residual));
                }
                if $target.rectify {
                    // The second operand is what comes out where one of them is not a number.
                    sum = _mm512_max_ps(_mm512_setzero_ps(), sum);
                }
                _mm512_mask_storeu_ps($target.out.as_mut_ptr().add(place), mask, sum);
            }
        }
    }};
}

/// `R` rows of `V` registers each; with 8 rows and 2 registers the sums take 16 of the 32 registers,
/// which is enough to hide the latency of the multiplications.
///
/// # Safety
/// The processor has AVX-512 F; the tile has `R` rows and `V` lines, and its lengths and the target's are
/// those that [`multiply_tile`] checks.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512<const R: usize, const V: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    use std::arch::x86_64::{
        _MM_HINT_T0, _mm_prefetch, _mm512_fmadd_ps, _mm512_load_ps, _mm512_set1_ps,
    };
    // SAFETY: `step` advances by V lines `runs.len() * run_length` times, as many as the panel has; the
    // rows are read at i < run_length.
    unsafe {
        let bias: [_; V] =
            std::array::from_fn(|v| _mm512_load_ps(tile.bias.as_ptr().add(v).cast()));
        let mut sums = [bias; R];
        let mut step = tile.panel.as_ptr();
        for run in tile.runs {
            let rows: [*const f32; R] = std::array::from_fn(|r| run[r].as_ptr());
            for i in 0..tile.run_length {
                // A hint, which reads nothing: behind the panel it may point anywhere.
                let ahead = step.wrapping_add(AHEAD * V);
                (0..V).for_each(|v| _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(v).cast()));
                let columns: [_; V] = std::array::from_fn(|v| _mm512_load_ps(step.add(v).cast()));
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let value = _mm512_set1_ps(*row.add(i));
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        *sum = _mm512_fmadd_ps(value, column, *sum);
                    }
                }
                step = step.add(V);
            }
        }
        end_tile!(sums, target);
    }
}

/// As [`avx512`] of weights in bf16.
///
/// # Safety
/// As [`avx512`]; the length of runs is even.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512_bf16<const R: usize, const V: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    // SAFETY: as the caller's.
    unsafe { avx512_halves::<R, V, false>(tile, target) }
}

/// As [`avx512`] of weights in f16.
///
/// # Safety
/// As [`avx512`]; the length of runs is even.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512_f16<const R: usize, const V: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    // SAFETY: as the caller's.
    unsafe { avx512_halves::<R, V, true>(tile, target) }
}

/// The weights become f32 in the registers, which is exact, so that the result has the same bits.
///
/// # Safety
/// As [`avx512`]; the length of runs is even.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn avx512_halves<const R: usize, const V: usize, const IS_F16: bool>(
    tile: Tile<'_>,
    target: &mut Target<'_>,
) {
    use std::arch::x86_64::{
        _MM_HINT_T0, _mm_prefetch, _mm256_load_si256, _mm512_and_si512, _mm512_castsi512_ps,
        _mm512_cvtph_ps, _mm512_fmadd_ps, _mm512_load_ps, _mm512_load_si512, _mm512_set1_epi32,
        _mm512_set1_ps, _mm512_slli_epi32,
    };
    // SAFETY: as in `avx512`, with a line for every two values of a row; a line is aligned, and so are its halves.
    unsafe {
        let bias: [_; V] =
            std::array::from_fn(|v| _mm512_load_ps(tile.bias.as_ptr().add(v).cast()));
        let mut sums = [bias; R];
        let mut step = tile.panel.as_ptr();
        let upper = _mm512_set1_epi32(i32::from_ne_bytes(0xffff_0000_u32.to_ne_bytes()));
        for run in tile.runs {
            let rows: [*const f32; R] = std::array::from_fn(|r| run[r].as_ptr());
            for i in (0..tile.run_length).step_by(2) {
                let ahead = step.wrapping_add(AHEAD / 2 * V);
                (0..V).for_each(|v| _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(v).cast()));
                for later in 0..2 {
                    let columns: [_; V] = std::array::from_fn(|v| {
                        let line = step.add(v);
                        if IS_F16 {
                            let halves = _mm256_load_si256(
                                line.cast::<std::arch::x86_64::__m256i>().add(later),
                            );
                            _mm512_cvtph_ps(halves)
                        } else {
                            let pairs = _mm512_load_si512(line.cast());
                            _mm512_castsi512_ps(match later {
                                0 => _mm512_slli_epi32::<16>(pairs),
                                _ => _mm512_and_si512(pairs, upper),
                            })
                        }
                    });
                    for (sums, row) in sums.iter_mut().zip(rows) {
                        let value = _mm512_set1_ps(*row.add(i + later));
                        for (sum, column) in sums.iter_mut().zip(columns) {
                            *sum = _mm512_fmadd_ps(value, column, *sum);
                        }
                    }
                }
                step = step.add(V);
            }
        }
        end_tile!(sums, target);
    }
}

/// Products of bf16: two steps at a time are multiplied and added to the sums in f32.
///
/// # Safety
/// As [`avx512`]; the processor has AVX-512 BF16.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn avx512_bf16_pairs<const R: usize, const V: usize>(
    tile: Tile<'_>,
    target: &mut Target<'_>,
) {
    use std::arch::x86_64::{
        __m512bh, __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_dpbf16_ps, _mm512_load_ps,
        _mm512_load_si512, _mm512_set1_epi32,
    };
    use std::mem::transmute;
    // SAFETY: as in `avx512`; registers of integers and of bf16 have the same size.
    unsafe {
        let bias: [_; V] =
            std::array::from_fn(|v| _mm512_load_ps(tile.bias.as_ptr().add(v).cast()));
        let mut sums = [bias; R];
        let mut step = tile.panel.as_ptr();
        for run in tile.runs {
            let rows: [*const i32; R] = std::array::from_fn(|r| run[r].as_ptr().cast());
            for i in 0..tile.run_length {
                let ahead = step.wrapping_add(AHEAD * V);
                (0..V).for_each(|v| _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(v).cast()));
                let columns: [__m512bh; V] = std::array::from_fn(|v| {
                    transmute::<__m512i, __m512bh>(_mm512_load_si512(step.add(v).cast()))
                });
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let value = _mm512_set1_epi32(*row.add(i));
                    let value = transmute::<__m512i, __m512bh>(value);
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        *sum = _mm512_dpbf16_ps(*sum, value, column);
                    }
                }
                step = step.add(V);
            }
        }
        end_tile!(sums, target);
    }
}

/// The tile in quarters, four rows of one line each: so the sums fit into 8 of the 16 registers.
///
/// # Safety
/// The processor has AVX2 and FMA; otherwise as [`avx512`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<const R: usize, const V: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    use std::arch::x86_64::{
        _mm256_broadcast_ss, _mm256_fmadd_ps, _mm256_load_ps, _mm256_storeu_ps,
    };
    for v in 0..V {
        for first in (0..R).step_by(4) {
            // A quarter with fewer rows repeats its last one and throws the copies away.
            let last = R.min(first + 4) - 1;
            let mut lines = [[0.0_f32; LINE]; 4];
            // SAFETY: as in `avx512`; a line is two registers wide and aligned.
            unsafe {
                let halves = |line: *const Line| {
                    let line = line.cast::<f32>();
                    [_mm256_load_ps(line), _mm256_load_ps(line.add(LINE / 2))]
                };
                let mut sums = [halves(tile.bias.as_ptr().add(v)); 4];
                let mut step = tile.panel.as_ptr().wrapping_add(v);
                for run in tile.runs {
                    let rows: [*const f32; 4] =
                        std::array::from_fn(|r| run[last.min(first + r)].as_ptr());
                    for i in 0..tile.run_length {
                        let columns = halves(step);
                        for (sums, row) in sums.iter_mut().zip(rows) {
                            let value = _mm256_broadcast_ss(&*row.add(i));
                            sums[0] = _mm256_fmadd_ps(value, columns[0], sums[0]);
                            sums[1] = _mm256_fmadd_ps(value, columns[1], sums[1]);
                        }
                        // Wrapping: after the last step it points behind the panel.
                        step = step.wrapping_add(V);
                    }
                }
                for (line, sums) in lines.iter_mut().zip(sums) {
                    _mm256_storeu_ps(line.as_mut_ptr(), sums[0]);
                    _mm256_storeu_ps(line.as_mut_ptr().add(LINE / 2), sums[1]);
                }
            }
            for (r, line) in (first..=last).zip(&lines) {
                write_line(line, r, v, target);
            }
        }
    }
}

/// The same in plain code, line by line.
fn portable<const R: usize, const V: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    for v in 0..V {
        for r in 0..R {
            let mut sums = tile.bias[v].0;
            let steps = tile.panel.chunks_exact(V * tile.run_length);
            for (run, steps) in tile.runs.iter().zip(steps) {
                for (&value, lines) in run[r].iter().zip(steps.chunks_exact(V)) {
                    for (sum, &column) in sums.iter_mut().zip(&lines[v].0) {
                        *sum = multiply_add(value, column, *sum);
                    }
                }
            }
            write_line(&sums, r, v, target);
        }
    }
}

/// Ends line `v` of row `r`.
#[inline(always)]
fn write_line(sums: &[f32; LINE], r: usize, v: usize, target: &mut Target<'_>) {
    let start = r * target.stride + LINE * v;
    let range = start..start + LINE.min(target.width - LINE * v);
    for (place, &sum) in range.zip(sums) {
        let sum = sum + target.residual.map_or(0.0, |residual| residual[place]);
        let negative = target.rectify && sum < 0.0;
        target.out[place] = if negative { 0.0 } else { sum };
    }
}

/// Fused where the processor is known to be able to: elsewhere the standard library would compute it
/// digit by digit.
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}
