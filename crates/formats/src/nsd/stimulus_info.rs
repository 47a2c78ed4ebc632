//! `nsd_stim_info_merged.csv`: the origin of each image.

use crate::FormatError;
use crate::delimited_text::DelimitedText;
use std::path::Path;

/// The information about one image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StimulusInfo {
    pub coco_id: u64,
    /// Do all subjects see it?
    pub shared: bool,
}

/// One entry for each image, by NSD's number (from 0).
///
/// # Errors
/// The file is missing; the table lacks `cocoId`, `nsdId` or `shared1000`; a cell is invalid; the numbers do not count
/// up from 0.
pub fn stimulus_info(path: &Path) -> Result<Vec<StimulusInfo>, FormatError> {
    let table = DelimitedText::read(path, "NSD's table of stimuli (nsd_stim_info_merged.csv)")?;
    let coco = table.named("cocoId")?;
    let number = table.named("nsdId")?;
    let shared = table.named("shared1000")?;
    let mut images = Vec::with_capacity(table.records.len());
    for record in &table.records {
        let faulty = |column: usize, expected: &str| table.faulty_cell(record, column, expected);
        if record.cell(number).parse() != Ok(images.len()) {
            return Err(faulty(number, &format!("{}, the next number", images.len())));
        }
        images.push(StimulusInfo {
            coco_id: record.cell(coco).parse().map_err(|_| faulty(coco, "an id of COCO, a whole number"))?,
            shared: match record.cell(shared) {
                "True" | "TRUE" | "true" | "1" => true,
                "False" | "FALSE" | "false" | "0" => false,
                _ => return Err(faulty(shared, "True or False")),
            },
        });
    }
    Ok(images)
}
