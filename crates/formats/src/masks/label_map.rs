//! Label maps: images whose pixels are numbers of objects.

use crate::budget::{Budget, Exceeded};
use crate::json::UniqueEntries;
use crate::parser_words::of_decoder;
use crate::regular_file;
use crate::{FormatError, IoResult, Problem, image_limit, json};
use neurogauge_core::{InstanceMask, Mask, Masks};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

/// Name of the file, in the folder of label maps, that names their numbers.
pub const LABELS_FILE: &str = "labels.json";

/// Reads the names of the numbers of label maps: `{"1": "dog", "2": "sky"}`. Two numbers may have the same name, for
/// two objects of the same kind.
///
/// # Errors
/// JSON faults with line and column; a key that occurs twice or is not a number from 0 to 65535.
pub fn read_label_names(path: &Path) -> Result<BTreeMap<u16, String>, FormatError> {
    let entries: UniqueEntries<String> = json::read_as(path, "the names of the label maps' numbers, {\"1\": \"dog\"}")?;
    let number = |(key, name): (String, String)| match key.parse() {
        Ok(number) => Ok((number, name)),
        Err(_) => {
            Err(Problem::invalid(format!("key {key:?}"), "expected a number of the label maps, from 0 to 65535")
                .at(path))
        }
    };
    entries.0.into_iter().map(number).collect()
}

/// Reads a PNG label map: grey or palette, up to 16 bits, whose pixel values are the labels (the colours of a palette
/// are ignored). Each number with a name becomes a mask of score 1, in the order of numbers; 0 without a name is
/// background.
///
/// # Errors
/// The file is not a PNG or has colours; a number has no name.
pub fn read_label_map(path: &Path, names: &BTreeMap<u16, String>) -> Result<Masks, FormatError> {
    let (width, height, numbers) = read_numbers(path)?;
    let in_columns = (0..width).flat_map(|x| (0..height).map(move |y| (y * width + x) as usize));
    let mut of_number: BTreeMap<u16, RunsOf> = BTreeMap::new();
    let (mut start, mut last) = (0, None);
    for (place, at) in (0_u32..).zip(in_columns) {
        let number = numbers[at];
        if let Some(last) = last.replace(number)
            && last != number
        {
            of_number.entry(last).or_default().add(start, place);
            start = place;
        }
    }
    if let Some(last) = last {
        of_number.entry(last).or_default().add(start, width * height);
    }
    let mut items = Vec::new();
    for (number, runs) in of_number {
        let Some(name) = names.get(&number) else {
            if number == 0 {
                continue;
            }
            let place = numbers.iter().position(|found| *found == number).unwrap_or_default() as u32;
            let (x, y) = (place % width, place / width);
            let reason = format!("the number {number}, which {LABELS_FILE} has no name for");
            return Err(Problem::invalid(format!("column {x}, row {y}"), reason).at(path));
        };
        let mask = Mask::from_runs(height, width, runs.complete(width * height));
        let mask = mask.map_err(|error| refused(path, &of_decoder(error)))?;
        items.push(InstanceMask {
            name: name.clone(),
            score: 1.0,
            bbox: mask.bounding_box(),
            mask,
        });
    }
    Ok(Masks::of((width, height), items, None))
}

/// The run lengths of one number, column by column, up to the current position in the image.
#[derive(Default)]
struct RunsOf {
    runs: Vec<u32>,
    /// The end of the last run inside.
    end: u32,
}

impl RunsOf {
    /// Adds pixels with this number from `start` to `end`, in the order of columns.
    fn add(&mut self, start: u32, end: u32) {
        self.runs.extend([start - self.end, end - start]);
        self.end = end;
    }

    fn complete(mut self, n_pixels: u32) -> Vec<u32> {
        if self.end < n_pixels {
            self.runs.push(n_pixels - self.end);
        }
        self.runs
    }
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> FormatError {
    Problem::image(reason.to_string()).at(path)
}

/// Width, height, and the numbers, row by row.
fn read_numbers(path: &Path) -> Result<(u32, u32, Vec<u16>), FormatError> {
    let file = regular_file::open(path).when("reading", path)?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::IDENTITY);
    // A colour profile would be inflated, possibly to gigabytes.
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(|error| refused(path, &of_decoder(error)))?;
    let (width, height) = (reader.info().width, reader.info().height);
    image_limit::check_size(path, width.into(), height.into())?;
    let (color, depth) = reader.output_color_type();
    if !matches!(color, png::ColorType::Grayscale | png::ColorType::Indexed) {
        let reason = format!("{color:?}; a label map is grey or has a palette, a number for each pixel");
        return Err(refused(path, &reason));
    }
    let size = reader.output_buffer_size().ok_or_else(|| refused(path, &"too large"))?;
    let too_large = |exceeded: Exceeded| exceeded.of(path, "the label map");
    let mut budget = Budget::up_to(u64::MAX);
    let mut bytes = budget.vector(size).map_err(too_large)?;
    bytes.resize(size, 0);
    let frame = reader.next_frame(&mut bytes).map_err(|error| refused(path, &of_decoder(error)))?;
    let (width, height) = (frame.width, frame.height);
    let mut numbers = budget.vector(width as usize * height as usize).map_err(too_large)?;
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
