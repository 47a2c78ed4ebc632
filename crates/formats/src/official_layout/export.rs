//! Writes the official layout.

use super::{CAP_SIM, EFFNET, GT_CAPTIONS, OBJECT_F1, PREDS, RECON_CAPTIONS, order};
use crate::detections::{DetectionSource, write_mmdet};
use crate::item_source::ItemSource;
use crate::stem_listing::stem_listing;
use crate::{FormatError, Problem, npy};
use neurogauge_core::pair::natural_order;
use neurogauge_core::{Captions, Finding};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The content to write; parts that are `None` are left out.
#[derive(Debug, Clone, Copy)]
pub struct OfficialExport<'a> {
    /// Stems of the pairs, each once.
    pub pairs: &'a [String],
    /// Ending of the image files (which are not written), without the full stop; the keys of captions contain it.
    pub extension: &'a str,
    /// Detections in the stimuli, for all pairs and possibly others.
    pub gt_detections: Option<&'a DetectionSource>,
    pub recon_detections: Option<&'a DetectionSource>,
    /// Captions of the stimuli by stem, for all pairs and possibly others.
    pub gt_captions: Option<&'a [(String, Captions)]>,
    pub recon_captions: Option<&'a [(String, Captions)]>,
    /// Object F1 of each pair, in the order of `pairs`; NaN for a missing value.
    pub object_f1: Option<&'a [f64]>,
    /// Correlation distance of EfficientNet features of each pair.
    pub effnet_distance: Option<&'a [f64]>,
    /// Caption similarity of each pair.
    pub cap_sim: Option<&'a [f64]>,
}

impl<'a> OfficialExport<'a> {
    /// An empty export of these pairs, whose images end in `.png`.
    pub fn of_pairs(pairs: &'a [String]) -> Self {
        OfficialExport {
            pairs,
            extension: "png",
            gt_detections: None,
            recon_detections: None,
            gt_captions: None,
            recon_captions: None,
            object_f1: None,
            effnet_distance: None,
            cap_sim: None,
        }
    }
}

/// Writes `evaluations/<model>/` in the form of the official code, each array in that code's order;
/// [`OfficialLayout::open`](super::OfficialLayout::open) reads the same values back.
///
/// The official code cannot sort stems that are not integers. Such stems are exported nevertheless, with `obj_f1.npy`
/// in natural order and a warning. It has one caption per image: if there are several, only the first is written, with
/// a warning.
///
/// # Errors
/// A stem occurs twice, is missing from a part, or cannot be a file name; the number of values differs from the number
/// of pairs; the folder already has detections of other images (the official code would count them).
pub fn export(folder: &Path, what: &OfficialExport<'_>) -> Result<Vec<Finding>, FormatError> {
    refuse_faulty(folder, what)?;
    let mut findings = Vec::new();

    let sides = [what.gt_detections, what.recon_detections];
    for (preds, source) in PREDS.iter().zip(sides) {
        if let Some(source) = source {
            export_detections(&folder.join(preds), what.pairs, source)?;
        }
    }
    let names: Vec<String> = what.pairs.iter().map(|stem| file_name(what, stem)).collect();
    let sides = [what.gt_captions, what.recon_captions];
    for (file, captions) in [GT_CAPTIONS, RECON_CAPTIONS].iter().zip(sides) {
        if let Some(captions) = captions {
            findings.extend(export_captions(&folder.join(file), what.pairs, &names, captions)?);
        }
    }

    let integers = order::by_integer(what.pairs);
    if integers.is_none() && (what.object_f1.is_some() || what.recon_detections.is_some()) {
        findings.push(Finding::warning(
            "official_order_unknown",
            folder.display().to_string(),
            "the stems are not different integers, so the official code cannot sort its \
             detections; obj_f1.npy is in natural order of the stems",
        ));
    }
    let by_integer = integers.unwrap_or_else(|| natural_order(what.pairs));
    let by_text = order::by_text(&names);
    for (file, values, order) in [
        (OBJECT_F1, what.object_f1, &by_integer),
        (EFFNET, what.effnet_distance, &by_text),
        (CAP_SIM, what.cap_sim, &by_text),
    ] {
        if let Some(values) = values {
            let ordered: Vec<f64> = order.iter().map(|&index| values[index]).collect();
            npy::write_f64(&folder.join(file), &[ordered.len() as u64], &ordered)?;
        }
    }
    Ok(findings)
}

fn file_name(what: &OfficialExport<'_>, stem: &str) -> String {
    format!("{stem}.{}", what.extension)
}

fn refuse_faulty(folder: &Path, what: &OfficialExport<'_>) -> Result<(), FormatError> {
    let invalid = |place: String, reason: String| Err(Problem::invalid(place, reason).at(folder));
    let mut seen = HashSet::new();
    for stem in what.pairs {
        if !seen.insert(stem) {
            return invalid(format!("pair {stem:?}"), "occurs twice".to_owned());
        }
        if stem.is_empty() || stem.starts_with('.') || stem.contains(['/', '\\']) {
            let reason = "cannot be the stem of a file".to_owned();
            return invalid(format!("pair {stem:?}"), reason);
        }
    }
    for (file, values) in [(OBJECT_F1, what.object_f1), (EFFNET, what.effnet_distance), (CAP_SIM, what.cap_sim)] {
        let n_values = values.map_or(what.pairs.len(), <[f64]>::len);
        if n_values != what.pairs.len() {
            let reason = format!("{n_values} values for {} pairs", what.pairs.len());
            return invalid(file.to_owned(), reason);
        }
    }
    Ok(())
}

fn export_detections(preds: &Path, pairs: &[String], source: &DetectionSource) -> Result<(), FormatError> {
    let stems = source.stems().iter().enumerate();
    let index_of: HashMap<&str, usize> = stems.map(|(index, stem)| (stem.as_str(), index)).collect();
    if preds.is_dir() {
        let wanted: HashSet<&String> = pairs.iter().collect();
        let present = stem_listing(preds, &["json"])?;
        if let Some((stem, _)) = present.iter().find(|(stem, _)| !wanted.contains(stem)) {
            return Err(Problem::invalid(
                format!("{stem}.json"),
                "is there already and belongs to none of the pairs, but the official code \
                         would count it; export into an empty folder",
            )
            .at(preds));
        }
    }
    for stem in pairs {
        let Some(&index) = index_of.get(stem.as_str()) else {
            return Err(missing(source.path(), stem, "detections"));
        };
        write_mmdet(&preds.join(format!("{stem}.json")), &source.load(index)?)?;
    }
    Ok(())
}

fn export_captions(
    path: &Path,
    pairs: &[String],
    names: &[String],
    captions: &[(String, Captions)],
) -> Result<Option<Finding>, FormatError> {
    let by_stem: HashMap<&str, &Captions> = captions.iter().map(|(stem, captions)| (stem.as_str(), captions)).collect();
    let mut entries = Vec::with_capacity(pairs.len());
    let mut n_shortened = 0;
    // The official code fills its dictionaries in text order.
    for index in order::by_text(names) {
        let texts = by_stem.get(pairs[index].as_str()).map(|captions| &captions.0[..]);
        let Some([first, others @ ..]) = texts else {
            return Err(missing(path, &pairs[index], "captions"));
        };
        n_shortened += usize::from(!others.is_empty());
        entries.push((names[index].clone(), first.clone()));
    }
    npy::write_pickled_dict(path, &entries)?;
    Ok((n_shortened > 0).then(|| {
        Finding::warning(
            "first_caption_only",
            path.display().to_string(),
            format!(
                "{n_shortened} images have several captions; the official layout holds one, so the \
                 first was written"
            ),
        )
    }))
}

fn missing(path: &Path, stem: &str, what: &str) -> FormatError {
    Problem::invalid(format!("pair {stem:?}"), format!("no {what} of it; expected some for every pair")).at(path)
}
