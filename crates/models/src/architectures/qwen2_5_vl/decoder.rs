//! The language model, which continues a prompt that contains a picture.

use super::ARCHITECTURE;
use super::block::{Block, turn_scale};
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::{
    Embedding, GroupedHeads, Pairs, PrefixedTexts, Prefixes, RmsNorm, Rotary, Sequences, Turns, WideLinear, host_values,
};
use neurogauge_kernels::generation::Decoder;

/// The language model, with a map to the logits of the next token.
pub(super) struct TextDecoder {
    pub(super) words: Embedding,
    pub(super) blocks: Vec<Block>,
    pub(super) norm: RmsNorm,
    pub(super) output: WideLinear,
    pub(super) heads: GroupedHeads,
    pub(super) rotary: Rotary,
    /// How many pairs of a head's features the time, the row and the column rotate.
    pub(super) sections: Vec<usize>,
}

/// Time, row and column of a token.
type Position = [usize; 3];

/// The ids of a prompt with one picture.
pub(super) struct Prompt {
    pub(super) ids: Vec<u32>,
    /// Where the picture's tokens begin.
    pub(super) picture: usize,
    /// Number of rows and columns of the picture's tokens.
    pub(super) grid: (usize, usize),
}

/// Answers that are being written.
pub(super) struct Texts {
    texts: PrefixedTexts,
    /// The position of the first token after the shared prompt.
    next: usize,
}

impl Prompt {
    /// The position of every token. A picture occupies as many positions as its longer side has tokens.
    pub(super) fn positions(&self) -> Vec<Position> {
        let (n_rows, n_columns) = self.grid;
        let n_tokens = n_rows * n_columns;
        let behind = self.ids.len() - self.picture - n_tokens;
        let start = self.picture;
        let resumed = start + n_rows.max(n_columns);
        let text = |position: usize| [position; 3];
        let of_picture = |token: usize| {
            let (row, column) = (token / n_columns, token % n_columns);
            [start, start + row, start + column]
        };
        let before = (0..start).map(text);
        let behind = (resumed..resumed + behind).map(text);
        before.chain((0..n_tokens).map(of_picture)).chain(behind).collect()
    }
}

impl TextDecoder {
    /// The rotations of queries and keys at these positions.
    pub(super) fn turns(&self, positions: &[Position]) -> Turns {
        let axes: Vec<usize> = (0..3).flat_map(|axis| std::iter::repeat_n(axis, self.sections[axis])).collect();
        let steps = self.rotary.steps();
        let angles = positions
            .iter()
            .flat_map(|position| steps.iter().zip(&axes).map(move |(step, &axis)| position[axis] as f32 * step));
        Turns::new(angles, steps.len(), Pairs::Halves).of_rows().scaled(turn_scale(self.heads))
    }

    /// Vectors of a prompt's tokens; `picture` holds those of its picture.
    pub(super) fn embedded(&self, prompt: &Prompt, picture: &Tensor) -> EngineResult<Tensor> {
        let (before, behind) = prompt.ids.split_at(prompt.picture);
        let behind = &behind[picture.dim(0)?..];
        let (before, behind) = (self.words.forward(before)?, self.words.forward(behind)?);
        Tensor::cat(&[&before, picture, &behind], 0)
    }

    /// Runs a prompt up to its last token, which begins the text.
    pub(super) fn begin(&self, prompt: &Prompt, picture: &Tensor) -> EngineResult<Texts> {
        let mut positions = prompt.positions();
        let last = positions.pop().unwrap_or_default();
        let n_tokens = positions.len();
        let turns = self.turns(&positions);
        let sequence = Sequences::new([n_tokens]);
        let mut prefix = Prefixes::new(n_tokens, n_tokens, self.heads, true);
        let mut x = self.embedded(prompt, picture)?.narrow(0, 0, n_tokens)?;
        for (index, block) in self.blocks.iter().enumerate() {
            let placed = block.placed(&x, &sequence, &turns, self.heads)?;
            prefix.keep(&placed)?;
            if index + 1 < self.blocks.len() {
                // The text needs only keys and values of the last block.
                x = block.behind_attention(&prefix.attend(&placed)?, &x)?;
            }
        }
        Ok(Texts {
            texts: prefix.into_texts(),
            next: last[0],
        })
    }
}

impl Decoder for TextDecoder {
    type State = Texts;

    fn architecture(&self) -> &'static str {
        ARCHITECTURE
    }

    fn append(&self, texts: &mut Texts, ids: &[u32]) -> EngineResult<Vec<f32>> {
        let position = texts.next + texts.texts.n_written();
        let turns = self.turns(&vec![[position; 3]; ids.len()]);
        let rows = Sequences::new([ids.len()]);
        let mut x = self.words.forward(ids)?;
        for (index, block) in self.blocks.iter().enumerate() {
            let placed = block.placed(&x, &rows, &turns, self.heads)?;
            let attended = texts.texts.attend(index, &placed)?;
            x = block.behind_attention(&attended, &x)?;
        }
        texts.texts.advance();
        host_values(&self.output.forward(&self.norm.forward(&x)?)?)
    }

    fn rearrange(&self, state: &mut Texts, rows: &[usize]) -> EngineResult<()> {
        state.texts.reorder(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_takes_as_many_positions_as_its_longer_side() {
        let prompt = Prompt {
            ids: vec![0; 2 + 6 + 2],
            picture: 2,
            grid: (2, 3),
        };
        let expected = [
            [0, 0, 0],
            [1, 1, 1],
            [2, 2, 2],
            [2, 2, 3],
            [2, 2, 4],
            [2, 3, 2],
            [2, 3, 3],
            [2, 3, 4],
            [5, 5, 5],
            [6, 6, 6],
        ];
        assert_eq!(prompt.positions(), expected);
    }
}
