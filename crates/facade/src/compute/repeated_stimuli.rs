//! Pairs that show the same stimulus (convention `identification-copies`).

use super::PartedItems;
use crate::Error;
use crate::dataset::{Dataset, of_pairs};
use neurogauge_core::name_pattern::StimulusPattern;
use neurogauge_core::option_words::option;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Role, Side};
use neurogauge_formats::FormatError;
use neurogauge_formats::features::StoredFeatures;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// For each item (each pair, if no item has parts), the first item with the same stimulus. With a pattern, stimuli are
/// equal if their names are. Otherwise they are equal if their images have the same bytes or, if no images were read,
/// if their rows are equal in the feature matrices of all `models`; for items with parts, all parts must be equal in
/// the same order.
pub(super) fn stimuli(
    dataset: &Dataset,
    items: Option<&PartedItems>,
    pattern: Option<&StimulusPattern>,
    models: &[&str],
) -> Result<Vec<usize>, Error> {
    let stems = items.map_or(&dataset.stems, |items| &items.stems);
    if let Some(pattern) = pattern {
        let named = |stem: &String| match pattern.of(stem) {
            Some(stimulus) => Ok(stimulus.to_owned()),
            None => Err(Error::Usage(format!(
                "the pair {stem:?} is not called as {} says; expected a pattern that all pairs follow, with {{stimulus}} where the \
                 stimulus is named and * where anything may be",
                option("stimulus-pattern", &pattern.to_string())
            ))),
        };
        let named: Vec<String> = stems.iter().map(named).collect::<Result<_, _>>()?;
        return Ok(first_of_each(named.into_iter()));
    }
    let of_pairs = match dataset.input(Role::images(Side::Gt)) {
        Some(record) => {
            let hashes = record.hashes();
            let stems = dataset.stems.iter().enumerate();
            let content = stems.map(|(place, stem)| match hashes.get(stem.as_str()) {
                Some(hash) => (*hash, None),
                None => ("", Some(place)),
            });
            first_of_each(content)
        }
        None => equal_rows(dataset, models)?,
    };
    let Some(items) = items else {
        return Ok(of_pairs);
    };
    // The stimuli of an item's parts, each listed once: samples share theirs.
    let mut shown: Vec<Vec<usize>> = vec![Vec::new(); items.stems.len()];
    for (stimulus, &item) in of_pairs.into_iter().zip(items.parts.item_of()) {
        if !shown[item].contains(&stimulus) {
            shown[item].push(stimulus);
        }
    }
    Ok(first_of_each(shown.into_iter()))
}

/// For each pair, the first pair whose stimulus has equal rows in the feature matrices of all models.
fn equal_rows(dataset: &Dataset, models: &[&str]) -> Result<Vec<usize>, Error> {
    let mut matrices: Vec<(&StoredFeatures, Vec<usize>)> = (models.iter())
        .filter_map(|model| dataset.features_of(model))
        .map(|features| {
            let rows = features.pairs.iter().map(|pair| pair.gt).collect();
            let rows = of_pairs(&dataset.stems, &features.pairs, rows);
            (&features.sides.gt, rows)
        })
        .collect();
    // Shortest rows first: rows that differ there need not be read from the other matrices.
    matrices.sort_by_key(|(features, _)| features.n_features());
    let mut stimuli: Vec<usize> = vec![0; dataset.stems.len()];
    if matrices.is_empty() {
        return Ok((0..stimuli.len()).collect());
    }
    for (features, rows) in matrices {
        let mut sizes: HashMap<usize, usize> = HashMap::new();
        for stimulus in &stimuli {
            *sizes.entry(*stimulus).or_default() += 1;
        }
        let key = |(pair, stimulus): (usize, &usize)| -> Result<_, FormatError> {
            stop_if_asked();
            let is_known = features.has(rows[pair]) && sizes[stimulus] > 1;
            let values = match is_known {
                true => Some(digest(features, rows[pair])?),
                false => None,
            };
            Ok((*stimulus, values, values.is_none().then_some(pair)))
        };
        let keys = parallel::try_map(stimuli.len(), |place| key((place, &stimuli[place])))?;
        stimuli = first_of_each(keys.into_iter());
    }
    Ok(stimuli)
}

/// The position of the first item of each content.
fn first_of_each<T: Eq + Hash>(contents: impl Iterator<Item = T>) -> Vec<usize> {
    let mut first: HashMap<T, usize> = HashMap::new();
    contents.enumerate().map(|(place, content)| *first.entry(content).or_insert(place)).collect()
}

/// A digest of all values of a row; two different rows collide with probability 2⁻⁶⁴.
fn digest(features: &StoredFeatures, row: usize) -> Result<u64, FormatError> {
    let mut hasher = DefaultHasher::new();
    let values = features.values(row, 0..features.n_features())?;
    // Adding 0 turns -0 into +0.
    values.for_each(|value| hasher.write_u64((value + 0.0).to_bits()));
    Ok(hasher.finish())
}

/// The stems of the pairs of each stimulus that more than one pair shows.
pub(super) fn repeated(stems: &[String], stimuli: &[usize]) -> Vec<Vec<String>> {
    let mut of_stimulus: Vec<Vec<String>> = vec![Vec::new(); stems.len()];
    for (stem, &stimulus) in stems.iter().zip(stimuli) {
        of_stimulus[stimulus].push(stem.clone());
    }
    of_stimulus.retain(|stems| stems.len() > 1);
    of_stimulus
}
