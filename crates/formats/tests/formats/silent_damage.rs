//! Damage after a sound head: the file is refused by name, or read with its original numbers. If a format cannot detect
//! damage, the test leaves such bytes unchanged or counts these cases.

use crate::mutations::{Draws, folder, in_a_process_with_little_memory, mutated};
use crate::prelude::*;
use std::ops::Range;

/// Number of mutations of each file.
const N: u64 = 300;

/// Reads a file and returns its contents as text.
type Read = fn(&Path) -> Result<String, FormatError>;

/// Numbers of mutations by result.
#[derive(Debug, Default)]
struct Counts {
    refused: usize,
    same: usize,
    /// Mutations that were read with other contents and without a warning.
    other: Vec<u64>,
}

/// Reads mutations of the bytes in `part` of a file.
fn read_damaged(file: &Path, part: Range<usize>, mutate: fn(&mut Draws, &[u8]) -> Vec<u8>, read: Read) -> Counts {
    let dir = folder();
    let path = dir.path().join(file.file_name().unwrap());
    let name = path.display().to_string();
    let sound = std::fs::read(file).unwrap();
    std::fs::write(&path, &sound).unwrap();
    let expected = read(&path).unwrap();
    let mut counts = Counts::default();
    for number in 0..N {
        let damaged = mutate(&mut Draws(number), &sound[part.clone()]);
        let bytes = [&sound[..part.start], &damaged, &sound[part.end..]].concat();
        std::fs::write(&path, bytes).unwrap();
        match std::panic::catch_unwind(|| read(&path)) {
            Err(_) => panic!("{name}: mutation {number} panics"),
            Ok(Err(error)) => {
                assert!(error.to_string().contains(&name), "{number}: {error}");
                counts.refused += 1;
            }
            Ok(Ok(found)) if found == expected => counts.same += 1,
            Ok(Ok(_)) => counts.other.push(number),
        }
    }
    println!("{name}: {counts:?}");
    counts
}

/// Makes any damage.
fn anyhow(draws: &mut Draws, part: &[u8]) -> Vec<u8> {
    mutated(draws, part, part)
}

fn bit(draws: &mut Draws, part: &[u8]) -> Vec<u8> {
    let mut part = part.to_vec();
    let at = draws.below(part.len());
    part[at] ^= 1 << draws.below(8);
    part
}

/// From the first page to the footer, whose length is before the last four bytes.
fn pages(path: &Path) -> Range<usize> {
    let bytes = std::fs::read(path).unwrap();
    let end = bytes.len() - 8;
    let footer = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap());
    4..end - footer as usize
}

fn scores(path: &Path) -> Result<String, FormatError> {
    scores_parquet::read(path).map(|table| format!("{table:?}"))
}

fn wide(path: &Path) -> Result<String, FormatError> {
    metric_table::read(path).map(|table| format!("{table:?}"))
}

/// A table of some pages, as a run writes it.
fn large(dir: &Path) -> PathBuf {
    let path = dir.join("scores.parquet");
    let mut draws = Draws(51);
    let mut table = ScoreTable::new((0..200).map(|pair| format!("pair {pair}")).collect());
    for metric in ["pixcorr", "ssim", "cap_sim"] {
        let values = (0..200).map(|_| Ok((draws.next() >> 11) as f64 / (1_u64 << 53) as f64));
        table.columns.push((metric.to_owned(), values.collect()));
    }
    scores_parquet::write(&path, &table).unwrap();
    path
}

#[test]
fn damaged_pages_and_xml_are_refused_or_read_as_they_were() {
    let test = "silent_damage::damaged_pages_and_xml_are_refused_or_read_as_they_were";
    in_a_process_with_little_memory(test, || {
        parquet();
        cifti();
        gzipped();
    });
}

/// Pages of other programs may have no checksum: a changed number within the column's range, or a changed name, cannot
/// be detected. Our pages have checksums.
fn parquet() {
    let dir = folder();
    let large = large(dir.path());
    let of_run = golden("formats_observations/pyarrow.parquet");
    let frame = golden("formats_ratings/frame.parquet");
    let files: [(&Path, Read); 3] = [(&large, scores), (&of_run, scores), (&frame, wide)];
    for (file, read) in files {
        let any = read_damaged(file, pages(file), anyhow, read);
        assert!(any.refused >= 200, "{any:?}");
        let of_bits = read_damaged(file, pages(file), bit, read);
        if file == large {
            assert!(any.other.is_empty(), "{any:?}");
            assert!(of_bits.other.is_empty(), "{of_bits:?}");
            assert!(of_bits.refused >= 290, "{of_bits:?}");
        }
    }
}

/// Responses by structure: a structure with other positions would give other numbers. Digits of the volume's matrix and
/// of vertices have no checksum, and do not change numbers.
fn by_structure(path: &Path) -> Result<String, FormatError> {
    let of = |structure: Option<&str>| Region {
        structure: structure.map(str::to_owned),
        ..Region::default()
    };
    let read = [None, Some("CORTEX_LEFT"), Some("CORTEX_RIGHT"), Some("THALAMUS_LEFT")].map(|name| {
        let found = brain_image::read(path, &of(name))?;
        Ok((found.n_trials, found.places, found.values))
    });
    let read = read.into_iter().collect::<Result<Vec<_>, FormatError>>()?;
    Ok(format!("{read:?}"))
}

fn labels(path: &Path) -> Result<String, FormatError> {
    volume::read(path).map(|volume| format!("{:?}", volume.values))
}

/// The extension between the header and the values, whose position is in the header. The values have no checksum.
fn cifti() {
    let files: [(&str, Read); 2] = [("trials.dtseries.nii", by_structure), ("areas.dlabel.nii", labels)];
    for (name, read) in files {
        let path = golden("brain_images").join(name);
        let bytes = std::fs::read(&path).unwrap();
        let values_at = i64::from_le_bytes(bytes[168..176].try_into().unwrap());
        let xml = 540..usize::try_from(values_at).unwrap();
        for mutate in [anyhow, bit] {
            let counts = read_damaged(&path, xml.clone(), mutate, read);
            assert!(counts.other.is_empty(), "{name}: {counts:?}");
            assert!(counts.refused >= 30, "{name}: {counts:?}");
        }
    }
}

/// Gzip has a checksum of the whole content, so all damage is detected.
fn gzipped() {
    let trials = |path: &Path| {
        let found = brain_image::read(path, &Region::default())?;
        Ok(format!("{found:?}"))
    };
    let files: [(&str, Read); 4] = [
        ("brain_images/scaled.nii.gz", trials),
        ("brain_images/labels.nii.gz", labels),
        ("brain_images/trials.mgz", trials),
        ("volumes/f8.nii.gz", labels),
    ];
    for (name, read) in files {
        let path = golden(name);
        let n = std::fs::metadata(&path).unwrap().len() as usize;
        for mutate in [anyhow, bit] {
            let counts = read_damaged(&path, 10..n, mutate, read);
            assert!(counts.other.is_empty(), "{name}: {counts:?}");
            assert!(counts.refused >= 250, "{name}: {counts:?}");
        }
    }
}

/// A changed bit of an exponent gives a number outside the range in the file's own statistics. Pages of this file
/// have no checksum.
#[test]
fn a_number_outside_of_the_recorded_range_is_refused() {
    let dir = folder();
    let path = dir.path().join("scores.parquet");
    let mut bytes = std::fs::read(golden("formats_observations/pyarrow.parquet")).unwrap();
    let stored = 0.5_f64.to_le_bytes();
    let at = bytes.windows(8).position(|bytes| bytes == stored).unwrap();
    bytes[at + 7] ^= 0x40;
    std::fs::write(&path, bytes).unwrap();
    for read in [scores, wide] {
        let error = read(&path).unwrap_err().to_string();
        let start = format!("{}: ", path.display());
        assert!(error.starts_with(&start) && error.ends_with("the file is damaged"), "{error}");
        assert!(error.contains("the column \"value\" has the number "), "{error}");
    }
}

#[test]
fn a_number_that_is_not_the_one_of_the_checksum_is_refused() {
    let dir = folder();
    let path = large(dir.path());
    let table = scores_parquet::read(&path).unwrap();
    let value = *table.column("ssim").unwrap()[7].as_ref().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let stored = value.to_le_bytes();
    let at = bytes.windows(8).position(|bytes| bytes == stored).unwrap();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    for read in [scores, wide] {
        let error = read(&path).unwrap_err().to_string();
        let reason = "a page is not what its checksum says: the file is damaged; restore it, or make it again";
        assert_eq!(error, format!("{}: {reason}", path.display()));
    }
}

#[test]
fn zeros_after_a_gzipped_volume_do_not_matter() {
    let dir = folder();
    let path = dir.path().join("f8.nii.gz");
    let mut bytes = std::fs::read(golden("volumes/f8.nii.gz")).unwrap();
    bytes.extend([0; 512]);
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(labels(&path).unwrap(), labels(&golden("volumes/f8.nii.gz")).unwrap());
}
