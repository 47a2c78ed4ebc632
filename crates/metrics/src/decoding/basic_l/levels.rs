//! The masks of both images at each level.

use super::options::{BasicLOptions, BinaryBackground, InstanceNames, MaskResize};
use super::roles::{Role, Roles};
use crate::MetricError;
use crate::error::check_confidence;
use crate::masks::union;
use neurogauge_core::option_words::option;
use neurogauge_core::{Mask, Masks, Side};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A granularity at which masks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// All foreground objects as one mask (F).
    Salient,
    /// One mask for the foreground and one for the background (B).
    Binary,
    /// One mask for each name of an object or a background element (S).
    Semantic,
    /// One mask for each object (I).
    Instance,
    /// One mask for each name of a part (P).
    Part,
}

/// A mask that is compared at a level.
pub(super) struct LevelMask<'a> {
    /// Number of the name.
    pub(super) category: usize,
    pub(super) mask: Cow<'a, Mask>,
    pub(super) score: f64,
    /// Its position in the file, at the instance level.
    pub(super) item: usize,
}

/// The masks of both images at a level, each by category.
pub(super) struct Sides<'a> {
    pub(super) gt: Vec<LevelMask<'a>>,
    pub(super) recon: Vec<LevelMask<'a>>,
    names: Vec<String>,
}

impl Level {
    pub fn id(self) -> &'static str {
        match self {
            Level::Salient => "salient",
            Level::Binary => "binary",
            Level::Semantic => "semantic",
            Level::Instance => "instance",
            Level::Part => "part",
        }
    }
}

impl Sides<'_> {
    /// The name of a mask in details; an object's name includes its position in the file.
    pub(super) fn name(&self, mask: &LevelMask<'_>, level: Level) -> String {
        let name = self.category(mask);
        match level {
            Level::Instance => format!("{name} #{}", mask.item),
            _ => name,
        }
    }

    /// The name of a mask's category.
    pub(super) fn category(&self, mask: &LevelMask<'_>) -> String {
        self.names.get(mask.category).cloned().unwrap_or_default()
    }

    /// The side that has no mask; the reference if neither has one.
    pub(super) fn empty_side(&self) -> Option<Side> {
        match (self.gt.is_empty(), self.recon.is_empty()) {
            (true, _) => Some(Side::Gt),
            (false, true) => Some(Side::Recon),
            (false, false) => None,
        }
    }
}

pub(super) fn sides<'a>(
    gt: &'a Masks,
    recon: &'a Masks,
    level: Level,
    options: &BasicLOptions,
) -> Result<Sides<'a>, MetricError> {
    options.check()?;
    let roles = Roles::of(gt, recon, options.categories);
    let gt_items = items(gt, gt.size_px, Side::Gt, &roles, options)?;
    let recon_items = items(recon, gt.size_px, Side::Recon, &roles, options)?;
    let at_level = |items| match level {
        Level::Salient => united(items, |item| item.role.object.then_some(0)),
        Level::Binary => binary(items, gt.size_px, options.background),
        Level::Semantic => united(items, |item| (item.role.object || item.role.background).then_some(item.name)),
        Level::Part => united(items, |item| item.role.part.then_some(item.name)),
        Level::Instance => Ok(instances(items, options.instances)),
    };
    let names = match level {
        Level::Salient | Level::Binary => ["foreground", "background"].map(str::to_owned).into(),
        Level::Semantic | Level::Instance | Level::Part => roles.names(),
    };
    Ok(Sides {
        gt: at_level(gt_items)?,
        recon: at_level(recon_items)?,
        names,
    })
}

struct Item<'a> {
    name: usize,
    role: Role,
    mask: Cow<'a, Mask>,
    score: f64,
    item: usize,
}

/// All masks that can count, at the reference's size.
fn items<'a>(
    masks: &'a Masks,
    size_px: (u32, u32),
    side: Side,
    roles: &Roles,
    options: &BasicLOptions,
) -> Result<Vec<Item<'a>>, MetricError> {
    check_size(masks, size_px, options)?;
    let mut items = Vec::new();
    for (index, item) in masks.items.iter().enumerate() {
        check_confidence("mask", index, side, item.score)?;
        let Some((name, role)) = roles.find(&item.name) else {
            continue;
        };
        if item.score < options.min_score {
            continue;
        }
        let mask = if item.mask.size_px() == size_px {
            Cow::Borrowed(&item.mask)
        } else {
            Cow::Owned(item.mask.resized(size_px.1, size_px.0)?)
        };
        if !mask.is_empty() {
            items.push(Item {
                name,
                role,
                mask,
                score: item.score,
                item: index,
            });
        }
    }
    Ok(items)
}

/// Fails if the size differs and resizing is not allowed.
fn check_size(masks: &Masks, size_px: (u32, u32), options: &BasicLOptions) -> Result<(), MetricError> {
    if masks.size_px == size_px || options.resize == MaskResize::Nearest {
        return Ok(());
    }
    let (gt, recon) = (size_px, masks.size_px);
    Err(MetricError::Data(format!(
        "the masks of the stimulus are of an image of {} x {} px and those of the reconstruction of one of {} x {} px; \
         segment images of one size, or take the nearest pixels with {}",
        gt.0,
        gt.1,
        recon.0,
        recon.1,
        option("mask-resize", "nearest")
    )))
}

/// The masks of a reconstruction as they are compared with a reference of this size (convention
/// `mask-size`).
///
/// **Errors.** The size differs and resizing is not allowed.
pub fn at_reference_size<'a>(
    recon: &'a Masks,
    size_px: (u32, u32),
    options: &BasicLOptions,
) -> Result<Cow<'a, Masks>, MetricError> {
    check_size(recon, size_px, options)?;
    if recon.size_px == size_px {
        return Ok(Cow::Borrowed(recon));
    }
    let mut resized = recon.clone();
    resized.size_px = size_px;
    for item in &mut resized.items {
        item.mask = item.mask.resized(size_px.1, size_px.0)?;
    }
    Ok(Cow::Owned(resized))
}

/// The union of the masks of each category. Its score is the highest score of its masks.
fn united<'a>(
    items: Vec<Item<'a>>,
    category: impl Fn(&Item<'_>) -> Option<usize>,
) -> Result<Vec<LevelMask<'a>>, MetricError> {
    let mut groups: BTreeMap<usize, Vec<Item<'a>>> = BTreeMap::new();
    for item in items {
        if let Some(category) = category(&item) {
            groups.entry(category).or_default().push(item);
        }
    }
    let mut masks = Vec::new();
    for (category, group) in groups {
        let score = group.iter().map(|item| item.score).fold(0.0, f64::max);
        if let Some(mask) = union(group.iter().map(|item| item.mask.as_ref()))? {
            masks.push(LevelMask {
                category,
                mask: Cow::Owned(mask),
                score,
                item: 0,
            });
        }
    }
    Ok(masks)
}

/// Foreground is category 0, background category 1.
fn binary<'a>(
    items: Vec<Item<'a>>,
    (width_px, height_px): (u32, u32),
    background: BinaryBackground,
) -> Result<Vec<LevelMask<'a>>, MetricError> {
    let mut masks = united(items, |item| match item.role {
        Role { object: true, .. } => Some(0),
        Role { background: true, .. } if background == BinaryBackground::Elements => Some(1),
        _ => None,
    })?;
    if background == BinaryBackground::Complement
        && let Some(foreground) = masks.first()
    {
        let mut runs = foreground.mask.runs().to_vec();
        // Outside pixels become inside ones: either one more run in front, or the empty first run is removed.
        if runs.first() == Some(&0) {
            runs.remove(0);
        } else {
            runs.insert(0, 0);
        }
        let mask = Mask::from_runs(height_px, width_px, runs)?;
        let score = foreground.score;
        if !mask.is_empty() {
            masks.push(LevelMask {
                category: 1,
                mask: Cow::Owned(mask),
                score,
                item: 0,
            });
        }
    }
    Ok(masks)
}

fn instances(items: Vec<Item<'_>>, names: InstanceNames) -> Vec<LevelMask<'_>> {
    let is_instance = |role: Role| role.object || (role.background && names == InstanceNames::All);
    let wanted = items.into_iter().filter(|item| is_instance(item.role));
    wanted
        .map(|item| LevelMask {
            category: item.name,
            mask: item.mask,
            score: item.score,
            item: item.item,
        })
        .collect()
}
