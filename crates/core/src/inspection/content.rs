//! Finds equal content, by hashes, where it should differ.

use super::{images_of, of_images};
use crate::option_words::option;
use crate::pair::{Axis, FrameGap, Pair, PairedStems, item_of, listed, natural_cmp};
use crate::{Finding, Severity, Side, Sides, counted};
use std::collections::HashMap;

/// Stem and content hash of each image of a side.
pub type Hashes<'a> = &'a [(String, String)];

/// Findings about equal content: pairs whose two images have the same bytes, and one image for all reconstructions.
/// `are_one_source` means that both sides were read from the same path.
pub fn suspicious(pairs: &[Pair], sides: Sides<Hashes<'_>>, are_one_source: bool) -> Vec<Finding> {
    let of_pairs = |severity, code: &str, message: String| Finding::new(severity, code, "gt and recon", message);
    let mut found = Vec::new();
    let identical: Vec<&str> = pairs
        .iter()
        .filter(|pair| sides.gt[pair.gt].1 == sides.recon[pair.recon].1)
        .map(|pair| pair.stem.as_str())
        .collect();
    if are_one_source {
        let message = "both sides are read from one place, so every image is compared with itself";
        let finding = of_pairs(Severity::Warning, SAME_SOURCE, message.to_owned());
        found.push(finding.advise("give the path of the reconstructions on their side"));
    } else if !identical.is_empty() {
        let message = format!(
            "{} of {} pairs are the same image twice, byte for byte: {}",
            identical.len(),
            pairs.len(),
            listed(identical.iter().copied())
        );
        let finding = of_pairs(Severity::Warning, "identical_pairs", message);
        found.push(finding.advise("look whether stimuli lie among the reconstructions"));
    }
    for side in Side::BOTH {
        let mut of_pairs = pairs.iter().map(|pair| &sides.side(side)[pair.of(side)].1);
        let first = of_pairs.next();
        if pairs.len() > 1 && of_pairs.all(|hash| Some(hash) == first) {
            let message = format!("all {} are one image, byte for byte", pairs.len());
            let finding = Finding::new(Severity::Warning, "one_image", images_of(side), message);
            found.push(finding.advise("look whether they were written as they were decoded"));
        }
    }
    found
}

/// Finds reconstructions that are, byte for byte, those of another item with other stimuli. `None` if all
/// reconstructions are equal, which [`suspicious`] reports. The last `n_axes` components of a pair's stem name the part
/// of the item.
pub fn repeated_reconstructions(pairs: &[Pair], sides: Sides<Hashes<'_>>, n_axes: usize) -> Option<Finding> {
    let mut of_hash: HashMap<&str, &Pair> = HashMap::new();
    let mut again = Vec::new();
    let stimulus = |pair: &Pair| &sides.gt[pair.gt].1;
    for pair in pairs {
        let hash = sides.recon[pair.recon].1.as_str();
        let first = *of_hash.entry(hash).or_insert(pair);
        let is_other_item = item_of(&pair.stem, n_axes) != item_of(&first.stem, n_axes);
        if is_other_item && stimulus(pair) != stimulus(first) {
            again.push(format!("{} is {}", pair.stem, first.stem));
        }
    }
    if again.is_empty() || of_hash.len() == 1 {
        return None;
    }
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let are = "are byte for byte the reconstruction of another stimulus";
    let counted = (again.as_slice(), pairs.len());
    let code = "repeated_images";
    let finding = of_images(Severity::Warning, code, images_of(Side::Recon), counted, are);
    Some(finding.advise("look whether files were overwritten or copied under a wrong name"))
}

/// Code of the finding that both sides are one source, which makes every number meaningless.
pub const SAME_SOURCE: &str = "same_source";

/// Images whose EXIF data ask viewers to rotate or mirror them, which is not done here (convention `image-decoding`).
/// `turned` holds their files and the number of all images.
pub fn turned(subject: &str, turned: (&[&str], usize)) -> Option<Finding> {
    let are = "have an EXIF orientation, by which viewers turn or mirror them; they are taken as their pixels are stored, as Pillow and \
               torchvision do";
    let advice = "turn the pixels themselves if the other side is upright, such as with PIL.ImageOps.exif_transpose";
    of_files("exif_orientation", subject, turned, are, advice)
}

/// Files with several pictures, such as animated PNG and WebP or TIFF of several pages; only the first is read
/// (convention `image-decoding`).
pub fn several_pictures(subject: &str, files: (&[&str], usize)) -> Option<Finding> {
    let are = "hold several pictures, of which only the first is read";
    let advice = "save each picture as a file, or an animation as GIF or video, whose frames are all read";
    of_files("several_pictures", subject, files, are, advice)
}

/// Images whose transparent pixels hide a colour (convention `image-transparency`).
pub fn transparent(subject: &str, files: (&[&str], usize)) -> Option<Finding> {
    let are =
        "have transparent pixels, which count as the colour that is stored below them, the same throughout the image";
    let advice =
        format!("{} or {} puts them on another background", option("alpha", "white"), option("alpha", "black"));
    of_files("transparency", subject, files, are, &advice)
}

/// Images of a stack that hold NaN or infinities.
pub fn not_finite(subject: &str, images: (&[&str], usize)) -> Option<Finding> {
    let are = "hold NaN or an infinity";
    let advice = "such an image gets no value where pixels are compared";
    of_files("not_finite", subject, images, are, advice)
}

/// A warning about the listed files among this many images, if there are any.
fn of_files(code: &str, subject: &str, files: (&[&str], usize), are: &str, advice: &str) -> Option<Finding> {
    let finding = || of_images(Severity::Warning, code, subject.to_owned(), files, are);
    (!files.0.is_empty()).then(|| finding().advise(advice))
}

/// Finds reconstructions that are, byte for byte, the stimulus of another pair.
pub fn swapped(pairs: &[Pair], sides: Sides<Hashes<'_>>) -> Option<Finding> {
    let of_hash: HashMap<&str, &str> =
        pairs.iter().map(|pair| (sides.gt[pair.gt].1.as_str(), pair.stem.as_str())).collect();
    let stimuli = |pair: &Pair| {
        let hash = sides.recon[pair.recon].1.as_str();
        let stimulus = of_hash.get(hash)?;
        let is_own = sides.gt[pair.gt].1 == hash;
        (!is_own).then(|| format!("{} is gt {stimulus}", pair.stem))
    };
    let swapped: Vec<String> = pairs.iter().filter_map(stimuli).collect();
    let swapped: Vec<&str> = swapped.iter().map(String::as_str).collect();
    if swapped.is_empty() {
        return None;
    }
    let are = "are byte for byte the stimulus of another pair";
    let counted = (swapped.as_slice(), pairs.len());
    let finding = of_images(Severity::Warning, "stimulus_of_another", images_of(Side::Recon), counted, are);
    Some(finding.advise("if they were not looked up among the stimuli, the order of one side is wrong"))
}

/// A warning for each side with stems that were left out because the other side lacks them.
pub fn left_out(paired: &PairedStems, what: &str) -> Vec<Finding> {
    let of_side = |side: Side| {
        let stems = paired.without_partner.side(side);
        let message = format!(
            "{} of {} have no partner on the other side and are left out: {}",
            stems.len(),
            stems.len() + paired.pairs.len(),
            listed(stems.iter().map(String::as_str))
        );
        let subject = format!("{} {what}", side.folder());
        let finding = Finding::new(Severity::Warning, "without_partner", subject, message);
        (!stems.is_empty()).then_some(finding)
    };
    Side::BOTH.into_iter().filter_map(of_side).collect()
}

/// Finds clips whose duration differs from that of their counterpart: frames are matched by their share of the clip's
/// time.
pub fn unequally_long(paired: &PairedStems) -> Option<Finding> {
    let (item, lasting) = paired.unequally_long.first()?;
    let seconds = |microseconds: u64| microseconds as f64 / 1e6;
    let message = format!(
        "the clips of {} do not last equally long ({item:?}: {:.2} s among the stimuli, {:.2} s among the reconstructions); frames are \
         matched as if they did",
        counted(paired.unequally_long.len(), "item"),
        seconds(lasting.gt),
        seconds(lasting.recon),
    );
    let finding = Finding::new(Severity::Warning, "unequally_long", "gt and recon", message);
    Some(finding.advise("if one of them shows more of the stimulus, cut it"))
}

/// A warning for each side with clips whose frame numbers have a gap, so that frames are compared with those of other
/// moments.
pub fn frame_gaps(paired: &PairedStems) -> Vec<Finding> {
    let of_side = |side: Side| {
        let gaps = paired.frame_gaps.iter().filter(|gap| gap.side == side);
        let words = |gap: &FrameGap| match gap.n_missing {
            1 => format!("{} lacks frame {}", gap.clip, gap.first),
            n => format!("{} lacks {n} frames from {} on", gap.clip, gap.first),
        };
        let clips: Vec<String> = gaps.map(words).collect();
        if clips.is_empty() {
            return None;
        }
        let message = format!(
            "frames are missing in the middle of {}: {}; the others are compared as if none were missing",
            counted(clips.len(), "clip"),
            listed(clips.iter().map(String::as_str))
        );
        let finding = Finding::new(Severity::Warning, "frame_gaps", images_of(side), message);
        Some(finding.advise("restore them, or remove the same frames from the other side"))
    };
    Side::BOTH.into_iter().filter_map(of_side).collect()
}

/// Finds items with fewer compared views or samples than other items, which `on-missing` may allow.
pub fn fewer_parts(paired: &PairedStems) -> Option<Finding> {
    let axes = paired.axes.iter().filter(|axis| **axis != Axis::Frame);
    let noun = axes.map(|axis| axis.noun()).collect::<Vec<_>>();
    let [noun @ .., last] = noun.as_slice() else {
        return None;
    };
    let nouns = match noun {
        [] => format!("{last}s"),
        noun => format!("{}s or {last}s", noun.join("s, ")),
    };
    // On one side, a single image may be compared with all parts of the other side.
    let sides = Side::BOTH.map(|side| paired.parts_of_items(side));
    let count = |item: &str| sides.iter().map(|parts| parts.get(item).map_or(0, Vec::len)).max().unwrap_or(0);
    let most = sides[0].keys().map(|item| count(item)).max()?;
    let mut lacking: Vec<&str> = sides[0].keys().copied().collect();
    lacking.retain(|item| count(item) < most);
    lacking.sort_by(|a, b| natural_cmp(a, b));
    let first = lacking.first()?;
    let message = format!(
        "{} {} fewer {nouns} than the others ({first:?}: {} of {most}); of each item, those that both sides have count",
        counted(lacking.len(), "item"),
        if lacking.len() == 1 { "has" } else { "have" },
        count(first),
    );
    let finding = Finding::new(Severity::Warning, "fewer_parts", "gt and recon", message);
    Some(finding)
}

/// Finds a side that counts from 0 opposite one that counts from 1: stems on both sides are then not the same images.
///
/// ```
/// use neurogauge_core::inspection::content::off_by_one;
/// use neurogauge_core::pair::{Pairing, PairsOf};
/// let stems = |range: std::ops::Range<usize>| -> Vec<String> { range.map(|n| n.to_string()).collect() };
/// let shared = Pairing { pairs: PairsOf::Shared, ..Pairing::default() };
/// assert!(off_by_one(&shared.pair(&stems(0..5), &stems(1..6)).unwrap()).is_some());
/// assert!(off_by_one(&shared.pair(&stems(0..5), &stems(0..4)).unwrap()).is_none());
/// ```
pub fn off_by_one(paired: &PairedStems) -> Option<Finding> {
    let number = |stems: &[String]| match stems {
        [stem] => stem.parse::<usize>().ok(),
        _ => None,
    };
    let n_pairs = paired.pairs.len();
    let sides = &paired.without_partner;
    let (from_zero, last) = match (number(&sides.gt)?, number(&sides.recon)?) {
        (0, last) => ("gt", last),
        (last, 0) => ("recon", last),
        _ => return None,
    };
    if last != n_pairs + 1 {
        return None;
    }
    let message = format!(
        "the {from_zero} stems count from 0 and the others from 1, so that stems which both sides have may be of different \
         images"
    );
    Some(Finding::new(Severity::Warning, "off_by_one", "gt and recon", message).advise("number both sides alike"))
}
