//! Guesses what stems without a partner have in common.

use super::PartsPattern;
use super::pattern::{Placeholder, StemPattern, numbers};
use std::collections::HashSet;
use std::fmt;
use unicode_normalization::UnicodeNormalization;

/// Stems of both sides that seem to belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closest {
    /// Stem of a stimulus.
    pub gt: String,
    /// Stem of a reconstruction.
    pub recon: String,
    /// What would pair such stems.
    pub remedy: Remedy,
    /// How many reconstructions the remedy would pair.
    pub n_pairs: usize,
}

/// A change that would pair stems that are not equal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// This form of the reconstructions' names.
    Match(StemPattern),
    /// Several reconstructions of each stimulus, which are its samples.
    Parts(PartsPattern),
    /// Several reconstructions of each stimulus, in folders of this form.
    PartsOf(PartsPattern, StemPattern),
    /// Renaming, because names differ only in upper and lower case.
    RenameCase,
    /// Renaming, because names only look alike: letters with accents are one character on one side and two on the
    /// other.
    RenameAccents,
    /// Renaming, because both sides have different text before or after the name.
    Rename,
}

impl fmt::Display for Closest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the closest are gt {:?} and recon {:?}", self.gt, self.recon)?;
        match self.remedy {
            Remedy::Match(_) | Remedy::Parts(_) | Remedy::PartsOf(..) => Ok(()),
            Remedy::RenameCase => f.write_str(
                " (they differ in upper and lower case only: rename the files of one side)",
            ),
            Remedy::RenameAccents => f.write_str(
                " (they look alike and differ in characters: accents are part of the letter on one side (Unicode NFC) and characters of \
                 their own on the other (NFD), as macOS writes them: rename the files of one side)",
            ),
            Remedy::Rename => f.write_str(" (rename the files so that both have one stem)"),
        }
    }
}

/// Number of stems from which forms are guessed.
const N_LOOKED_AT: usize = 3;
/// Number of forms that are tried on all stems.
const N_TRIED: usize = 64;

/// The best guess for stems without a partner, if it would pair at least half of the smaller side.
pub fn closest(gt: &[&str], recon: &[&str]) -> Option<Closest> {
    // Of guesses that pair equally many, the first wins: stems before numbers before other names.
    let guesses = forms(gt, recon).into_iter();
    let guesses = guesses.filter_map(|form| of_form(form, gt, recon)).chain(by_names(gt, recon));
    let best = guesses.reduce(|best, next| if next.n_pairs > best.n_pairs { next } else { best });
    best.filter(|closest| is_enough(closest, gt, recon))
}

/// The best guess for images, which may be several reconstructions of each stimulus, or have only a part of its stem.
pub fn closest_images(gt: &[&str], recon: &[&str]) -> Option<Closest> {
    samples(gt, recon).or_else(|| match closest(gt, recon) {
        Some(found) if matches!(found.remedy, Remedy::Match(_)) => Some(found),
        // Files need not be renamed if a pattern pairs them.
        found => samples_in_folders(gt, recon).or_else(|| part_of_stem(gt, recon)).or(found),
    })
}

/// Folders of reconstructions that match stimuli, most of them with several images.
fn samples_in_folders(gt: &[&str], recon: &[&str]) -> Option<Closest> {
    let folders: Option<Vec<&str>> = (recon.iter()).map(|stem| Some(stem.rsplit_once('/')?.0)).collect();
    let mut folders = folders?;
    folders.dedup();
    if 2 * folders.len() > recon.len() {
        return None;
    }
    let found = part_of_stem(gt, &folders)?;
    let Remedy::Match(pattern) = found.remedy else {
        return None;
    };
    let of_folder = |stem: &&&str| stem.starts_with(&format!("{}/", found.recon));
    Some(Closest {
        recon: recon.iter().find(of_folder)?.to_string(),
        remedy: Remedy::PartsOf("{item}/{sample}".parse().ok()?, pattern),
        ..found
    })
}

/// Forms of a stimulus' stem of which the reconstruction may have only a part.
const PARTS_OF_STEMS: [&str; 7] =
    ["*/{stem}", "{stem}/*", "*_{stem}/*", "{number}_*/*", "{number}_*", "*/{number}_*", "*/{number}"];

/// Reconstructions named after the folder or the file of the stimulus, or after its number.
fn part_of_stem(gt: &[&str], recon: &[&str]) -> Option<Closest> {
    let mut of_recon = forms(gt, recon);
    of_recon.extend("{stem}".parse::<StemPattern>());
    // Forms with the same placeholder make a pattern of both sides.
    let both = PARTS_OF_STEMS.iter().flat_map(|of_gt| {
        let parsed = |form: &StemPattern| format!("{of_gt}={form}").parse().ok();
        of_recon.iter().filter_map(parsed).collect::<Vec<StemPattern>>()
    });
    // A form that does not match the first stems is not tried on all of them.
    let fits = |form: &StemPattern| {
        let mut first = gt.iter().take(N_LOOKED_AT);
        first.any(|stem| form.of_gt(stem).is_some())
    };
    let tells_apart = |form: &StemPattern| {
        let mut known = HashSet::new();
        gt.iter().filter_map(|stem| form.of_gt(stem)).all(|part| known.insert(part))
    };
    let both = both.filter(fits).filter(tells_apart);
    let guesses = both.filter_map(|form| of_form(form, gt, recon)).filter(|closest| is_enough(closest, gt, recon));
    // Of guesses that pair equally many, the first wins.
    guesses.reduce(|best, next| match next.n_pairs > best.n_pairs {
        true => next,
        false => best,
    })
}

fn is_enough(closest: &Closest, gt: &[&str], recon: &[&str]) -> bool {
    closest.n_pairs > 0 && 2 * closest.n_pairs >= gt.len().min(recon.len())
}

/// The pairs that a form makes.
fn of_form(pattern: StemPattern, gt: &[&str], recon: &[&str]) -> Option<Closest> {
    let known: HashSet<&str> = gt.iter().filter_map(|stem| pattern.of_gt(stem)).collect();
    let pairs = |stem: &str| pattern.of_recon(stem).is_some_and(|key| known.contains(key));
    let n_pairs = recon.iter().filter(|stem| pairs(stem)).count();
    let of_recon = recon.iter().find(|stem| pairs(stem))?;
    let wanted = pattern.of_recon(of_recon);
    let of_gt = gt.iter().find(|stem| pattern.of_gt(stem) == wanted)?;
    Some(Closest {
        gt: (*of_gt).to_owned(),
        recon: (*of_recon).to_owned(),
        remedy: Remedy::Match(pattern),
        n_pairs,
    })
}

/// Finds several forms that differ only in what follows the stem and the character after it, such as `{stem}_0` and
/// `{stem}_1`, and that each pair enough stems: samples of the stimuli.
fn samples(gt: &[&str], recon: &[&str]) -> Option<Closest> {
    let sign = |form: &StemPattern| {
        let sign = form.after.chars().next()?;
        let is_sample = form.before.is_empty()
            && form.placeholder == Placeholder::Stem
            && "_-./".contains(sign)
            && form.after.len() > 1;
        is_sample.then_some(sign)
    };
    let found: Vec<(char, Closest)> = forms(gt, recon)
        .into_iter()
        .filter_map(|form| Some((sign(&form)?, of_form(form, gt, recon)?)))
        .filter(|(_, closest)| is_enough(closest, gt, recon))
        .collect();
    let (sign, first) = found.first()?;
    let alike = found.iter().filter(|(other, _)| other == sign);
    let n_pairs: usize = alike.map(|(_, closest)| closest.n_pairs).sum();
    if n_pairs <= gt.len() {
        return None;
    }
    Some(Closest {
        remedy: Remedy::Parts(format!("{{item}}{sign}{{sample}}").parse().ok()?),
        n_pairs,
        ..first.clone()
    })
}

/// Forms in which one of the first reconstructions contains the stem or the number of a stimulus.
fn forms(gt: &[&str], recon: &[&str]) -> Vec<StemPattern> {
    let mut forms: Vec<StemPattern> = Vec::new();
    let mut add = |placeholder: Placeholder, of_recon: &str, place: std::ops::Range<usize>| {
        let (before, after) = (&of_recon[..place.start], &of_recon[place.end..]);
        let form = StemPattern {
            before: before.to_owned(),
            placeholder,
            after: after.to_owned(),
            around_gt: None,
        };
        if forms.len() < N_TRIED && !forms.contains(&form) {
            forms.push(form);
        }
    };
    let looked_at = || recon.iter().take(N_LOOKED_AT);
    for of_recon in looked_at() {
        for of_gt in gt.iter().filter(|stem| !stem.is_empty()) {
            for (start, _) in of_recon.match_indices(of_gt) {
                let place = start..start + of_gt.len();
                if !splits_number(of_recon, &place) {
                    add(Placeholder::Stem, of_recon, place);
                }
            }
        }
    }
    for of_recon in looked_at() {
        for place in numbers(of_recon) {
            add(Placeholder::Number, of_recon, place);
        }
    }
    forms
}

/// Does a part of a stem begin or end within a number, as 1 does in 10?
fn splits_number(stem: &str, part: &std::ops::Range<usize>) -> bool {
    let bytes = stem.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let within = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at);
    within(part.start) || within(part.end)
}

/// Pairs stems that are equal in one form of Unicode, in lower case, or without the text that all stems of a side begin
/// and end with.
fn by_names(gt: &[&str], recon: &[&str]) -> Option<Closest> {
    let lower = |stems: &[&str]| stems.iter().map(|stem| stem.to_lowercase()).collect();
    let composed = |stems: &[&str]| stems.iter().map(|stem| stem.nfc().collect()).collect();
    let by = |gt_names: Vec<String>, recon_names: Vec<String>, remedy| {
        let known: HashSet<&String> = gt_names.iter().filter(|name| !name.is_empty()).collect();
        let of_recon = recon_names.iter().position(|name| known.contains(name))?;
        let name = &recon_names[of_recon];
        Some(Closest {
            gt: gt[gt_names.iter().position(|other| other == name)?].to_owned(),
            recon: recon[of_recon].to_owned(),
            remedy,
            n_pairs: recon_names.iter().filter(|n| known.contains(n)).count(),
        })
    };
    by(composed(gt), composed(recon), Remedy::RenameAccents)
        .or_else(|| by(lower(gt), lower(recon), Remedy::RenameCase))
        .or_else(|| by(inner_parts(gt), inner_parts(recon), Remedy::Rename))
}

/// Stems without the text that all of them begin and end with; a single stem becomes empty.
fn inner_parts(stems: &[&str]) -> Vec<String> {
    let Some((first, others)) = stems.split_first() else {
        return Vec::new();
    };
    let n_equal = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let all = first.chars().count();
    let (before, after) = others.iter().fold((all, all), |(before, after), other| {
        let at_start = n_equal(&mut first.chars(), &mut other.chars());
        let at_end = n_equal(&mut first.chars().rev(), &mut other.chars().rev());
        (before.min(at_start), after.min(at_end))
    });
    let inner = |stem: &&str| {
        let kept = stem.chars().count().saturating_sub(before + after);
        stem.chars().skip(before).take(kept).collect()
    };
    stems.iter().map(inner).collect()
}
