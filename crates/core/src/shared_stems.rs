//! Finds the items that show the same stimulus, from their names.

use std::collections::HashMap;

/// Characters that separate the parts of a name.
const SEPARATORS: [char; 7] = ['/', '_', '-', '.', ' ', '|', ':'];
/// If a name has more parts, the first ones (or the last ones) count as one.
const MOST_PARTS: usize = 6;
/// From this share of all possible combinations of group and stimulus, a design counts as nearly complete.
const NEAR_COMPLETE: f64 = 0.5;
/// Below this share, parts that names have in common are coincidence.
const NOTABLE: f64 = 0.1;

/// Names of a crossed design, in which several groups of items (systems, subjects) share stimuli.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedStems {
    /// The part of each name that several groups share.
    pub stimuli: Vec<String>,
    pub n_stimuli: usize,
    /// The number of groups, named by the rest of the names.
    pub n_groups: usize,
    /// Can only these parts be the stimuli? If not, others are nearly as likely.
    pub is_clear: bool,
    /// The character before the last part of the first name.
    pub separator: char,
}

/// One way to divide the parts of names into group and stimulus.
struct Division {
    stimuli: Vec<u32>,
    n_stimuli: usize,
    n_groups: usize,
    is_near_complete: bool,
    is_clear: bool,
}

/// The stimuli in names such as `system/0042`, `0042_system` or `subj01-system-0042`, which several groups of items
/// share; `None` if no parts of the names are crossed.
///
/// Names are split at `/ _ - . |`, spaces and colons. All ways to divide the varying parts into group and stimulus are
/// tried. Those count in which stimuli occur in most groups, and of these the ones with fewest parts; the stimulus is
/// the part with most values. The result is clear if the stimulus has twice as many values as any other part, or
/// equally many but is the only number or follows the folders. Names with folders may also share only a few stimuli.
pub fn shared_stems(names: &[impl AsRef<str>]) -> Option<SharedStems> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let cut: Vec<Vec<(usize, &str)>> = names.iter().map(|name| parts(name)).collect();
    let n_parts = cut.iter().map(Vec::len).min()?.min(MOST_PARTS);
    let &(last, _) = cut[0].last()?;
    let separator = names[0][..last].chars().next_back()?;
    let is_even = cut.iter().all(|parts| parts.len() == n_parts);
    let sides: &[bool] = if is_even { &[true] } else { &[true, false] };
    let divisions = sides.iter().flat_map(|&from_end| {
        let columns = columns(&names, &cut, n_parts, from_end);
        let divisions = divisions(&columns, names.len());
        divisions
            .into_iter()
            .map(move |(places, division)| {
                let label = |item: usize| {
                    places.iter().map(|&place| columns[place].texts[item]).collect::<Vec<&str>>().join("/")
                };
                ((0..division.stimuli.len()).map(label).collect(), division)
            })
            .collect::<Vec<(Vec<String>, Division)>>()
    });
    let (stimuli, found) =
        divisions.max_by_key(|(_, division)| (division.is_clear, division.is_near_complete, division.n_stimuli))?;
    Some(SharedStems {
        stimuli,
        n_stimuli: found.n_stimuli,
        n_groups: found.n_groups,
        is_clear: found.is_clear,
        separator,
    })
}

/// The parts of a name, with their positions.
fn parts(name: &str) -> Vec<(usize, &str)> {
    let start = |part: &str| part.as_ptr() as usize - name.as_ptr() as usize;
    name.split(SEPARATORS).filter(|part| !part.is_empty()).map(|part| (start(part), part)).collect()
}

/// The parts of all names at one position.
struct Column<'a> {
    texts: Vec<&'a str>,
    /// Equal parts have equal ids.
    ids: Vec<u32>,
    n_values: usize,
    /// Are all parts whole numbers?
    is_number: bool,
    /// Does each part follow the last `/` of its name?
    is_behind_folders: bool,
}

/// The parts that differ between names, counted from the end of names or from their start.
fn columns<'a>(names: &[&'a str], cut: &[Vec<(usize, &'a str)>], n: usize, from_end: bool) -> Vec<Column<'a>> {
    let column = |place: usize| {
        let part = |(name, parts): (&&'a str, &Vec<(usize, &'a str)>)| {
            let more = parts.len() - n;
            let (first, last) = match from_end {
                true => (if place == 0 { 0 } else { place + more }, place + more),
                false => (place, if place + 1 == n { place + more } else { place }),
            };
            let end = parts[last].0 + parts[last].1.len();
            (parts[first].0, &name[parts[first].0..end])
        };
        let found: Vec<(usize, &str)> = names.iter().zip(cut).map(part).collect();
        let texts: Vec<&str> = found.iter().map(|(_, text)| *text).collect();
        let behind = |(name, (start, _)): (&&str, &(usize, &str))| name.rfind('/').is_some_and(|slash| slash < *start);
        let (ids, n_values) = numbered(texts.iter());
        Column {
            ids,
            n_values,
            is_number: texts.iter().all(|text| text.bytes().all(|byte| byte.is_ascii_digit())),
            is_behind_folders: names.iter().zip(&found).all(behind),
            texts,
        }
    };
    let mut columns: Vec<Column<'_>> = (0..n).map(column).collect();
    columns.retain(|column| column.n_values > 1);
    columns
}

/// Numbers the distinct values; also returns how many there are.
fn numbered<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> (Vec<u32>, usize) {
    let mut known: HashMap<T, u32> = HashMap::new();
    let ids = values.map(|value| {
        let next = known.len() as u32;
        *known.entry(value).or_insert(next)
    });
    (ids.collect(), known.len())
}

/// All ways in which groups share stimuli, except those that only add parts to the stimulus of a nearly complete one.
fn divisions(columns: &[Column<'_>], n: usize) -> Vec<(Vec<usize>, Division)> {
    let joint = |mask: u32| {
        let own = (0..columns.len()).filter(|place| mask >> place & 1 == 1);
        let key = |item: usize| own.clone().map(|place| columns[place].ids[item]).collect::<Vec<u32>>();
        numbered((0..n).map(key))
    };
    let all = (1_u32 << columns.len()) - 1;
    let mut masks: Vec<u32> = (1..all).collect();
    masks.sort_by_key(|mask| mask.count_ones());
    let mut minimal: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for mask in masks {
        if minimal.iter().any(|known| known & mask == *known) {
            continue;
        }
        let ((stimuli, n_stimuli), (_, n_groups)) = (joint(mask), joint(all ^ mask));
        if n_stimuli < 2 || n_groups < 2 || n <= n_stimuli || n <= n_groups {
            continue;
        }
        let filled = (n as f64 / n_stimuli as f64 - 1.0) / (n_groups as f64 - 1.0);
        let is_near_complete = filled >= NEAR_COMPLETE;
        let (own, others): (Vec<usize>, Vec<usize>) = (0..columns.len()).partition(|place| mask >> place & 1 == 1);
        let is_last = own.iter().all(|&place| columns[place].is_behind_folders)
            && others.iter().all(|&place| !columns[place].is_behind_folders);
        if !is_near_complete && !is_last && filled < NOTABLE {
            continue;
        }
        if is_near_complete {
            minimal.push(mask);
        }
        let has_number = |places: &[usize]| places.iter().any(|&place| columns[place].is_number);
        let rival = others.iter().map(|&place| columns[place].n_values).max().unwrap_or(0);
        let times = match (has_number(&own), has_number(&others)) {
            _ if is_last => 1,
            (true, false) => 1,
            // Beside words, numbers are systems only if there are few of them.
            (false, true) => 10,
            _ => 2,
        };
        let is_clear = (is_near_complete || is_last) && n_stimuli >= times * rival;
        found.push((
            own,
            Division {
                stimuli,
                n_stimuli,
                n_groups,
                is_near_complete,
                is_clear,
            },
        ));
    }
    found
}
