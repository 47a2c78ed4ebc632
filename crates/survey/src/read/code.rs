//! Reads copied codes: a result's bytes as letters, with a checksum.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

const START: &str = "neurogauge1.";
const SUM_LENGTH: usize = 8;

/// The results in a text, which may be a whole message; line breaks and quotation marks within a code are ignored.
pub(super) fn results(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let letters: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).collect();
    let found: Vec<&str> = letters.split(START).skip(1).collect();
    if found.is_empty() {
        return Err(format!("no code; expected text with {START:?} in it"));
    }
    found.into_iter().map(decoded).collect()
}

fn decoded(code: &str) -> Result<Vec<u8>, String> {
    let cut = || "a code that is cut off; copy all of it, to the eight letters behind its second dot".to_owned();
    let (body, rest) = code.split_once('.').ok_or_else(cut)?;
    let sum = rest.get(..SUM_LENGTH).ok_or_else(cut)?;
    let bytes = URL_SAFE_NO_PAD
        .decode(body)
        .map_err(|_| "a code with a letter too many or too few; copy it again".to_owned())?;
    if sum != checksum(&bytes) {
        return Err("a code that is not as it was copied (its check sum differs)".to_owned());
    }
    Ok(bytes)
}

/// The 32-bit FNV-1a hash in hexadecimal.
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    // The code that the page's script makes from these bytes.
    const CODE: &str = "neurogauge1.eyJyYXRlciI6IsOkPz4ifQ.e9dc22b9";

    #[test]
    fn the_check_sum_is_fnv() {
        // From the authors' table of test vectors.
        for (text, sum) in [("", "811c9dc5"), ("a", "e40c292c"), ("foobar", "bf9cf968")] {
            assert_eq!(checksum(text.as_bytes()), sum);
        }
    }

    #[test]
    fn quoted_and_wrapped_codes_are_read() {
        let wrapped = format!("Hello\n> {}\n> {}\nand\n{CODE} bye", &CODE[..20], &CODE[20..]);
        let found = results(&wrapped).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], "{\"rater\":\"ä?>\"}".as_bytes());
    }

    #[test]
    fn damaged_codes_are_refused() {
        let said = |text: &str| results(text).unwrap_err();
        assert!(said("no code here").contains("no code"));
        assert!(said(&CODE[..CODE.len() - 4]).contains("cut off"));
        assert!(said(&CODE[..25]).contains("cut off"));
        assert!(said(&CODE.replace("eyJy", "eyJz")).contains("check sum"));
    }
}
