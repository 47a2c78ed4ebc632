//! Random streams that depend on a seed and a counter and on nothing else.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The seed of a run.
///
/// Work item `i` draws from its own stream, so results do not depend on the number of threads or on
/// the order in which work is done.
///
/// ```
/// use neurogauge_core::Seed;
/// use rand::Rng;
/// let seed = Seed(7);
/// assert_eq!(seed.stream(3).next_u64(), seed.stream(3).next_u64());
/// assert_ne!(seed.stream(3).next_u64(), seed.stream(4).next_u64());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seed(pub u64);

impl Seed {
    /// The random stream of work item `index` (ChaCha8, stream number = `index`).
    pub fn stream(self, index: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.0);
        rng.set_stream(index);
        rng
    }
}

impl Default for Seed {
    fn default() -> Self {
        Seed(42)
    }
}
