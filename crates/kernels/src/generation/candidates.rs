//! The texts that the beam search of one input follows.

use super::{EarlyStopping, GenerationOptions};
use crate::blocks::log_softmax;
use crate::generation::top_k::top_k;

/// transformers adds this to scores that must not be chosen.
const RULED_OUT: f32 = -1e9;

#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    pub ids: Vec<u32>,
    /// For a running text, the sum of its tokens' log-probabilities. For a finished one, that sum divided by the length
    /// penalty.
    pub score: f32,
}

/// A slot for a finished text; at first all slots hold texts that are not finished.
#[derive(Debug, Clone)]
struct Slot {
    text: Scored,
    is_finished: bool,
}

/// The search for one input.
#[derive(Debug)]
pub(super) struct Candidates {
    running: Vec<Scored>,
    slots: Vec<Slot>,
    may_improve: bool,
    is_over: bool,
}

impl Candidates {
    /// The state before the first token. All beams are equal then, so only the first may be chosen.
    pub(super) fn new(n_beams: usize) -> Self {
        let empty = |score| Scored { ids: Vec::new(), score };
        let score = |beam| if beam == 0 { 0.0 } else { RULED_OUT };
        let slot = Slot {
            text: empty(RULED_OUT),
            is_finished: false,
        };
        Candidates {
            running: (0..n_beams).map(|beam| empty(score(beam))).collect(),
            slots: vec![slot; n_beams],
            may_improve: true,
            is_over: false,
        }
    }

    /// Appends a token to every running text, given the logits of each. Returns for each new text the index of the text
    /// that it extends.
    pub(super) fn extend(&mut self, logits: &[&[f32]], options: &GenerationOptions) -> Vec<usize> {
        let n_beams = self.running.len();
        let vocab_size = logits[0].len();
        let mut scores = Vec::with_capacity(n_beams * vocab_size);
        for (text, logits) in self.running.iter().zip(logits) {
            let start = scores.len();
            scores.extend_from_slice(logits);
            log_softmax(&mut scores[start..]);
            for score in &mut scores[start..] {
                *score += text.score;
            }
        }
        // Enough to continue even if the best tokens of every beam end it.
        let n_kept = n_beams * (1 + options.ends.len()).max(2);
        let extended: Vec<(usize, Scored)> = top_k(&scores, n_kept)
            .into_iter()
            .map(|place| {
                let beam = place / vocab_size;
                let mut ids = self.running[beam].ids.clone();
                ids.push((place % vocab_size) as u32);
                let score = scores[place];
                (beam, Scored { ids, score })
            })
            .collect();
        let n_new = self.running[0].ids.len() + 1;
        let ends: Vec<bool> = (extended.iter())
            .map(|(_, text)| {
                n_new >= options.max_new_tokens || text.ids.last().is_some_and(|id| options.ends.contains(id))
            })
            .collect();

        let running_scores: Vec<f32> = (extended.iter().zip(&ends))
            .map(|((_, text), &ends)| text.score + if ends { RULED_OUT } else { 0.0 })
            .collect();
        let goes_on = top_k(&running_scores, n_beams);
        self.running = (goes_on.iter())
            .map(|&index| Scored {
                ids: extended[index].1.ids.clone(),
                score: running_scores[index],
            })
            .collect();
        let origins = goes_on.iter().map(|&index| extended[index].0).collect();

        let extended = extended.into_iter().map(|(_, text)| text);
        self.finish(extended.zip(ends.iter().copied()), n_new, options);
        self.may_improve &= self.running_may_improve(n_new, options);
        self.is_over = !self.may_improve
            || (self.is_full() && options.early_stopping == EarlyStopping::WhenFull)
            || ends.iter().all(|&ends| ends);
        origins
    }

    /// Gives a slot to those of the best `n_beams` texts that end, if their scores are good enough.
    fn finish(&mut self, extended: impl Iterator<Item = (Scored, bool)>, n_new: usize, options: &GenerationOptions) {
        let n_beams = self.slots.len();
        let is_closed = self.is_full() && options.early_stopping == EarlyStopping::WhenFull;
        let penalty = length_penalty(n_new, options);
        let new = extended.enumerate().map(|(rank, (mut text, ends))| {
            text.score /= penalty;
            let is_finished = ends && rank < n_beams;
            for ruled_out in [is_closed, !self.may_improve, !is_finished] {
                text.score += if ruled_out { RULED_OUT } else { 0.0 };
            }
            Slot { text, is_finished }
        });
        let all: Vec<Slot> = self.slots.iter().cloned().chain(new).collect();
        let scores: Vec<f32> = all.iter().map(|slot| slot.text.score).collect();
        let best = top_k(&scores, n_beams);
        self.slots = best.into_iter().map(|index| all[index].clone()).collect();
    }

    fn is_full(&self) -> bool {
        self.slots.iter().all(|slot| slot.is_finished)
    }

    /// Could the best running text become better than the worst finished one?
    fn running_may_improve(&self, n_new: usize, options: &GenerationOptions) -> bool {
        let at_best_length = match options.early_stopping {
            EarlyStopping::WhenNoneCanImprove if options.length_penalty > 0.0 => options.max_new_tokens,
            _ => n_new,
        };
        let best = self.running[0].score / length_penalty(at_best_length, options);
        let scores = self.slots.iter().map(|slot| slot.text.score);
        let worst = scores.fold(f32::INFINITY, f32::min);
        (self.slots.iter())
            .map(|slot| if slot.is_finished { worst } else { RULED_OUT })
            .any(|worst| best > worst)
    }

    /// Has the search ended?
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The last tokens of the running texts.
    pub(super) fn last_tokens(&self) -> impl Iterator<Item = u32> {
        self.running.iter().filter_map(|text| text.ids.last().copied())
    }

    /// The best finished text.
    pub(super) fn into_best(mut self) -> Scored {
        self.slots.swap_remove(0).text
    }
}

/// The divisor of a text's score if it has this many new tokens.
fn length_penalty(n_new: usize, options: &GenerationOptions) -> f32 {
    (n_new as f64).powf(options.length_penalty) as f32
}
