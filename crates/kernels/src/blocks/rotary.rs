//! Rotary positions: each pair of features is rotated by an angle that depends on the position.

/// Rotates pairs of a head's features by angles that grow with the token's position (RoPE): features `i` and `i + width
/// / 2` by `position / theta^(2 i / width)`. The product of a rotated query and a rotated key depends on the distance
/// of their tokens, not on their positions.
#[derive(Debug, Clone)]
pub struct Rotary {
    /// The angle between consecutive positions, for each pair.
    steps: Vec<f32>,
}

/// Which two features of a head form a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    /// `i` and `i + width / 2`.
    Halves,
    /// `2 i` and `2 i + 1`.
    Neighbours,
}

/// The rotations of the first positions.
#[derive(Debug, Clone)]
pub struct Turns {
    /// Cosine and sine of each pair's angle, position by position.
    angles: Vec<(f32, f32)>,
    n_pairs: usize,
    pairs: Pairs,
    /// Do rotations belong to the rows of a matrix instead of positions in a sequence?
    of_rows: bool,
}

impl Rotary {
    /// For heads with this many features, which must be even.
    pub fn new(head_width: usize, theta: f64) -> Self {
        // Rounded to f32 where the reference rounds, since it matters for the angles of far positions.
        let step = |pair: usize| {
            let power = (2 * pair) as f32 / head_width as f32;
            1.0 / theta.powf(f64::from(power)) as f32
        };
        Rotary {
            steps: (0..head_width / 2).map(step).collect(),
        }
    }

    /// The angle between consecutive positions, for each pair.
    pub fn steps(&self) -> &[f32] {
        &self.steps
    }

    /// The rotations of positions 0 to `n_positions` - 1.
    pub fn turns(&self, n_positions: usize) -> Turns {
        let angles = (0..n_positions).flat_map(|position| self.steps.iter().map(move |step| position as f32 * step));
        Turns::new(angles, self.steps.len(), Pairs::Halves)
    }
}

impl Turns {
    /// Builds rotations from the angles of `n_pairs` pairs, position by position.
    pub fn new(angles: impl IntoIterator<Item = f32>, n_pairs: usize, pairs: Pairs) -> Self {
        let turn = |angle: f32| {
            let (sin, cos) = f64::from(angle).sin_cos();
            (cos as f32, sin as f32)
        };
        Turns {
            angles: angles.into_iter().map(turn).collect(),
            n_pairs,
            pairs,
            of_rows: false,
        }
    }

    /// Uses them as rotations of the rows of a matrix, regardless of the sequences.
    pub fn of_rows(self) -> Self {
        Turns { of_rows: true, ..self }
    }

    /// Also multiplies the rotated features by a factor. If queries and keys are both rotated, their scores are
    /// multiplied by its square.
    pub fn scaled(mut self, factor: f64) -> Self {
        let scaled = |value: f32| (f64::from(value) * factor) as f32;
        for (cos, sin) in &mut self.angles {
            (*cos, *sin) = (scaled(*cos), scaled(*sin));
        }
        self
    }

    /// Do rotations belong to rows?
    pub(super) fn are_of_rows(&self) -> bool {
        self.of_rows
    }

    /// Cosine and sine of each pair's angle, position by position.
    pub(super) fn angles(&self) -> &[(f32, f32)] {
        &self.angles
    }

    pub(super) fn pairs(&self) -> Pairs {
        self.pairs
    }

    /// Number of positions that have rotations.
    pub fn n_positions(&self) -> usize {
        self.angles.len() / self.n_pairs.max(1)
    }

    /// Rotates the heads of a token, which are stored side by side.
    pub fn turn(&self, position: usize, heads: &mut [f32]) {
        let angles = &self.angles[position * self.n_pairs..][..self.n_pairs];
        for head in heads.chunks_exact_mut(2 * self.n_pairs) {
            match self.pairs {
                Pairs::Halves => {
                    let (first, second) = head.split_at_mut(self.n_pairs);
                    for ((a, b), turn) in first.iter_mut().zip(second).zip(angles) {
                        (*a, *b) = turned((*a, *b), *turn);
                    }
                }
                Pairs::Neighbours => {
                    for (pair, turn) in head.as_chunks_mut().0.iter_mut().zip(angles) {
                        let [a, b] = *pair;
                        *pair = turned((a, b), *turn).into();
                    }
                }
            }
        }
    }
}

fn turned((a, b): (f32, f32), (cos, sin): (f32, f32)) -> (f32, f32) {
    (a * cos - b * sin, b * cos + a * sin)
}
