//! Attention to a few positions of several maps.

use super::attention::softmax;
#[cfg(feature = "cuda")]
use super::cuda;
use super::{beside, dense};
use crate::blocks::{References, Samples};
use candle_core::{DType, Result, Tensor, bail};

/// The attention of every head of each query over the positions that it chooses, shape (query, feature). `memory` has
/// the values of all maps' positions, concatenated; the maps have these sizes (rows, columns). `choices` has offsets
/// and scores, as [`DeformableAttention`](crate::blocks::DeformableAttention) computes them from queries.
pub(in crate::blocks) fn sample(
    memory: &Tensor,
    choices: &Tensor,
    references: &References,
    sizes: &[(usize, usize)],
    samples: Samples,
) -> Result<Tensor> {
    let Samples {
        n_heads,
        n_levels,
        n_points,
    } = samples;
    let ((n_places, width), (n_queries, n_choices)) = (memory.dims2()?, choices.dims2()?);
    let n_samples = n_levels * n_points;
    let n_described: usize = sizes.iter().map(|(height, width)| height * width).sum();
    if sizes.len() != n_levels
        || n_described != n_places
        || n_choices != 3 * n_heads * n_samples
        || !width.is_multiple_of(n_heads)
    {
        bail!("{n_choices} choices of {n_queries} queries among {n_places} places of {width} in maps {sizes:?}");
    }
    let head_width = width / n_heads;
    let offsets = dense(&choices.narrow(1, 0, 2 * n_heads * n_samples)?)?;
    let scores = choices.narrow(1, 2 * n_heads * n_samples, n_heads * n_samples)?;
    let scores = dense(&scores)?.reshape((1, n_queries, n_heads, n_samples))?;
    let weights = softmax(&scores, None)?.squeeze(0)?;
    #[cfg(feature = "cuda")]
    if cuda::takes(memory, n_queries * width) && cuda::takes(choices, 0) {
        return cuda::sampled(memory, [&offsets, &weights], references, sizes, samples);
    }
    // A row for each position and head.
    let memory = dense(memory)?.reshape((n_places * n_heads, head_width))?;
    let offsets = offsets.reshape((n_queries, n_heads, n_levels, n_points, 2))?;
    let heads: Vec<f32> = (0..n_heads).map(|head| head as f32).collect();
    let heads = beside(&memory, heads, (1, n_heads, 1))?;

    let mut first = 0;
    let mut sum: Option<Tensor> = None;
    for (level, &(height, width)) in sizes.iter().enumerate() {
        let offsets = offsets.narrow(2, level, 1)?.squeeze(2)?;
        let weights = weights.narrow(2, level * n_points, n_points)?;
        let axis = |axis: usize, size: usize| -> Result<[Tensor; 2]> {
            let offsets = offsets.narrow(3, axis, 1)?.squeeze(3)?;
            let place = placed(references, axis, &offsets, size, n_points)?;
            let before = place.floor()?;
            let share = (&place - &before)?;
            Ok([before, share])
        };
        let ([left, across], [above, down]) = (axis(0, width)?, axis(1, height)?);
        for (down_by, across_by) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (row, within_rows) = inside(&above, down_by, height)?;
            let (column, within_columns) = inside(&left, across_by, width)?;
            let share = (share(&down, down_by)? * share(&across, across_by)?)?;
            let share = (share * (within_rows * within_columns)?)?.mul(&weights)?;
            // f32 represents integers up to 16 million exactly.
            let place = ((row * width as f64)? + column)?;
            let index = ((place + first as f64)? * n_heads as f64)?.broadcast_add(&heads)?;
            let index = index.to_dtype(DType::U32)?.flatten_all()?;
            let found = memory.index_select(&index, 0)?.reshape((n_queries * n_heads, n_points, head_width))?;
            // The mean over points is a product of each head's shares and the values found.
            let share = dense(&share)?.reshape((n_queries * n_heads, 1, n_points))?;
            let part = share.matmul(&found)?;
            sum = Some(match sum {
                Some(sum) => (sum + part)?,
                None => part,
            });
        }
        first += height * width;
    }
    match sum {
        Some(sum) => sum.reshape((n_queries, n_heads * head_width)),
        None => bail!("no maps to look at"),
    }
}

/// The points of offsets along an axis, in positions of the map, counted from the centre of the first position.
fn placed(references: &References, axis: usize, offsets: &Tensor, size: usize, n_points: usize) -> Result<Tensor> {
    let column = |values: Vec<f32>| {
        let shape = (values.len(), 1, 1);
        beside(offsets, values, shape)
    };
    let size = size as f64;
    let places = match references {
        References::Points(points) => {
            let points = column(points.iter().map(|point| point[axis]).collect())?;
            offsets.broadcast_add(&(points * size)?)?
        }
        References::Boxes(boxes) => {
            let middles = column(boxes.iter().map(|whole| whole[axis]).collect())?;
            let halves = boxes.iter().map(|whole| whole[2 + axis] * 0.5 / n_points as f32);
            let offsets = offsets.broadcast_mul(&column(halves.collect())?)?;
            (offsets.broadcast_add(&middles)? * size)?
        }
    };
    places - 0.5
}

/// A row or column of corners, clamped to the map, with 1 if it was on the map and 0 otherwise.
fn inside(before: &Tensor, by: usize, size: usize) -> Result<(Tensor, Tensor)> {
    let corner = (before + by as f64)?;
    let last = (size - 1) as f64;
    let within = (corner.ge(0.0)? * corner.le(last)?)?;
    Ok((corner.clamp(0.0, last)?, within.to_dtype(before.dtype())?))
}

fn share(of_next: &Tensor, by: usize) -> Result<Tensor> {
    match by {
        0 => of_next.affine(-1.0, 1.0),
        _ => Ok(of_next.clone()),
    }
}
