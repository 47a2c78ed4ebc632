//! Findings about the appearance of images: colours, sizes and files.

use super::{images_of, of_images};
use crate::image::{PixelFacts, shorter_side_to};
use crate::pair::{Pair, listed};
use crate::{Finding, Severity, Side, Sides};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Facts about one decoded image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImageFacts {
    pub stem: String,
    /// Size, range and colours.
    pub pixels: PixelFacts,
    /// How the image is stored, e.g. `PNG, RGB, 8 bits` or `float32 array`.
    pub encoding: String,
    /// Does it have transparent pixels?
    pub is_transparent: bool,
}

/// Facts about an image that are known before it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageForm {
    /// Width and height (px).
    pub size_px: (usize, usize),
    /// Is it compressed with loss?
    pub is_lossy: bool,
}

/// The forms of a side's images; `None` for an image whose size is unknown.
pub type Forms<'a> = &'a [Option<ImageForm>];

/// Finds images of a single colour on either side, and a grey side opposite a coloured one. Each image is given as its
/// stem and its colour facts.
pub fn plain_images(sides: &Sides<Vec<(&str, Plainness)>>) -> Vec<Finding> {
    let mut found = Vec::new();
    for side in Side::BOTH {
        let images = sides.side(side);
        let constant = images.iter().filter(|(_, image)| image.is_constant);
        let stems: Vec<&str> = constant.map(|(stem, _)| *stem).collect();
        if !stems.is_empty() {
            let counted = (stems.as_slice(), images.len());
            let are = "have one colour all over";
            let finding = of_images(Severity::Warning, "constant_images", images_of(side), counted, are);
            found.push(finding.advise("look whether they were decoded and written in full"));
        }
    }
    let is_grey = |side: Side| {
        let images = sides.side(side);
        !images.is_empty() && images.iter().all(|(_, image)| image.is_grey)
    };
    for (side, other) in [(Side::Gt, Side::Recon), (Side::Recon, Side::Gt)] {
        if is_grey(side) && !is_grey(other) {
            let n_images = sides.side(side).len();
            let message = format!(
                "all {n_images} are grey (red, green and blue are equal), and the {} images have colours",
                other.folder()
            );
            let finding = Finding::new(Severity::Warning, "grey_side", images_of(side), message);
            found.push(finding.advise("look whether colours were lost when they were written"));
        }
    }
    found
}

/// The facts about an image's colours that may deserve a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plainness {
    /// Do all pixels have the colour of the first?
    pub is_constant: bool,
    /// Are red, green and blue equal everywhere?
    pub is_grey: bool,
}

impl From<&PixelFacts> for Plainness {
    fn from(facts: &PixelFacts) -> Self {
        Plainness {
            is_constant: facts.is_constant,
            is_grey: facts.is_grey,
        }
    }
}

/// Finds what makes numbers incomparable with others: sizes and file formats. Images are compared with their shorter
/// side resized to `size_px`, or in their own size for `None`.
pub fn incomparable(sides: Sides<Forms<'_>>, size_px: Option<usize>) -> Vec<Finding> {
    let mut found = sizes(sides, size_px);
    found.extend(losses(sides));
    found
}

/// Finds pairs whose images still differ in shape after resizing, which stops scoring. Pairs are positions in the two
/// lists.
pub fn shapes_differ(pairs: &[Pair], sides: Sides<Forms<'_>>, size_px: usize) -> Option<Finding> {
    let resized = |(width_px, height_px)| shorter_side_to(width_px, height_px, size_px);
    let differ = |pair: &Pair| {
        let (gt, recon) = (sides.gt[pair.gt]?.size_px, sides.recon[pair.recon]?.size_px);
        let words = || {
            let ((a, b), (c, d)) = (gt, recon);
            format!("{} ({a} x {b} px and {c} x {d} px)", pair.stem)
        };
        (resized(gt) != resized(recon)).then(words)
    };
    let differ: Vec<String> = pairs.iter().filter_map(differ).collect();
    if differ.is_empty() {
        return None;
    }
    let message = format!(
        "{} of {} pairs have images of different proportions: {}",
        differ.len(),
        pairs.len(),
        listed(differ.iter().map(String::as_str))
    );
    let finding = Finding::new(Severity::Problem, "shapes_differ", "gt and recon", message);
    Some(finding.advise(
        "PixCorr, SSIM, PSNR and LPIPS need one shape: crop or pad one side, ask for other metrics, or let both be \
         squashed (proportions)",
    ))
}

/// The sizes of a side, the most frequent first.
pub fn size_counts(sizes_px: impl Iterator<Item = (usize, usize)>) -> Vec<((usize, usize), usize)> {
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for size_px in sizes_px {
        *counts.entry(size_px).or_default() += 1;
    }
    let mut counts: Vec<((usize, usize), usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}

/// Finds sides with images of several sizes, and sides that are resized in different ways.
fn sizes(sides: Sides<Forms<'_>>, size_px: Option<usize>) -> Vec<Finding> {
    let mut found = Vec::new();
    let counts = |side: Side| {
        let known = sides.side(side).iter().flatten();
        size_counts(known.map(|image| image.size_px))
    };
    for side in Side::BOTH {
        let counts = counts(side);
        if counts.len() > 1 {
            let shown: Vec<String> =
                counts.iter().map(|((width, height), n)| format!("{width} x {height} px ({n})")).collect();
            let message = format!("they have {} sizes: {}", counts.len(), listed(shown.iter().map(String::as_str)));
            let finding = Finding::new(Severity::Note, "several_sizes", images_of(side), message);
            found.push(finding.advise("each is resized by another factor"));
        }
    }
    let shorter = |side: Side| -> Option<usize> { counts(side).first().map(|((width, height), _)| *width.min(height)) };
    if let (Some(gt), Some(recon), Some(size_px)) = (shorter(Side::Gt), shorter(Side::Recon), size_px)
        && gt != recon
    {
        let how = |px: usize| match px.cmp(&size_px) {
            std::cmp::Ordering::Less => "enlarged",
            std::cmp::Ordering::Equal => "left as it is",
            std::cmp::Ordering::Greater => "reduced",
        };
        let message = format!(
            "the shorter side is {gt} px for gt ({}) and {recon} px for recon ({}); PixCorr, SSIM and PSNR compare at \
             {size_px} px",
            how(gt),
            how(recon)
        );
        let finding = Finding::new(Severity::Note, "sizes_differ", "gt and recon", message);
        found.push(finding.advise(
            "compare only with figures of images of the same sizes; the filter and its smoothing decide the numbers \
             (conventions pixel-size, antialias)",
        ));
    }
    found
}

/// Says whether one or both sides were compressed with loss.
fn losses(sides: Sides<Forms<'_>>) -> Vec<Finding> {
    let lossy = |side: Side| sides.side(side).iter().flatten().filter(|image| image.is_lossy).count();
    let mut found = Vec::new();
    for (side, other) in [(Side::Gt, Side::Recon), (Side::Recon, Side::Gt)] {
        let (n, n_images) = (lossy(side), sides.side(side).len());
        if n == 0 || lossy(other) == sides.side(other).len() {
            continue;
        }
        let message = format!(
            "{n} of {n_images} are JPEG, but {} of {} {} images",
            lossy(other),
            sides.side(other).len(),
            other.folder()
        );
        let finding = Finding::new(Severity::Note, "lossy_files", images_of(side), message);
        found.push(
            finding.advise("what JPEG loses counts as an error of the reconstruction; write both sides without loss"),
        );
    }
    found
}
