//! Distinct file names for the site, of letters, digits and hyphens.

use neurogauge::formats::content_hash;
use std::collections::{BTreeMap, BTreeSet};

/// Hexadecimal digits of a hash that are added if two names have the same letters and digits.
const DIGITS: usize = 6;

/// The letters, digits and hyphens of a name.
fn slug(name: &str) -> String {
    let letters = name.chars().map(|c| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => '-',
    });
    letters.collect()
}

/// A file name for each of these names. Names with the same letters and digits, and names without any, get digits of
/// their SHA-256, so that no address depends on the order of names.
pub(crate) fn addresses<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, String> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let mut of_slugs: BTreeMap<String, usize> = BTreeMap::new();
    for name in &names {
        *of_slugs.entry(slug(name)).or_default() += 1;
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let is_alone = |slug: &str| of_slugs[slug] == 1 && slug.chars().any(|c| c != '-');
    for name in &names {
        let slug = slug(name);
        if is_alone(&slug) {
            taken.insert(slug);
        }
    }
    let address = |name: &&str| {
        let slug = slug(name);
        if is_alone(&slug) {
            return ((*name).to_owned(), slug);
        }
        let hash = content_hash::of_bytes(name.as_bytes());
        let mut candidates = (DIGITS..=hash.len()).map(|n| format!("{slug}-{}", &hash[..n]));
        let address = candidates.find(|candidate| !taken.contains(candidate)).unwrap_or(hash);
        taken.insert(address.clone());
        ((*name).to_owned(), address)
    };
    names.iter().map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_punctuation_have_different_addresses() {
        let found = addresses(["A+B", "A-B", "a b", "C", "模型", "另一"]);
        assert_eq!(found["C"], "c");
        let all: BTreeSet<&String> = found.values().collect();
        assert_eq!(all.len(), 6, "{found:?}");
        assert!(found["A+B"].starts_with("a-b-"), "{found:?}");
        // A name has the same address whichever similar names there are.
        assert_eq!(addresses(["A+B", "A*B"])["A+B"], found["A+B"]);
    }
}
