//! The numbers that shape Inception v3.

/// Epsilon of every `BatchNorm2d`.
pub(super) const EPSILON: f64 = 1e-3;
pub(super) const N_CLASSES: usize = 1000;
/// The smallest image side: smaller images leave nothing for the last blocks.
pub(super) const SMALLEST_PX: usize = 75;

/// What `transform_input` does to the channels: it undoes the normalisation by ImageNet's statistics and brings pixels
/// from [0, 1] to [-1, 1].
pub(super) const TRANSFORM_INPUT: [(f64, f64); 3] = [
    (0.229 / 0.5, (0.485 - 0.5) / 0.5),
    (0.224 / 0.5, (0.456 - 0.5) / 0.5),
    (0.225 / 0.5, (0.406 - 0.5) / 0.5),
];

/// A convolution of a block: its name, output channels, rows and columns. Its padding keeps the map's size, unless the
/// convolution halves it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) n_out: usize,
    pub(super) size: (usize, usize),
    pub(super) halves: bool,
}

const fn step(name: &'static str, n_out: usize, height: usize, width: usize) -> Step {
    Step {
        name,
        n_out,
        size: (height, width),
        halves: false,
    }
}

/// 3 x 3 with stride 2 and no padding.
const fn halving(name: &'static str, n_out: usize) -> Step {
    Step {
        name,
        n_out,
        size: (3, 3),
        halves: true,
    }
}

#[derive(Debug, Clone)]
pub(super) struct BranchConfig {
    /// Does the branch begin with the mean over 3 x 3 positions?
    pub(super) averaged: bool,
    /// Consecutive convolutions.
    pub(super) first: Vec<Step>,
    /// Convolutions that all read the output of `first`; their outputs are concatenated.
    pub(super) last: Vec<Step>,
}

/// A block: branches whose outputs are concatenated.
#[derive(Debug, Clone)]
pub(super) struct BlockConfig {
    pub(super) name: &'static str,
    pub(super) branches: Vec<BranchConfig>,
    /// Is the input, max-pooled to half its size, concatenated too?
    pub(super) pooled: bool,
}

fn chain<const N: usize>(steps: [Step; N]) -> BranchConfig {
    let (first, last) = steps.split_at(N - 1);
    BranchConfig {
        averaged: false,
        first: first.to_vec(),
        last: last.to_vec(),
    }
}

fn fork<const N: usize, const M: usize>(first: [Step; N], last: [Step; M]) -> BranchConfig {
    BranchConfig {
        averaged: false,
        first: first.to_vec(),
        last: last.to_vec(),
    }
}

fn averaged(n_out: usize) -> BranchConfig {
    BranchConfig {
        averaged: true,
        ..chain([step("branch_pool", n_out, 1, 1)])
    }
}

pub(super) fn blocks() -> Vec<BlockConfig> {
    vec![
        fine("Mixed_5b", 32),
        fine("Mixed_5c", 64),
        fine("Mixed_5d", 64),
        to_middle("Mixed_6a"),
        middle("Mixed_6b", 128),
        middle("Mixed_6c", 160),
        middle("Mixed_6d", 160),
        middle("Mixed_6e", 192),
        to_coarse("Mixed_7a"),
        coarse("Mixed_7b"),
        coarse("Mixed_7c"),
    ]
}

/// `InceptionA`.
fn fine(name: &'static str, n_pooled: usize) -> BlockConfig {
    BlockConfig {
        name,
        branches: vec![
            chain([step("branch1x1", 64, 1, 1)]),
            chain([step("branch5x5_1", 48, 1, 1), step("branch5x5_2", 64, 5, 5)]),
            chain([
                step("branch3x3dbl_1", 64, 1, 1),
                step("branch3x3dbl_2", 96, 3, 3),
                step("branch3x3dbl_3", 96, 3, 3),
            ]),
            averaged(n_pooled),
        ],
        pooled: false,
    }
}

/// `InceptionB`.
fn to_middle(name: &'static str) -> BlockConfig {
    BlockConfig {
        name,
        branches: vec![
            chain([halving("branch3x3", 384)]),
            chain([step("branch3x3dbl_1", 64, 1, 1), step("branch3x3dbl_2", 96, 3, 3), halving("branch3x3dbl_3", 96)]),
        ],
        pooled: true,
    }
}

/// `InceptionC`.
fn middle(name: &'static str, n_inner: usize) -> BlockConfig {
    BlockConfig {
        name,
        branches: vec![
            chain([step("branch1x1", 192, 1, 1)]),
            chain([
                step("branch7x7_1", n_inner, 1, 1),
                step("branch7x7_2", n_inner, 1, 7),
                step("branch7x7_3", 192, 7, 1),
            ]),
            chain([
                step("branch7x7dbl_1", n_inner, 1, 1),
                step("branch7x7dbl_2", n_inner, 7, 1),
                step("branch7x7dbl_3", n_inner, 1, 7),
                step("branch7x7dbl_4", n_inner, 7, 1),
                step("branch7x7dbl_5", 192, 1, 7),
            ]),
            averaged(192),
        ],
        pooled: false,
    }
}

/// `InceptionD`.
fn to_coarse(name: &'static str) -> BlockConfig {
    BlockConfig {
        name,
        branches: vec![
            chain([step("branch3x3_1", 192, 1, 1), halving("branch3x3_2", 320)]),
            chain([
                step("branch7x7x3_1", 192, 1, 1),
                step("branch7x7x3_2", 192, 1, 7),
                step("branch7x7x3_3", 192, 7, 1),
                halving("branch7x7x3_4", 192),
            ]),
        ],
        pooled: true,
    }
}

/// `InceptionE`.
fn coarse(name: &'static str) -> BlockConfig {
    BlockConfig {
        name,
        branches: vec![
            chain([step("branch1x1", 320, 1, 1)]),
            fork([step("branch3x3_1", 384, 1, 1)], [step("branch3x3_2a", 384, 1, 3), step("branch3x3_2b", 384, 3, 1)]),
            fork(
                [step("branch3x3dbl_1", 448, 1, 1), step("branch3x3dbl_2", 384, 3, 3)],
                [step("branch3x3dbl_3a", 384, 1, 3), step("branch3x3dbl_3b", 384, 3, 1)],
            ),
            averaged(192),
        ],
        pooled: false,
    }
}
