//! Sums of values with random signs, for several systems and many flips at once.
//!
//! Four pairs have 16 combinations of signs. Their sums are computed once for all flips, and a flip looks them up, so a
//! quarter of the additions remains (the "method of four Russians").

use multiversion::multiversion;
use neurogauge_core::Seed;
use std::ops::{Add, AddAssign, Range, Sub};

/// Pairs in a table.
const GROUP: usize = 4;

/// Tables for the 32 pairs whose signs are one random word.
const TABLES: usize = 32 / GROUP;

/// Sums of four pairs by combination of signs; a set bit flips the sign of its pair.
type Table<T, const WIDTH: usize> = [[T; WIDTH]; 1 << GROUP];

/// Numbers with sums.
pub trait Term: Copy + Default + Add<Output = Self> + Sub<Output = Self> + AddAssign {}
impl<T: Copy + Default + Add<Output = T> + Sub<Output = T> + AddAssign> Term for T {}

pub struct Signs {
    n_flips: usize,
    /// The bits of 32 pairs for all flips, then of the next 32 pairs. Bits after the last pair are 0.
    words: Vec<u32>,
}

impl Signs {
    /// The signs of [`Flip::draw`](crate::sign_flip::Flip::draw), from the stream of each flip.
    pub fn draw(flips: Range<usize>, n_pairs: usize, seed: Seed) -> Self {
        use rand::Rng;
        let (n_flips, n_words) = (flips.len(), n_pairs.div_ceil(32));
        let mut words = vec![0; n_flips * n_words];
        let of_last = u32::MAX >> (n_words * 32 - n_pairs);
        for (place, flip) in flips.enumerate() {
            let rng = &mut seed.stream(flip as u64);
            for word in 0..n_words {
                let used = if word + 1 == n_words { of_last } else { u32::MAX };
                words[word * n_flips + place] = rng.next_u32() & used;
            }
        }
        Signs { n_flips, words }
    }

    /// All combinations of signs of 2 to 32 pairs, except for the first pair's: flipping it with all others changes no
    /// distance from zero.
    pub(crate) fn all(n_pairs: usize) -> Self {
        let words: Vec<u32> = (0..1_u32 << (n_pairs - 1)).map(|signs| signs << 1).collect();
        Signs {
            n_flips: words.len(),
            words,
        }
    }

    pub(crate) fn n_flips(&self) -> usize {
        self.n_flips
    }

    /// The number of flipped signs of each flip.
    pub fn n_turned(&self) -> Vec<u32> {
        let mut n_turned = vec![0; self.n_flips];
        for words in self.words.chunks_exact(self.n_flips) {
            for (n_turned, word) in n_turned.iter_mut().zip(words) {
                *n_turned += word.count_ones();
            }
        }
        n_turned
    }
}

/// The values of systems, laid out for their sums.
pub struct FlippedSums<T, const WIDTH: usize> {
    n_systems: usize,
    /// The values of each pair for `WIDTH` systems; missing systems and the pairs that fill up the last word are 0.
    blocks: Vec<Vec<[T; WIDTH]>>,
}

impl<T: Term, const WIDTH: usize> FlippedSums<T, WIDTH> {
    /// Lays out systems that have a value for each pair: `term` of a system and the value.
    pub fn of(systems: &[&[f64]], term: impl Fn(usize, f64) -> T) -> Self {
        let n_pairs = systems.first().map_or(0, |system| system.len());
        let block = |(block, systems): (usize, &[&[f64]])| {
            let mut pairs = vec![[T::default(); WIDTH]; n_pairs.next_multiple_of(32)];
            for (place, system) in systems.iter().enumerate() {
                for (pair, value) in pairs.iter_mut().zip(*system) {
                    pair[place] = term(block * WIDTH + place, *value);
                }
            }
            pairs
        };
        FlippedSums {
            n_systems: systems.len(),
            blocks: systems.chunks(WIDTH).enumerate().map(block).collect(),
        }
    }

    /// For each system, the sum with the signs of each flip.
    pub fn sums(&self, signs: &Signs) -> Vec<T> {
        let mut sums = Vec::with_capacity(self.n_systems * signs.n_flips);
        for (place, block) in self.blocks.iter().enumerate() {
            let mut of_flips = vec![[T::default(); WIDTH]; signs.n_flips];
            let words = signs.words.chunks_exact(signs.n_flips.max(1));
            for (pairs, words) in block.as_chunks::<32>().0.iter().zip(words) {
                add(pairs, words, &mut of_flips);
            }
            for system in 0..WIDTH.min(self.n_systems - place * WIDTH) {
                sums.extend(of_flips.iter().map(|of_flip| of_flip[system]));
            }
        }
        sums
    }
}

/// Adds the sums of 32 pairs to those of each flip.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn add<T: Term, const WIDTH: usize>(pairs: &[[T; WIDTH]; 32], words: &[u32], sums: &mut [[T; WIDTH]]) {
    let mut tables: [Table<T, WIDTH>; TABLES] = [[[T::default(); WIDTH]; 1 << GROUP]; TABLES];
    for (table, pairs) in tables.iter_mut().zip(pairs.as_chunks::<GROUP>().0) {
        for (bit, values) in pairs.iter().enumerate() {
            for signs in 0..1 << bit {
                let before = table[signs];
                for place in 0..WIDTH {
                    table[signs][place] = before[place] + values[place];
                    table[signs | 1 << bit][place] = before[place] - values[place];
                }
            }
        }
    }
    for (sums, &word) in sums.iter_mut().zip(words) {
        let of_signs = |place: usize| &tables[place][(word >> (GROUP * place)) as usize & ((1 << GROUP) - 1)];
        let rows: [&[T; WIDTH]; TABLES] = std::array::from_fn(of_signs);
        // System by system: table by table, the compiler would gather single numbers.
        for (system, sum) in sums.iter_mut().enumerate() {
            let mut own = *sum;
            for row in rows {
                own += row[system];
            }
            *sum = own;
        }
    }
}
