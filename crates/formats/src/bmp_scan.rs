//! Checks that a BMP file is complete.
//!
//! The decoder fills missing parts of a run-length encoded picture with black, so a file of a few bytes could be a
//! picture of any size.

const NOT_COMPRESSED: u32 = 0;
const RUNS_OF_8_BITS: u32 = 1;
const RUNS_OF_4_BITS: u32 = 2;
const WITH_BIT_FIELDS: u32 = 3;

/// The size of the header in OS/2's files, whose numbers have 16 bits.
const OS2: u32 = 12;

/// Fails unless the file has every pixel that its header announces. As in Pillow, the last line may end early, but
/// whole lines may not be missing. Faults of other kinds are left to the decoder.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    let Some(header) = BmpHeader::of(bytes) else {
        return Ok(());
    };
    let pixels = bytes.get(header.offset..).unwrap_or_default();
    let (width, height) = (header.width_px, header.height_px);
    match header.compression {
        NOT_COMPRESSED | WITH_BIT_FIELDS => {
            let line = (width * header.bits).div_ceil(8);
            let needed = line.next_multiple_of(4) * height.saturating_sub(1) + line;
            match pixels.len() as u64 {
                found if found < needed => Err(format!(
                    "a picture of {width} x {height} px needs {needed} bytes, but {found} are there; the file was cut short or its header is wrong"
                )),
                _ => Ok(()),
            }
        }
        RUNS_OF_8_BITS | RUNS_OF_4_BITS => {
            let n_lines = lines(pixels, width, height, header.compression);
            match n_lines < height {
                true => Err(format!(
                    "a picture of {width} x {height} px, and {} lines of it are missing; the file was cut short or its header is wrong",
                    height - n_lines
                )),
                false => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

struct BmpHeader {
    /// The position of the first pixel.
    offset: usize,
    width_px: u64,
    height_px: u64,
    bits: u64,
    compression: u32,
}

impl BmpHeader {
    /// The header; `None` for a file that is too short for one.
    fn of(bytes: &[u8]) -> Option<BmpHeader> {
        let two = |place: usize| Some(u16::from_le_bytes(*bytes.get(place..)?.first_chunk()?));
        let four = |place: usize| Some(u32::from_le_bytes(*bytes.get(place..)?.first_chunk()?));
        let sign = |place: usize| Some(i32::from_le_bytes(*bytes.get(place..)?.first_chunk()?));
        let offset = four(10)? as usize;
        Some(match four(14)? {
            OS2 => BmpHeader {
                offset,
                width_px: two(18)?.into(),
                height_px: two(20)?.into(),
                bits: two(24)?.into(),
                compression: NOT_COMPRESSED,
            },
            _ => BmpHeader {
                offset,
                width_px: sign(18)?.unsigned_abs().into(),
                // The height is negative if the first line is the topmost.
                height_px: sign(22)?.unsigned_abs().into(),
                bits: two(28)?.into(),
                compression: four(30)?,
            },
        })
    }
}

/// The number of lines that the runs reach; the last may be incomplete.
fn lines(runs: &[u8], width_px: u64, height_px: u64, compression: u32) -> u64 {
    let (mut x, mut y) = (0_u64, 0_u64);
    let mut bytes = runs.iter().copied();
    while y < height_px {
        let (Some(count), Some(value)) = (bytes.next(), bytes.next()) else {
            return y;
        };
        match (count, value) {
            (0, 0) => (x, y) = (0, y + 1),
            // Ends the picture.
            (0, 1) => return y + u64::from(x > 0),
            (0, 2) => {
                let (Some(right), Some(down)) = (bytes.next(), bytes.next()) else {
                    return y;
                };
                (x, y) = (x + u64::from(right), y + u64::from(down));
            }
            (0, n) => {
                let size = match compression {
                    RUNS_OF_4_BITS => usize::from(n).div_ceil(2),
                    _ => usize::from(n),
                };
                // These runs are padded to an even number of bytes.
                if size > 0 && bytes.nth(size.next_multiple_of(2) - 1).is_none() {
                    return y;
                }
                x += u64::from(n);
            }
            (n, _) => x += u64::from(n),
        }
        // A complete last line needs no end marker.
        if y + 1 == height_px && x >= width_px {
            return height_px;
        }
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 4 x 3 px with 8 or 4 bits, encoded as these runs.
    fn picture(compression: u32, runs: &[u8]) -> Vec<u8> {
        let mut bytes = b"BM".to_vec();
        bytes.resize(14 + 40, 0);
        bytes[10..14].copy_from_slice(&54_u32.to_le_bytes());
        bytes[14..18].copy_from_slice(&40_u32.to_le_bytes());
        bytes[18..22].copy_from_slice(&4_i32.to_le_bytes());
        bytes[22..26].copy_from_slice(&3_i32.to_le_bytes());
        bytes[28..30].copy_from_slice(&8_u16.to_le_bytes());
        bytes[30..34].copy_from_slice(&compression.to_le_bytes());
        [bytes, runs.to_vec()].concat()
    }

    #[test]
    fn pictures_that_are_whole() {
        for runs in [
            // With and without the last end-of-line marker, and with the end of the picture.
            &[4, 1, 0, 0, 4, 1, 0, 0, 4, 1, 0, 0, 0, 1][..],
            &[4, 1, 0, 0, 4, 1, 0, 0, 4, 1, 0, 1],
            &[4, 1, 0, 0, 4, 1, 0, 0, 4, 1],
            // The last line ends early.
            &[4, 1, 0, 0, 4, 1, 0, 0, 2, 1, 0, 1],
            // Three literal values and one byte of padding; then two lines down.
            &[0, 3, 7, 8, 9, 0, 0, 2, 0, 2, 1, 1, 0, 1],
        ] {
            assert_eq!(check(&picture(RUNS_OF_8_BITS, runs)), Ok(()), "{runs:?}");
        }
        let four_bits = [0, 4, 0x12, 0x34, 0, 0, 0, 0, 4, 1, 0, 1];
        assert_eq!(check(&picture(RUNS_OF_4_BITS, &four_bits)), Ok(()));
        assert_eq!(check(&picture(NOT_COMPRESSED, &[0; 12])), Ok(()));
        assert_eq!(check(b"BM"), Ok(()), "left to the decoder");
    }

    #[test]
    fn lines_that_are_missing() {
        for (runs, missing) in [
            (&[0, 1][..], 3),
            (&[], 3),
            (&[4, 1, 0, 0, 0, 1], 2),
            (&[4, 1, 0, 0, 4, 1, 0, 0, 0, 1], 1),
            (&[0, 2, 0, 2, 0, 1], 1),
            (&[0, 3, 7, 8], 3),
        ] {
            let error = check(&picture(RUNS_OF_8_BITS, runs)).unwrap_err();
            assert!(error.contains(&format!("{missing} lines")), "{runs:?} {error}");
        }
        let error = check(&picture(NOT_COMPRESSED, &[0; 11])).unwrap_err();
        assert!(error.contains("needs 12 bytes, but 11 are there"), "{error}");
    }
}
