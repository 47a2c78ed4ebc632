//! Seeded damage, for the mutations of readers here and in crates above.

/// SplitMix64: the same mutations everywhere.
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Replacements for numbers in headers.
const NUMBERS: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, 1 << 62, u64::MAX];

/// One to four changes: bits, bytes, numbers of several widths, parts that are cut, doubled, moved or exchanged with
/// another file's.
pub(crate) fn mutated(draws: &mut Draws, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=draws.below(4) {
        let at = draws.below(bytes.len());
        let length = draws.below(64).min(bytes.len().saturating_sub(at));
        match draws.below(8) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << draws.below(8),
            1 if !bytes.is_empty() => bytes[at] = draws.next() as u8,
            2 | 3 => {
                let width = [1, 2, 4, 8][draws.below(4)];
                let number = NUMBERS[draws.below(NUMBERS.len())];
                let number = if draws.below(2) == 0 {
                    number.to_le_bytes()
                } else {
                    number.to_be_bytes()
                };
                let end = (at + width).min(bytes.len());
                let width = end - at;
                bytes[at..end].copy_from_slice(&number[..width]);
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..at + length)),
            6 => {
                let part = bytes[at..at + length].repeat(1 + draws.below(5));
                bytes.splice(at..at, part);
            }
            _ => {
                let from = draws.below(other.len());
                let part = &other[from..(from + length).min(other.len())];
                bytes.splice(at..at + part.len().min(length), part.iter().copied());
            }
        }
    }
    bytes
}
