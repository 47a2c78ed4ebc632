//! Attention of each query to a few positions of several maps, which the query chooses.

use crate::blocks::Linear;
use crate::blocks::shared_rows::fill_rows;
use crate::blocks::slices::{LANES, Output, multiply_add, on_values, zeros};
use crate::blocks::softmax::exponentiate;
use crate::blocks::tensors::sample;
use candle_core::{Layout, Result, Tensor, bail};

/// Multiscale deformable attention (Zhu et al. 2021): every head of a query samples `n_points` points of each map and
/// takes their mean, weighted by a softmax. Affine maps of the query give the points' offsets from a reference point,
/// and the weights. Values between positions are interpolated; outside the map they are zero.
#[derive(Debug, Clone)]
pub struct DeformableAttention {
    /// Maps a query to offsets (head, level, point, x and y), then to weights (head, level, point).
    choice: Linear,
    value: Linear,
    output: Linear,
    n_heads: usize,
    n_levels: usize,
    n_points: usize,
}

/// The reference points of queries, in 0..1 of the maps.
#[derive(Debug, Clone)]
pub enum References {
    /// (x, y); offsets are in positions of the map.
    Points(Vec<[f32; 2]>),
    /// (centre x, centre y, width, height); an offset of `n_points` is half the box.
    Boxes(Vec<[f32; 4]>),
}

/// Number of heads, of maps, and of points in each map.
#[derive(Debug, Clone, Copy)]
pub struct Samples {
    pub n_heads: usize,
    pub n_levels: usize,
    pub n_points: usize,
}

impl DeformableAttention {
    /// Builds it from the maps to offsets and to weights (weight and bias each), to values, and of the output.
    pub fn new(
        offsets: (Tensor, Tensor),
        weights: (Tensor, Tensor),
        value: Linear,
        output: Linear,
        samples: Samples,
    ) -> Result<Self> {
        let Samples {
            n_heads,
            n_levels,
            n_points,
        } = samples;
        Ok(DeformableAttention {
            choice: Linear::fused(&[offsets, weights])?.shared(output.is_shared()),
            value,
            output,
            n_heads,
            n_levels,
            n_points,
        })
    }

    /// The attention of each query over the maps, plus the residual. The rows of `memory` are the positions of all
    /// maps, concatenated, and the maps have these sizes (rows, columns).
    pub fn forward_residual(
        &self,
        queries: &Tensor,
        references: &References,
        memory: &Tensor,
        sizes: &[(usize, usize)],
        residual: &Tensor,
    ) -> Result<Tensor> {
        let (values, choices) = (self.value.forward(memory)?, self.choice.forward(queries)?);
        if !self.output.is_packed() {
            let samples = Samples {
                n_heads: self.n_heads,
                n_levels: self.n_levels,
                n_points: self.n_points,
            };
            let gathered = sample(&values, &choices, references, sizes, samples)?;
            return self.output.forward_residual(&gathered, residual);
        }
        let gathered = on_values([&values, &choices], |values, layouts| {
            self.gathered(values, layouts, references, &levels(sizes))
        })?;
        self.output.forward_residual(&gathered, residual)
    }

    /// The weighted values at the points that each query chooses.
    fn gathered(
        &self,
        [memory, choices]: [&[f32]; 2],
        [layout, choice_layout]: [&Layout; 2],
        references: &References,
        levels: &[Level],
    ) -> Output {
        let (n_places, width) = layout.shape().dims2()?;
        let (n_queries, choice_width) = choice_layout.shape().dims2()?;
        let n_samples = self.n_levels * self.n_points;
        let known = match references {
            References::Points(points) => points.len(),
            References::Boxes(boxes) => boxes.len(),
        };
        let n_described: usize = (levels.iter()).map(|level| level.height * level.width).sum();
        if known != n_queries
            || n_described != n_places
            || levels.len() != self.n_levels
            || choice_width != 3 * self.n_heads * n_samples
            || !width.is_multiple_of(self.n_heads)
        {
            bail!(
                "{n_queries} queries of {choice_width} with {known} references, {n_places} places of \
                 {width} in maps {:?}",
                levels
            );
        }
        let gathering = Gathering {
            memory,
            choices,
            width,
            n_heads: self.n_heads,
            n_points: self.n_points,
            levels,
            references,
        };
        let mut out = zeros(n_queries * width);
        fill_rows(self.output.is_shared(), width, &mut out, |first, out| {
            gather(&gathering, first, out);
        });
        Ok((out, (n_queries, width).into()))
    }
}

#[derive(Debug, Clone, Copy)]
struct Level {
    height: usize,
    width: usize,
    /// Row of its first position.
    first: usize,
}

fn levels(sizes: &[(usize, usize)]) -> Vec<Level> {
    let mut first = 0;
    let mut levels = Vec::with_capacity(sizes.len());
    for &(height, width) in sizes {
        levels.push(Level { height, width, first });
        first += height * width;
    }
    levels
}

struct Gathering<'a> {
    memory: &'a [f32],
    choices: &'a [f32],
    width: usize,
    n_heads: usize,
    n_points: usize,
    levels: &'a [Level],
    references: &'a References,
}

impl Gathering<'_> {
    /// The point of an offset, in positions of the map, counted from the centre of the first position.
    #[inline(always)]
    fn place(&self, query: usize, level: Level, offset: [f32; 2]) -> [f32; 2] {
        let size = [level.width as f32, level.height as f32];
        match self.references {
            References::Points(points) => {
                let point = points[query];
                [0, 1].map(|axis| (point[axis] + offset[axis] / size[axis]) * size[axis] - 0.5)
            }
            References::Boxes(boxes) => {
                let n_points = self.n_points as f32;
                let whole = boxes[query];
                [0, 1].map(|axis| {
                    let offset = offset[axis] / n_points * whole[2 + axis] * 0.5;
                    (whole[axis] + offset) * size[axis] - 0.5
                })
            }
        }
    }
}

/// Computes rows of the output, from query `first` on.
#[multiversion::multiversion(targets = "simd")]
fn gather(gathering: &Gathering<'_>, first: usize, out: &mut [f32]) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    let n_heads = gathering.n_heads;
    let head_width = gathering.width / n_heads;
    let n_samples = gathering.levels.len() * gathering.n_points;
    let mut weights = vec![[0.0_f32; LANES]; n_samples.div_ceil(LANES)];
    let choice_width = 3 * n_heads * n_samples;
    for (row, out) in out.chunks_exact_mut(gathering.width).enumerate() {
        let query = first + row;
        let choice = &gathering.choices[query * choice_width..][..choice_width];
        let (offsets, scores) = choice.split_at(2 * n_heads * n_samples);
        for (head, out) in out.chunks_exact_mut(head_width).enumerate() {
            let scores = &scores[head * n_samples..][..n_samples];
            weights.as_flattened_mut()[..n_samples].copy_from_slice(scores);
            let total = exponentiate(&mut weights, n_samples);
            let offsets = &offsets[2 * head * n_samples..][..2 * n_samples];
            let (offsets, _) = offsets.as_chunks::<2>();
            for (sample, offset) in offsets.iter().enumerate() {
                let level = gathering.levels[sample / gathering.n_points];
                let weight = weights.as_flattened()[sample] / total;
                let place = gathering.place(query, level, *offset);
                for (index, weight) in corners(place, level, weight) {
                    let from = (level.first + index) * gathering.width + head * head_width;
                    let values = &gathering.memory[from..][..head_width];
                    for (sum, value) in out.iter_mut().zip(values) {
                        *sum = multiply_add::<FUSED>(weight, *value, *sum);
                    }
                }
                if !(weight.is_finite() && place[0].is_finite() && place[1].is_finite()) {
                    // NaN must stay visible, even if the point is outside the map.
                    out.fill(f32::NAN);
                }
            }
        }
    }
}

/// The up to four positions of the map around a point, and their shares of `weight`.
#[inline(always)]
fn corners([x, y]: [f32; 2], level: Level, weight: f32) -> impl Iterator<Item = (usize, f32)> {
    let (left, above) = (x.floor(), y.floor());
    let (across, down) = (x - left, y - above);
    // The cast saturates, so a point far away has no corner on the map.
    let (column, row) = (left as i32, above as i32);
    let corner = move |down_by: i32, across_by: i32, share: f32| {
        let (row, column) = (row.saturating_add(down_by), column.saturating_add(across_by));
        let inside = row >= 0 && column >= 0 && (row as usize) < level.height && (column as usize) < level.width;
        inside.then(|| (row as usize * level.width + column as usize, share * weight))
    };
    [
        corner(0, 0, (1.0 - across) * (1.0 - down)),
        corner(0, 1, across * (1.0 - down)),
        corner(1, 0, (1.0 - across) * down),
        corner(1, 1, across * down),
    ]
    .into_iter()
    .flatten()
}
