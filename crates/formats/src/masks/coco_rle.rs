//! COCO's run lengths as text.
//!
//! Each run is written as its difference from the run two positions before it (the first three unchanged), in groups of
//! five bits, the lowest first; a group's character is 48 + the bits + 32 if another group follows. The highest bit of
//! the last group is the sign.

/// A fault in a text of run lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RleFault {
    /// A byte outside '0'..='o'.
    Character(usize),
    /// The text ends within a number.
    Unfinished,
    /// A run below 0 or above 4294967295.
    Range(usize),
}

impl std::fmt::Display for RleFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RleFault::Character(at) => {
                write!(f, "character {at} (counted from 0) is none of COCO's run lengths ('0' to 'o')")
            }
            RleFault::Unfinished => f.write_str("the run lengths end within a number"),
            RleFault::Range(run) => write!(f, "run {run} (counted from 0) is no count of pixels"),
        }
    }
}

/// Converts text to run lengths.
pub(super) fn decode(text: &str) -> Result<Vec<u32>, RleFault> {
    let mut runs: Vec<u32> = Vec::with_capacity(text.len() / 2);
    let (mut value, mut shift) = (0_i64, 0);
    for (at, byte) in text.bytes().enumerate() {
        if !(48..112).contains(&byte) {
            return Err(RleFault::Character(at));
        }
        let bits = i64::from(byte - 48);
        if shift > 35 {
            return Err(RleFault::Range(runs.len()));
        }
        value |= (bits & 31) << shift;
        shift += 5;
        if bits & 32 != 0 {
            continue;
        }
        if bits & 16 != 0 {
            value |= -1 << shift;
        }
        if runs.len() > 2 {
            value += i64::from(runs[runs.len() - 2]);
        }
        runs.push(u32::try_from(value).map_err(|_| RleFault::Range(runs.len()))?);
        (value, shift) = (0, 0);
    }
    if shift == 0 {
        Ok(runs)
    } else {
        Err(RleFault::Unfinished)
    }
}

/// Converts run lengths to text.
pub(super) fn encode(runs: &[u32]) -> String {
    let mut text = String::with_capacity(2 * runs.len());
    for (place, &run) in runs.iter().enumerate() {
        let mut value = i64::from(run);
        if place > 2 {
            value -= i64::from(runs[place - 2]);
        }
        loop {
            let bits = (value & 31) as u8;
            value >>= 5;
            let is_last = if bits & 16 == 0 { value == 0 } else { value == -1 };
            text.push(char::from(48 + bits + if is_last { 0 } else { 32 }));
            if is_last {
                break;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_by_hand() {
        // 4 = 00100; 31 = 11111 needs a second group, because it would otherwise be -1.
        assert_eq!(encode(&[4, 31]), "4o0");
        // The fourth run is a difference from the second: 2 - 4 = -2 = 11110.
        assert_eq!(encode(&[1, 4, 1, 2]), "141N");
        assert_eq!(decode("141N"), Ok(vec![1, 4, 1, 2]));
    }

    #[test]
    fn there_and_back() {
        let cases: [&[u32]; 5] = [&[], &[0, 6], &[u32::MAX], &[0, u32::MAX, 0, 0, 7], &[5, 9, 3, 900, 2, 1, 77]];
        for runs in cases {
            assert_eq!(decode(&encode(runs)).unwrap(), runs);
        }
    }

    #[test]
    fn damage_is_told() {
        assert_eq!(decode("4 4"), Err(RleFault::Character(1)));
        assert_eq!(decode("o"), Err(RleFault::Unfinished));
        assert_eq!(decode("O"), Err(RleFault::Range(0)));
        assert_eq!(decode("oooooooooo0"), Err(RleFault::Range(0)));
        assert_eq!(decode("ä"), Err(RleFault::Character(0)));
    }
}
