//! Checks images of two sides before they are scored.

use crate::FormatError;
use crate::image_source::ImageSource;
use neurogauge_core::image::ImageReading;
use neurogauge_core::inspection::appearance::{
    ImageFacts, Plainness, incomparable, plain_images, size_counts,
};
use neurogauge_core::inspection::content::{
    fewer_parts, frame_gaps, left_out, off_by_one, repeated, suspicious, swapped, unequally_long,
};
use neurogauge_core::inspection::known_test_set;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{PairedStems, Pairing, PairsOf};
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Finding, Pair, Progress, Severity, Side, Sides};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// The result of a check of two sides' images.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImageCheck {
    /// The stimuli.
    pub gt: SideCheck,
    /// The reconstructions.
    pub recon: SideCheck,
    /// Images that pair up.
    pub n_pairs: usize,
    /// The items that they are parts of; `None` if each pair is an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_items: Option<usize>,
    /// Problems first, then warnings, then notes.
    pub findings: Vec<Finding>,
}

/// A summary of one side's images.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideCheck {
    /// Where they are.
    pub path: String,
    /// How many there are.
    pub n_images: usize,
    /// How many of them are different, byte for byte.
    pub n_distinct: usize,
    /// How many have no partner on the other side.
    pub n_without_partner: usize,
    /// The first and the last stem in natural order.
    pub stems: (String, String),
    /// Width and height (px) and how many images have them, the most frequent first.
    pub sizes_px: Vec<((usize, usize), usize)>,
    /// The lowest and the highest value as they are stored; `None` if no image could be read.
    pub range: Option<(f32, f32)>,
    /// The encodings of images, with counts.
    pub encodings: BTreeMap<String, usize>,
    /// Images whose red, green and blue are equal.
    pub n_grey: usize,
    /// Images of one colour all over.
    pub n_constant: usize,
    /// Images with transparent pixels.
    pub n_transparent: usize,
}

impl ImageCheck {
    /// Adds findings, in their order.
    pub fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
        self.findings.sort_by_key(|finding| finding.severity);
    }

    /// Findings with which scoring would end with an error.
    pub fn n_problems(&self) -> usize {
        let problems = self.findings.iter();
        problems.filter(|f| f.severity == Severity::Problem).count()
    }

    /// The summary of a side's images.
    pub fn side(&self, side: Side) -> &SideCheck {
        match side {
            Side::Gt => &self.gt,
            Side::Recon => &self.recon,
        }
    }
}

/// Checks all images of both sides, each decoded once: how they pair, their properties, and anything that would stop
/// scoring or make its numbers incomparable. Images are compared with their shorter side resized to `size_px`.
///
/// ```
/// use neurogauge_core::image::ImageReading;
/// use neurogauge_core::pair::Pairing;
/// use neurogauge_core::{Severity, Silent};
/// use neurogauge_formats::{image_check::check_images, image_source::ImageSource, npy};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("images.npy");
/// npy::write_f32(&path, &[2, 1, 1, 3], &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]).unwrap();
/// let images = ImageSource::open(&path).unwrap();
/// let found = check_images(&images, &images, (&Pairing::default(), ImageReading::default()), 425, &Silent).unwrap();
/// assert_eq!((found.n_pairs, found.n_problems()), (2, 0));
/// assert_eq!((found.findings[0].severity, found.findings[0].code.as_str()), (Severity::Warning, "same_source"));
/// ```
///
/// # Errors
/// [`FormatError::Io`] for a file that cannot be read. An image that cannot be decoded is reported as a problem.
pub fn check_images(
    gt: &ImageSource,
    recon: &ImageSource,
    (pairing, reading): (&Pairing, ImageReading),
    size_px: usize,
    progress: &dyn Progress,
) -> Result<ImageCheck, FormatError> {
    let sources = Sides { gt, recon };
    let shared = Pairing {
        pairs: PairsOf::Shared,
        ..pairing.clone()
    };
    let mut findings = Vec::new();
    let strictly = gt.paired_with(recon, pairing);
    if let Err(error) = &strictly {
        let finding = Finding::new(Severity::Problem, "stems", "stems", error.to_string());
        let advice = error.remedy(|name, value| option(name, value).to_string());
        findings.push(finding.advise(advice));
    }
    let paired = strictly.or_else(|_| gt.paired_with(recon, &shared));
    let paired = paired.unwrap_or_else(|_| {
        let stems = Sides::of(|side| Ok::<_, ()>(sources.side(side).stems().to_vec()));
        PairedStems::of(Vec::new(), stems.unwrap_or_default())
    });
    findings.extend(off_by_one(&paired));
    findings.extend(unequally_long(&paired));
    findings.extend(frame_gaps(&paired));
    findings.extend(fewer_parts(&paired));
    if pairing.pairs == PairsOf::Shared {
        findings.extend(left_out(&paired, "images"));
    }

    for side in Side::BOTH {
        let subject = format!("{} images", side.folder());
        match sources.side(side).settle(reading, &subject) {
            Ok(found) => findings.extend(found),
            Err(error) => {
                let finding =
                    Finding::new(Severity::Problem, "undecided", subject, error.to_string());
                findings.push(finding);
            }
        }
    }
    let looked_at = Sides::of(|side| LookedAt::at(sources.side(side), side, progress))?;
    for side in Side::BOTH {
        findings.extend(looked_at.side(side).unreadable.clone());
        findings.extend(repeated(side, &looked_at.side(side).hashes));
        findings.extend(grid_of(side, sources.side(side)));
        findings.extend(parts_as_items(side, sources.side(side), pairing));
    }
    findings.extend(known_test_set(paired.n_items()));
    let hashes = Sides {
        gt: looked_at.gt.hashes.as_slice(),
        recon: looked_at.recon.hashes.as_slice(),
    };
    let are_one_source = gt.is_at_place_of(recon);
    // Hashes of different forms of bytes are not comparable.
    if gt.form() == recon.form() {
        findings.extend(suspicious(&paired.pairs, hashes, are_one_source));
        findings.extend(swapped(&paired.pairs, hashes).filter(|_| !are_one_source));
    }
    let facts = Sides {
        gt: looked_at.gt.facts.as_slice(),
        recon: looked_at.recon.facts.as_slice(),
    };
    findings.extend(plain_images(&Sides {
        gt: plain(facts.gt),
        recon: plain(facts.recon),
    }));
    let decoded: Vec<Pair> = paired
        .pairs
        .iter()
        .filter_map(|pair| {
            Some(Pair {
                stem: pair.stem.clone(),
                gt: looked_at.gt.places[pair.gt]?,
                recon: looked_at.recon.places[pair.recon]?,
            })
        })
        .collect();
    findings.extend(incomparable(&decoded, facts, size_px));
    let side = |side: Side| {
        looked_at
            .side(side)
            .summed_up(sources.side(side), paired.without_partner.side(side).len())
    };
    let mut check = ImageCheck {
        gt: side(Side::Gt),
        recon: side(Side::Recon),
        n_pairs: paired.pairs.len(),
        n_items: (!paired.axes.is_empty()).then(|| paired.n_items()),
        findings: Vec::new(),
    };
    check.add(findings);
    Ok(check)
}

/// A note about the grid that a side's pictures show.
pub fn grid_of(side: Side, images: &ImageSource) -> Option<Finding> {
    let message = format!("they are pictures of a grid: {}", images.grid()?);
    let subject = format!("{} images", side.folder());
    Some(Finding::new(Severity::Note, "grid", subject, message))
}

/// A warning where the frames of clips or of folders, or the images of a stack with one axis more, each count as an item.
pub fn parts_as_items(side: Side, images: &ImageSource, pairing: &Pairing) -> Option<Finding> {
    let (group, n) = images.groups().filter(|_| pairing.parts.is_none())?;
    let groups = match n {
        1 => format!("one {group}"),
        n => format!(
            "{n} {}",
            group
                .replacen("row", "rows", 1)
                .replacen("clip", "clips", 1)
                .replacen("folder", "folders", 1)
        ),
    };
    let message = format!(
        "they are the {} images of {groups}, and each of them counts as an item, as if it were independent of the others",
        images.len()
    );
    let subject = format!("{} images", side.folder());
    let finding = Finding::new(Severity::Warning, "parts_as_items", subject, message);
    let advice = format!("{} makes one item of each", option("parts", "frame"));
    Some(finding.advise(match group {
        "clip" => advice,
        _ => format!("{advice} (frame, view or sample)"),
    }))
}

fn plain(images: &[ImageFacts]) -> Vec<(&str, Plainness)> {
    let images = images.iter();
    let plainness = |image: &ImageFacts| Plainness::from(&image.pixels);
    images
        .map(|image| (image.stem.as_str(), plainness(image)))
        .collect()
}

/// The images of a side, hashed and decoded once.
struct LookedAt {
    /// Stem and SHA-256 of each image.
    hashes: Vec<(String, String)>,
    /// The facts about images that could be decoded.
    facts: Vec<ImageFacts>,
    /// The position of an image among the facts.
    places: Vec<Option<usize>>,
    /// A problem for each image that could not be decoded.
    unreadable: Vec<Finding>,
}

impl LookedAt {
    fn at(source: &ImageSource, side: Side, progress: &dyn Progress) -> Result<Self, FormatError> {
        let stage = format!("looking at {} images", side.folder());
        progress.start(&stage, source.len() as u64, 0);
        let look = |index: usize| {
            stop_if_asked();
            let hash = source.content_hash(index)?;
            let facts = source.facts(index);
            progress.advance(1);
            Ok((hash, facts))
        };
        let found = (0..source.len()).into_par_iter().map(look);
        let found = found.collect::<Result<Vec<_>, FormatError>>();
        progress.finish();
        let mut looked_at = LookedAt {
            hashes: Vec::new(),
            facts: Vec::new(),
            places: Vec::new(),
            unreadable: Vec::new(),
        };
        for (stem, (hash, facts)) in source.stems().iter().zip(found?) {
            looked_at.hashes.push((stem.clone(), hash));
            let place = looked_at.facts.len();
            looked_at.places.push(facts.is_ok().then_some(place));
            match facts {
                Ok(facts) => looked_at.facts.push(facts),
                Err(error) => looked_at.unreadable.push(Finding::new(
                    Severity::Problem,
                    "unreadable",
                    format!("{} image {stem:?}", side.folder()),
                    error.to_string(),
                )),
            }
        }
        Ok(looked_at)
    }

    fn summed_up(&self, source: &ImageSource, n_without_partner: usize) -> SideCheck {
        let stem = |stem: Option<&String>| stem.cloned().unwrap_or_default();
        let distinct: HashSet<&String> = self.hashes.iter().map(|(_, hash)| hash).collect();
        let mut encodings = BTreeMap::new();
        for image in &self.facts {
            *encodings.entry(image.encoding.clone()).or_default() += 1;
        }
        let count = |of: fn(&ImageFacts) -> bool| self.facts.iter().filter(|i| of(i)).count();
        let finite = self
            .facts
            .iter()
            .filter(|image| image.pixels.low.is_finite());
        let range = finite.fold(None, |range: Option<(f32, f32)>, image| {
            let (low, high) = (image.pixels.low, image.pixels.high);
            Some(range.map_or((low, high), |(lowest, highest)| {
                (lowest.min(low), highest.max(high))
            }))
        });
        SideCheck {
            path: source.path().display().to_string(),
            n_images: source.len(),
            n_distinct: distinct.len(),
            n_without_partner,
            stems: (stem(source.stems().first()), stem(source.stems().last())),
            sizes_px: size_counts(&self.facts),
            range,
            encodings,
            n_grey: count(|image| image.pixels.is_grey),
            n_constant: count(|image| image.pixels.is_constant),
            n_transparent: count(|image| image.is_transparent),
        }
    }
}
