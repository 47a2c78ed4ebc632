//! A MATLAB file of version 5 with its variables inflated, each known to be a matrix.
//!
//! The parser inflates whatever comes, and says on stdout what it does not know. So variables are inflated here, within a budget,
//! and only matrices are handed on.

use crate::FormatError;
use crate::budget::Budget;
use flate2::read::ZlibDecoder;
use std::path::Path;

const HEADER_BYTES: usize = 128;
/// Types of what a file consists of.
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;
/// What a byte of a file may come to when it is inflated.
const PER_BYTE: u64 = 100;

/// The bytes of the file as they would be without compression.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let malformed = |reason: String| FormatError::Malformed {
        path: path.to_owned(),
        reason: format!("not a readable MATLAB file of version 5: {reason}"),
    };
    let Some(header) = bytes.get(..HEADER_BYTES) else {
        return Err(malformed("it is cut short".to_owned()));
    };
    let is_little = match &header[126..] {
        b"IM" => true,
        b"MI" => false,
        _ => {
            return Err(malformed(
                "its header does not say its byte order".to_owned(),
            ));
        }
    };
    let number = |at: &[u8]| {
        let bytes = [at[0], at[1], at[2], at[3]];
        match is_little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        }
    };
    let mut budget = Budget::of(bytes.len() as u64, PER_BYTE);
    let mut plain = header.to_vec();
    let mut rest = &bytes[HEADER_BYTES..];
    while rest.len() >= 8 {
        let (kind, length) = (number(rest), number(&rest[4..]) as usize);
        let Some(content) = rest[8..].get(..length) else {
            return Err(malformed(format!(
                "a variable of {length} bytes where {} are left",
                rest.len() - 8
            )));
        };
        let variable = match kind {
            MATRIX => rest[..8 + length].to_vec(),
            COMPRESSED => budget.read(ZlibDecoder::new(content), path, "a variable")?,
            _ => {
                return Err(malformed(format!(
                    "a part of type {kind}; expected variables"
                )));
            }
        };
        if variable.len() < 8 || number(&variable) != MATRIX {
            return Err(malformed("a variable that is no matrix".to_owned()));
        }
        plain.extend(variable);
        plain.resize(plain.len().next_multiple_of(8), 0);
        let padding = match kind {
            MATRIX => length.next_multiple_of(8) - length,
            _ => 0,
        };
        rest = rest[8 + length..].get(padding..).unwrap_or_default();
    }
    Ok(plain)
}
