//! The tower that reads the picture.

use super::block::{Block, turn_scale};
use super::config::VISION_THETA;
use super::picture::Patches;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::{
    GroupedHeads, NoBias, Pairs, RmsNorm, Rotary, Sequences, Shift, Turns, WideLinear, Windows, attend_grouped,
};

/// The tower, with the maps from patches and to the language model's tokens.
pub(super) struct Tower {
    pub(super) patches: WideLinear,
    pub(super) blocks: Vec<Block>,
    /// The blocks that attend over the whole picture; the others attend within windows.
    pub(super) whole: Vec<usize>,
    pub(super) norm: RmsNorm,
    /// The first map includes its activation.
    pub(super) merger: [WideLinear; 2],
    pub(super) heads: GroupedHeads,
    /// Patches along a token's side.
    pub(super) merge: usize,
    /// Side of a window, in tokens.
    pub(super) window: usize,
    /// The device and precision of the weights.
    pub(super) placement: Placement,
}

/// The order in which the tower reads the patches: window by window.
pub(super) struct Order {
    /// The patch in each row.
    patches: Vec<u32>,
    /// The row of each token.
    tokens: Vec<u32>,
    windows: Sequences,
    whole: Sequences,
    turns: Turns,
}

impl Tower {
    /// The tokens of a picture, row by row.
    pub(super) fn tokens(&self, picture: Patches) -> Result<Tensor> {
        let order = self.order(picture.grid);
        let mut x = self.enter(picture, &order)?;
        for index in 0..self.blocks.len() {
            x = self.block(index, &x, &order)?;
        }
        self.leave(&x, &order)
    }

    /// The order by windows, which are cut at the picture's edge.
    pub(super) fn order(&self, (n_rows, n_columns): (usize, usize)) -> Order {
        let windows = Windows::new(1, (n_rows, n_columns), self.window, Shift::None).arrangement;
        let (mut order, mut lengths) = (Vec::new(), Vec::new());
        for window in windows.sequences().rows() {
            let inside = windows.rows()[window].iter().flatten();
            let before = order.len();
            order.extend(inside.copied());
            lengths.push(order.len() - before);
        }
        let mut tokens = vec![0; order.len()];
        for (row, token) in (0..).zip(&order) {
            tokens[*token as usize] = row;
        }
        let unit = (self.merge * self.merge) as u32;
        let own = |token: &u32| token * unit..(token + 1) * unit;
        let patches: Vec<u32> = order.iter().flat_map(own).collect();
        Order {
            turns: self.turns(&patches, n_columns),
            windows: Sequences::new(lengths.iter().map(|length| length * unit as usize)),
            whole: Sequences::new([patches.len()]),
            patches,
            tokens,
        }
    }

    /// A patch's row rotates half of the pairs of a head's features, its column the other half.
    fn turns(&self, patches: &[u32], n_columns: usize) -> Turns {
        let n_pairs = self.heads.head_width / 2;
        let rotary = Rotary::new(n_pairs, VISION_THETA);
        let unit = self.merge * self.merge;
        let angles = patches.iter().flat_map(|&patch| {
            let (token, own) = (patch as usize / unit, patch as usize % unit);
            let row = token / n_columns * self.merge + own / self.merge;
            let column = token % n_columns * self.merge + own % self.merge;
            let of = |place: usize| rotary.steps().iter().map(move |step| place as f32 * step);
            of(row).chain(of(column))
        });
        Turns::new(angles, n_pairs, Pairs::Halves).of_rows().scaled(turn_scale(self.heads))
    }

    /// Vectors of the patches in the tower's order.
    pub(super) fn enter(&self, picture: Patches, order: &Order) -> Result<Tensor> {
        let shape = (order.patches.len(), picture.values.len() / order.patches.len().max(1));
        let patches = self.placement.tensor(picture.values, shape)?;
        let embedded = self.patches.forward(&patches)?;
        let rows = Tensor::from_slice(&order.patches, order.patches.len(), embedded.device())?;
        embedded.index_select(&rows, 0)
    }

    pub(super) fn block(&self, index: usize, x: &Tensor, order: &Order) -> Result<Tensor> {
        let block = &self.blocks[index];
        let sequences = if self.whole.contains(&index) {
            &order.whole
        } else {
            &order.windows
        };
        let placed = block.placed(x, sequences, &order.turns, self.heads)?;
        let attended = attend_grouped(&placed, sequences, self.heads, &NoBias, true)?;
        block.behind_attention(&attended, x)
    }

    /// Puts tokens back into the picture's order.
    pub(super) fn leave(&self, x: &Tensor, order: &Order) -> Result<Tensor> {
        let n_tokens = order.tokens.len();
        let merged = self.norm.forward(x)?.reshape((n_tokens, ()))?;
        let [first, second] = &self.merger;
        let tokens = second.forward(&first.forward(&merged)?)?;
        let rows = Tensor::from_slice(&order.tokens, n_tokens, tokens.device())?;
        tokens.index_select(&rows, 0)
    }
}
