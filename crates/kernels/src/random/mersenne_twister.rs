//! MT19937 (Matsumoto and Nishimura, 1998), the generator behind `torch.manual_seed` on the CPU.

const LENGTH: usize = 624;
const MIDDLE: usize = 397;

/// The generator's 32-bit outputs.
#[derive(Debug, Clone)]
pub(super) struct MersenneTwister {
    state: [u32; LENGTH],
    /// Position of the next output in `state`.
    next: usize,
}

impl MersenneTwister {
    pub(super) fn new(seed: u32) -> Self {
        let mut state = [seed; LENGTH];
        for i in 1..LENGTH {
            let previous = state[i - 1];
            state[i] = (previous ^ (previous >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        MersenneTwister { state, next: LENGTH }
    }

    pub(super) fn next_u32(&mut self) -> u32 {
        let mut one = [0];
        self.fill(&mut one, |bits| bits);
        one[0]
    }

    /// Sets every element to `value` of the next output.
    pub(super) fn fill<T>(&mut self, mut out: &mut [T], value: impl Fn(u32) -> T) {
        while !out.is_empty() {
            let n = self.available(out.len());
            let (head, tail) = out.split_at_mut(n);
            for (element, &word) in head.iter_mut().zip(&self.state[self.next..]) {
                *element = value(temper(word));
            }
            self.next += n;
            out = tail;
        }
    }

    pub(super) fn skip(&mut self, mut n: usize) {
        while n > 0 {
            let step = self.available(n);
            self.next += step;
            n -= step;
        }
    }

    /// How many of `wanted` outputs the state has, at least one.
    fn available(&mut self, wanted: usize) -> usize {
        if self.next == LENGTH {
            self.regenerate();
        }
        wanted.min(LENGTH - self.next)
    }

    fn regenerate(&mut self) {
        let state = &mut self.state;
        for i in 0..LENGTH - MIDDLE {
            state[i] = state[i + MIDDLE] ^ twist(state[i], state[i + 1]);
        }
        for i in LENGTH - MIDDLE..LENGTH - 1 {
            state[i] = state[i + MIDDLE - LENGTH] ^ twist(state[i], state[i + 1]);
        }
        state[LENGTH - 1] = state[MIDDLE - 1] ^ twist(state[LENGTH - 1], state[0]);
        self.next = 0;
    }
}

fn twist(high: u32, low: u32) -> u32 {
    let joined = (high & 0x8000_0000) | (low & 0x7FFF_FFFF);
    (joined >> 1) ^ ((low & 1).wrapping_neg() & 0x9908_B0DF)
}

fn temper(word: u32) -> u32 {
    let word = word ^ (word >> 11);
    let word = word ^ ((word << 7) & 0x9D2C_5680);
    let word = word ^ ((word << 15) & 0xEFC6_0000);
    word ^ (word >> 18)
}
