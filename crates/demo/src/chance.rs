//! Draws that are the same on every machine and in every version.

use neurogauge::core::Seed;
use neurogauge::core::synthetic::Synthetic;

/// The draws made for one purpose.
pub(super) struct Chance {
    values: Synthetic,
    next: u64,
}

impl Chance {
    /// The draws for `purpose` under a seed; they do not depend on draws for other purposes.
    pub(super) fn new(seed: Seed, purpose: &str) -> Self {
        Chance {
            values: Synthetic::new(purpose, seed.0),
            next: 0,
        }
    }

    /// Uniform over [0, 1).
    pub(super) fn share(&mut self) -> f64 {
        let value = self.values.uniform(self.next);
        self.next += 1;
        f64::from(value)
    }

    /// Uniform over [low, high).
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// True with a probability of `share`.
    pub(super) fn happens(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// One of some items, `None` if there is none.
    pub(super) fn one_of<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let place = (self.share() * items.len() as f64) as usize;
        items.get(place).copied()
    }
}
