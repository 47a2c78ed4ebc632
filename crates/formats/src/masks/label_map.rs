//! Label maps: an image whose pixels are numbers of things.

use crate::json::UniqueEntries;
use crate::{FormatError, json};
use neurogauge_core::{InstanceMask, Mask, Masks};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Name of the file beside label maps that says what their numbers are.
pub const LABELS_FILE: &str = "labels.json";

/// Reads what the numbers of label maps are: `{"1": "dog", "2": "sky"}`. Two numbers may have one name:
/// two things of a kind.
///
/// # Errors
/// JSON faults with line and column; a key that stands twice or is no number from 0 to 65535.
pub fn read_label_names(path: &Path) -> Result<BTreeMap<u16, String>, FormatError> {
    let bytes = json::read_bytes(
        path,
        "the names of the label maps' numbers, {\"1\": \"dog\"}",
    )?;
    let entries: UniqueEntries<String> = json::parse(path, &bytes)?;
    let number = |(key, name): (String, String)| match key.parse() {
        Ok(number) => Ok((number, name)),
        Err(_) => Err(FormatError::Invalid {
            path: path.to_owned(),
            place: format!("key {key:?}"),
            reason: "expected a number of the label maps, from 0 to 65535".to_owned(),
        }),
    };
    entries.0.into_iter().map(number).collect()
}

/// Reads a PNG label map: grey or palette, the numbers themselves being the labels (colours of a
/// palette do not matter), up to 16 bits. A mask of score 1 comes of each number that has a name, in the
/// order of numbers; 0 without a name is no thing.
///
/// # Errors
/// [`FormatError::Image`] for what is no PNG or has colours; a number without a name.
pub fn read_label_map(path: &Path, names: &BTreeMap<u16, String>) -> Result<Masks, FormatError> {
    let (width, height, numbers) = read_numbers(path)?;
    let mut of_number: BTreeMap<u16, (u32, u32)> = BTreeMap::new();
    for (place, &number) in (0_u32..).zip(&numbers) {
        of_number
            .entry(number)
            .or_insert((place % width, place / width));
    }
    let mut items = Vec::new();
    for (number, (x, y)) in of_number {
        let Some(name) = names.get(&number) else {
            if number == 0 {
                continue;
            }
            return Err(FormatError::Invalid {
                path: path.to_owned(),
                place: format!("column {x}, row {y}"),
                reason: format!("the number {number}, which {LABELS_FILE} has no name for"),
            });
        };
        let inside = |x: u32, y: u32| numbers[(y * width + x) as usize] == number;
        let mask = Mask::from_pixels(height, width, inside);
        let mask = mask.map_err(|error| refused(path, &error))?;
        items.push(InstanceMask {
            name: name.clone(),
            score: 1.0,
            bbox: mask.bounding_box(),
            mask,
        });
    }
    Ok(Masks {
        size_px: (width, height),
        items,
        categories: None,
    })
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> FormatError {
    FormatError::Image {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

/// Width, height, and the numbers row by row.
fn read_numbers(path: &Path) -> Result<(u32, u32, Vec<u16>), FormatError> {
    let file = File::open(path).map_err(|source| FormatError::Io {
        path: path.to_owned(),
        action: "reading",
        source,
    })?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(|error| refused(path, &error))?;
    let (color, depth) = reader.output_color_type();
    if !matches!(color, png::ColorType::Grayscale | png::ColorType::Indexed) {
        let reason =
            format!("{color:?}; a label map is grey or has a palette, a number for each pixel");
        return Err(refused(path, &reason));
    }
    let size = reader.output_buffer_size();
    let size = size.ok_or_else(|| refused(path, &"too large"))?;
    let mut bytes = vec![0; size];
    let frame = reader
        .next_frame(&mut bytes)
        .map_err(|error| refused(path, &error))?;
    let (width, height) = (frame.width, frame.height);
    let mut numbers = Vec::with_capacity(width as usize * height as usize);
    for row in bytes.chunks(frame.line_size).take(height as usize) {
        match depth {
            png::BitDepth::Sixteen => {
                let pairs = row.chunks_exact(2).take(width as usize);
                numbers.extend(pairs.map(|pair| u16::from_be_bytes([pair[0], pair[1]])));
            }
            png::BitDepth::Eight => {
                numbers.extend(row.iter().take(width as usize).map(|&byte| u16::from(byte)));
            }
            packed => {
                let bits = packed as usize;
                numbers.extend((0..width as usize).map(|x| {
                    let shift = 8 - bits - x * bits % 8;
                    u16::from(row[x * bits / 8] >> shift) & ((1 << bits) - 1)
                }));
            }
        }
    }
    Ok((width, height, numbers))
}
