//! Items that have several images: the frames of a clip, the views of an object, the samples of a reconstruction.

use super::frame_gaps::{FrameGap, gaps};
use super::frame_times::{Clock, of_step};
use super::parts_pattern::ITEM;
use super::{Axis, FrameMatch, FrameTimes, PartsPattern};
use super::{Met, Pair, PairedStems, Pairing, PairingError, PairsOf, listed, natural_cmp};
use crate::name_pattern::NamePattern;
use crate::{Side, Sides};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// What to do if one side of an item lacks samples or views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnMissingPart {
    #[default]
    Error,
    /// Only the parts that both sides have are compared.
    Skip,
}

/// How parts form items.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// Pattern of the images' names.
    pub pattern: PartsPattern,
    /// Which frames are compared.
    #[serde(default)]
    pub frames: FrameMatch,
    /// What to do about parts that one side lacks.
    #[serde(default)]
    pub on_missing: OnMissingPart,
}

/// A part of an item on one side: its position among the side's stems, and its name on each axis that the side has.
#[derive(Debug, Clone)]
struct PartAt<'a> {
    place: usize,
    names: BTreeMap<Axis, &'a str>,
    /// How long it is shown, in microseconds, if it is a frame whose time is known.
    shown_for: Option<u32>,
}

/// The name of a clip's only frame.
const ONLY_FRAME: &str = "0001";

/// The items of a side, each with its parts.
struct SideItems<'a> {
    axes: Vec<Axis>,
    names: Vec<String>,
    parts: Vec<Vec<PartAt<'a>>>,
}

impl SideItems<'_> {
    /// The error for the first of these items that has fewer views or samples than another.
    fn check_counts(&self, side: Side, items: &[usize]) -> Result<(), PairingError> {
        for &axis in self.axes.iter().filter(|axis| **axis != Axis::Frame) {
            let count =
                |item: usize| self.parts[item].iter().map(|part| part.names[&axis]).collect::<HashSet<&str>>().len();
            let most = items.iter().copied().map(count).max().unwrap_or(0);
            if let Some(item) = items.iter().copied().find(|&item| count(item) < most) {
                return Err(PairingError::FewerParts {
                    item: self.names[item].clone(),
                    axis,
                    side: side.folder(),
                    found: count(item),
                    most,
                });
            }
        }
        Ok(())
    }
}

impl Parts {
    /// Reads the stems as items with these axes; `None` if a stem does not match. Among clips, the stem of a file with one
    /// frame is that of its item.
    fn items<'a>(&self, stems: &'a [String], times: &FrameTimes, axes: &[Axis]) -> Option<SideItems<'a>> {
        let read = |pattern: &NamePattern, stem: &'a str, axes: &[Axis]| {
            let names = axes.iter().map(|&axis| Some((axis, pattern.part_of(stem, axis.part())?)));
            Some((pattern.part_of(stem, ITEM)?, names.collect::<Option<BTreeMap<Axis, &'a str>>>()?))
        };
        let without_frames: Vec<Axis> = axes.iter().copied().filter(|axis| *axis != Axis::Frame).collect();
        let (pattern, of_stills) = (self.pattern.with(axes), self.pattern.with(&without_frames));
        let has_clips =
            without_frames.len() < axes.len() && stems.iter().any(|stem| read(&pattern, stem, axes).is_some());
        let mut of_item: BTreeMap<&str, Vec<PartAt<'a>>> = BTreeMap::new();
        let mut of_one_frame = Vec::new();
        for (place, stem) in stems.iter().enumerate() {
            let (item, names) = read(&pattern, stem, axes).or_else(|| {
                let (item, mut names) = read(&of_stills, stem, &without_frames).filter(|_| has_clips)?;
                names.insert(Axis::Frame, ONLY_FRAME);
                of_one_frame.push(item);
                Some((item, names))
            })?;
            of_item.entry(item).or_default().push(PartAt {
                place,
                names,
                shown_for: times.of(stem),
            });
        }
        if of_one_frame.iter().any(|item| of_item[item].len() > 1) {
            return None;
        }
        let (names, mut parts): (Vec<String>, Vec<Vec<PartAt<'a>>>) =
            of_item.into_iter().map(|(item, parts)| (item.to_owned(), parts)).unzip();
        let in_order = |a: &PartAt, b: &PartAt| {
            let axes = axes.iter().map(|axis| natural_cmp(a.names[axis], b.names[axis]));
            axes.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        parts.iter_mut().for_each(|parts| parts.sort_by(in_order));
        Some(SideItems {
            axes: axes.to_vec(),
            names,
            parts,
        })
    }

    /// The ways to read a side: with all axes, then with fewer. A part that could be a frame or a sample is read as a
    /// frame.
    fn readings<'a>(&self, stems: &'a [String], times: &FrameTimes) -> Vec<SideItems<'a>> {
        let axes = self.pattern.axes();
        let mut subsets: Vec<Vec<Axis>> = (0..1_usize << axes.len())
            .map(|bits| {
                axes.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1).map(|(_, axis)| *axis).collect()
            })
            .collect();
        subsets.sort_by_key(|axes| (std::cmp::Reverse(axes.len()), axes.contains(&Axis::Sample)));
        let read = |axes: Vec<Axis>| self.items(stems, times, &axes);
        subsets.into_iter().filter_map(read).collect()
    }

    /// Pairs the parts of items; `pairing` pairs the items (convention `parts`). A side may have fewer axes than the
    /// pattern: its image is then compared with every part of the other side. Each side is read so that most images
    /// belong to items that pair, then so that most items pair, with as many axes as possible.
    pub(super) fn pair(
        &self,
        pairing: &Pairing,
        gt: &[String],
        recon: &[String],
        times: &Sides<FrameTimes>,
    ) -> Result<PairedStems, PairingError> {
        let of_gt = self.readings(gt, &times.gt);
        let of_recon = self.readings(recon, &times.recon);
        let shared = Pairing {
            pairs: PairsOf::Shared,
            ..pairing.clone()
        };
        let mut best: Option<((usize, usize), &SideItems, &SideItems)> = None;
        for gt in &of_gt {
            for recon in &of_recon {
                if gt.axes.is_empty() && recon.axes.is_empty() {
                    continue;
                }
                let paired = shared.pair_items(&gt.names, &recon.names, Met::by_name);
                let n = paired.map_or((0, 0), |paired| {
                    let images = paired
                        .pairs
                        .iter()
                        .map(|item| gt.parts[item.of(Side::Gt)].len() + recon.parts[item.of(Side::Recon)].len());
                    (images.sum(), paired.pairs.len())
                });
                if best.is_none_or(|(most, ..)| n > most) {
                    best = Some((n, gt, recon));
                }
            }
        }
        let Some((_, gt_items, recon_items)) = best else {
            return Err(PairingError::NoParts {
                pattern: self.pattern.clone(),
                examples: listed(recon.iter().map(String::as_str)),
            });
        };
        let items = pairing.pair(&gt_items.names, &recon_items.names)?;
        if self.on_missing == OnMissingPart::Error {
            for (side, read) in [(Side::Gt, gt_items), (Side::Recon, recon_items)] {
                let items: Vec<usize> = items.pairs.iter().map(|item| item.of(side)).collect();
                read.check_counts(side, &items)?;
            }
        }
        let mut axes = Axis::ALL.to_vec();
        axes.retain(|axis| gt_items.axes.contains(axis) || recon_items.axes.contains(axis));
        axes.retain(|axis| *axis != Axis::Frame || !self.frames.is_one());
        let mut found = PairedStems {
            pairs: Vec::new(),
            axes,
            ..items
        };
        for item in items.pairs {
            let sides = Sides::new(
                (gt_items.axes.as_slice(), &*gt_items.parts[item.gt]),
                (recon_items.axes.as_slice(), &*recon_items.parts[item.recon]),
            );
            found.pairs.extend(self.pairs_of(&item.stem, &sides)?);
            found.frame_gaps.extend(frame_gaps(&item.stem, &sides));
            if self.frames.is_by_time()
                && let Some(lasting) = unequally_long(sides.gt.1, sides.recon.1)
            {
                found.unequally_long.push((item.stem, lasting));
            }
        }
        Ok(found)
    }

    fn pairs_of(&self, item: &str, sides: &Sides<(&[Axis], &[PartAt<'_>])>) -> Result<Vec<Pair>, PairingError> {
        let groups = Sides::new(by_view_and_sample(sides.gt.1), by_view_and_sample(sides.recon.1));
        let mut matched: Sides<HashSet<usize>> = Sides::new(HashSet::new(), HashSet::new());
        let mut pairs = Vec::new();
        for (gt_place, gt) in groups.gt.iter().enumerate() {
            for (recon_place, recon) in groups.recon.iter().enumerate() {
                if !agree(gt[0], recon[0]) {
                    continue;
                }
                matched.gt.insert(gt_place);
                matched.recon.insert(recon_place);
                for (gt, recon) in self.frames_of(item, gt, recon)? {
                    let mut names = recon.names.clone();
                    names.extend(&gt.names);
                    names.retain(|axis, _| *axis != Axis::Frame || !self.frames.is_one());
                    let names = names.values().map(|name| name.replace('/', "_"));
                    let stem = [item.to_owned()].into_iter().chain(names);
                    pairs.push(Pair {
                        stem: stem.collect::<Vec<_>>().join("/"),
                        gt: gt.place,
                        recon: recon.place,
                    });
                }
            }
        }
        let lonely = Side::BOTH.into_iter().find_map(|side| {
            let mut places = 0..groups.side(side).len();
            let place = places.find(|place| !matched.side(side).contains(place))?;
            let absent = match side {
                Side::Gt => Side::Recon,
                Side::Recon => Side::Gt,
            };
            Some((side, absent, groups.side(side)[place][0]))
        });
        match lonely {
            Some((present, absent, part)) if self.on_missing == OnMissingPart::Error || pairs.is_empty() => {
                let names = part.names.iter().filter(|(axis, _)| **axis != Axis::Frame);
                let names = names.map(|(axis, name)| format!("{} {name:?}", axis.noun()));
                Err(PairingError::MissingPart {
                    item: item.to_owned(),
                    part: names.collect::<Vec<_>>().join(", "),
                    present: present.folder(),
                    absent: absent.folder(),
                })
            }
            _ => Ok(pairs),
        }
    }

    /// Which frames of two clips are compared; a still is compared with every frame.
    fn frames_of<'s, 'a>(
        &self,
        item: &str,
        gt: &[&'s PartAt<'a>],
        recon: &[&'s PartAt<'a>],
    ) -> Result<Vec<(&'s PartAt<'a>, &'s PartAt<'a>)>, PairingError> {
        // A still is a clip that shows the same image all the time.
        let (gt_clock, recon_clock) = match (is_clip(gt), is_clip(recon)) {
            (_, false) => (clock(gt), clock(gt)),
            (false, true) => (clock(recon), clock(recon)),
            (true, true) => (clock(gt), clock(recon)),
        };
        let (n_gt, n_recon) = (gt_clock.n_frames(), recon_clock.n_frames());
        let fewest = n_gt.min(n_recon);
        let at = |moment| (gt_clock.shown_at(moment), recon_clock.shown_at(moment));
        // A required number of frames that does not fit may be too large to list.
        let fits = match self.frames {
            FrameMatch::Nearest | FrameMatch::Middle => true,
            FrameMatch::Equal => n_gt == n_recon,
            FrameMatch::First(n) | FrameMatch::At(n) => n <= fewest,
            FrameMatch::Uniform(n) => n <= n_gt,
        };
        if !fits {
            return Err(PairingError::FrameCounts {
                item: item.to_owned(),
                gt: n_gt,
                recon: n_recon,
                frames: self.frames,
            });
        }
        let places: Vec<(usize, usize)> = match self.frames {
            FrameMatch::Nearest => {
                let shown = |place| recon_clock.shown_at(gt_clock.middle_of(place));
                (0..n_gt).map(|place| (place, shown(place))).collect()
            }
            FrameMatch::Equal => (0..n_gt).map(|n| (n, n)).collect(),
            FrameMatch::First(n) => (0..n).map(|n| (n, n)).collect(),
            FrameMatch::Uniform(n) => (0..n).map(|place| at(of_step(place, n))).collect(),
            FrameMatch::Middle => vec![at(of_step(0, 1))],
            FrameMatch::At(n) => vec![(n - 1, n - 1)],
        };
        if let Some([(place, _), _]) = places.array_windows().find(|[a, b]| a.0 == b.0) {
            let clip = if is_clip(gt) { gt } else { recon };
            return Err(PairingError::RepeatedFrame {
                item: item.to_owned(),
                frame: clip[*place].names[&Axis::Frame].to_owned(),
                frames: self.frames,
            });
        }
        let part = |parts: &[&'s PartAt<'a>], place: usize| match is_clip(parts) {
            true => parts[place],
            false => parts[0],
        };
        Ok(places.into_iter().map(|(of_gt, of_recon)| (part(gt, of_gt), part(recon, of_recon))).collect())
    }
}

/// Are these parts equal on every axis (view and sample) that both sides have?
fn agree(gt: &PartAt, recon: &PartAt) -> bool {
    gt.names
        .iter()
        .all(|(axis, name)| *axis == Axis::Frame || recon.names.get(axis).is_none_or(|own| own == name))
}

/// The gaps in the frame numbers of an item's clips. A gap counts if the clip has fewer frames than the one that it is
/// compared with, or if that one has other gaps.
fn frame_gaps(item: &str, sides: &Sides<(&[Axis], &[PartAt])>) -> Vec<FrameGap> {
    let mut found: Vec<FrameGap> = Vec::new();
    let of_recon = by_view_and_sample(sides.recon.1);
    for gt in by_view_and_sample(sides.gt.1) {
        for recon in of_recon.iter().filter(|recon| agree(gt[0], recon[0])) {
            if !is_clip(&gt) || !is_clip(recon) {
                continue;
            }
            let [gt_gaps, recon_gaps] = [&gt, recon].map(|clip| {
                let names = clip.iter().map(|part| part.names[&Axis::Frame]);
                gaps(&names.collect::<Vec<_>>())
            });
            for (side, clip, other, own, others) in
                [(Side::Gt, &gt, recon, &gt_gaps, &recon_gaps), (Side::Recon, recon, &gt, &recon_gaps, &gt_gaps)]
            {
                let counts = clip.len() < other.len() || !others.is_empty();
                let Some((first, _)) = own.first().filter(|_| counts && own != others) else {
                    continue;
                };
                let names = clip[0].names.iter().filter(|(axis, _)| **axis != Axis::Frame).map(|(_, name)| *name);
                let gap = FrameGap {
                    clip: [item].into_iter().chain(names).collect::<Vec<_>>().join("/"),
                    side,
                    first: *first,
                    n_missing: own.iter().map(|(_, n_missing)| n_missing).sum(),
                };
                if !found.contains(&gap) {
                    found.push(gap);
                }
            }
        }
    }
    found
}

/// Are these parts the frames of a clip?
fn is_clip(parts: &[&PartAt]) -> bool {
    parts[0].names.contains_key(&Axis::Frame)
}

fn clock(parts: &[&PartAt]) -> Clock {
    let times: Vec<Option<u32>> = parts.iter().map(|part| part.shown_for).collect();
    Clock::of(&times)
}

/// How long the clips of an item last, in microseconds, if they differ by more than a tenth.
fn unequally_long(gt: &[PartAt], recon: &[PartAt]) -> Option<Sides<u64>> {
    let lasts = |parts: &[PartAt]| clock(by_view_and_sample(parts).first()?).lasts();
    let lasting = Sides::new(lasts(gt)?, lasts(recon)?);
    let [short, long] = [lasting.gt.min(lasting.recon), lasting.gt.max(lasting.recon)];
    (10 * u128::from(long) > 11 * u128::from(short)).then_some(lasting)
}

/// Groups the parts that differ only in their frame, in order.
fn by_view_and_sample<'s, 'a>(parts: &'s [PartAt<'a>]) -> Vec<Vec<&'s PartAt<'a>>> {
    let is_same = |a: &PartAt, b: &PartAt| {
        let is_same = |axis: &Axis| a.names.get(axis) == b.names.get(axis);
        [Axis::View, Axis::Sample].iter().all(is_same)
    };
    parts.chunk_by(is_same).map(|group| group.iter().collect()).collect()
}

/// The clips of frames with these names, which end with the frame: the name of each clip, and the positions of its
/// frames.
///
/// ```
/// use neurogauge_core::pair::clips_of;
/// let stems = ["7/0", "7/1", "8/0"].map(str::to_owned);
/// assert_eq!(clips_of(&stems), [("7", 0..2), ("8", 2..3)]);
/// ```
pub fn clips_of(stems: &[String]) -> Vec<(&str, Range<usize>)> {
    let mut end = 0;
    let clips = stems.chunk_by(|a, b| item_of(a, 1) == item_of(b, 1));
    let clip = |frames: &'_ [String]| {
        let start = end;
        end += frames.len();
        start..end
    };
    let places: Vec<Range<usize>> = clips.map(clip).collect();
    places.into_iter().map(|places| (item_of(&stems[places.start], 1), places)).collect()
}

/// The item of a pair whose name ends with this many parts.
///
/// ```
/// use neurogauge_core::pair::item_of;
/// assert_eq!(item_of("runs/7/s1/0003", 2), "runs/7");
/// ```
pub fn item_of(stem: &str, n_axes: usize) -> &str {
    stem.rsplitn(n_axes + 1, '/').last().unwrap_or(stem)
}
