//! The bias that the relative position of two positions in a window adds to their attention score.

use candle_core::{Result, Tensor, bail};
use neurogauge_kernels::blocks::{ScoreBias, Seam, Windows, host_values, score_stride};

/// Added to scores between positions on different sides of a seam. As in the reference it is not infinite; the
/// exponential makes it next to nothing.
const ACROSS_A_SEAM: f32 = -100.0;

/// One learned number for each head and each difference of two positions in a window.
#[derive(Debug, Clone)]
pub(super) struct PositionBias {
    /// Side of the window.
    size: usize,
    /// A matrix of shape (query position, key position) for each head.
    matrices: Vec<f32>,
}

impl PositionBias {
    /// Builds the bias from a table that has a row for each difference (in rows, then in columns; query minus key, from
    /// the most negative on) and a column for each head.
    pub(super) fn new(table: &Tensor, size: usize) -> Result<Self> {
        let n_differences = 2 * size - 1;
        let (n_rows, n_heads) = table.dims2()?;
        if n_rows != n_differences * n_differences {
            bail!("a table of {n_rows} differences for windows of {size} x {size}");
        }
        let table = host_values(table)?;
        let stride = score_stride(size * size);
        let mut matrices = vec![0.0; n_heads * size * size * stride];
        for (index, row) in matrices.chunks_exact_mut(stride).enumerate() {
            let (head, query) = (index / (size * size), index % (size * size));
            for (key, value) in row[..size * size].iter_mut().enumerate() {
                let rows = query / size + size - 1 - key / size;
                let columns = query % size + size - 1 - key % size;
                *value = table[(rows * n_differences + columns) * n_heads + head];
            }
        }
        Ok(PositionBias { size, matrices })
    }

    /// The bias together with the masks at seams.
    pub(super) fn of<'a>(&'a self, windows: &'a Windows) -> WindowBias<'a> {
        let with_seams = SEAMS.map(|seam| {
            let needed = windows.have(seam);
            if needed { self.with_seam(seam) } else { Vec::new() }
        });
        WindowBias {
            plain: self,
            windows,
            with_seams,
        }
    }

    fn with_seam(&self, seam: Seam) -> Vec<f32> {
        let size = self.size;
        let n_places = size * size;
        // The last rows (or columns) of such a window come from the opposite edge.
        let beyond = |index: usize| index >= size - size / 2;
        let side = |place: usize| (seam.rows && beyond(place / size), seam.columns && beyond(place % size));
        let mut matrices = self.matrices.clone();
        let rows = matrices.chunks_exact_mut(score_stride(n_places));
        for (index, row) in rows.enumerate() {
            let query = side(index % n_places);
            for (key, value) in row[..n_places].iter_mut().enumerate() {
                if side(key) != query {
                    *value += ACROSS_A_SEAM;
                }
            }
        }
        matrices
    }
}

/// The kinds of seams.
const SEAMS: [Seam; 3] = [
    Seam {
        rows: false,
        columns: true,
    },
    Seam {
        rows: true,
        columns: false,
    },
    Seam {
        rows: true,
        columns: true,
    },
];

/// The matrices for the windows of a batch.
pub(super) struct WindowBias<'a> {
    plain: &'a PositionBias,
    windows: &'a Windows,
    with_seams: [Vec<f32>; SEAMS.len()],
}

impl ScoreBias for WindowBias<'_> {
    /// Index of the kind of seam; a window without one comes last.
    fn kind(&self, sequence: usize) -> usize {
        let seam = self.windows.seam(sequence);
        SEAMS.iter().position(|&other| other == seam).unwrap_or(SEAMS.len())
    }

    fn of(&self, kind: usize, head: usize) -> Option<&[f32]> {
        let matrices = self.with_seams.get(kind).unwrap_or(&self.plain.matrices);
        let n_places = self.plain.size * self.plain.size;
        let length = n_places * score_stride(n_places);
        Some(&matrices[head * length..][..length])
    }
}
