//! Protocols: the field's test sets, and how a run is matched to one.

use crate::toml_from_str;
use neurogauge_formats::content_hash;
use neurogauge_formats::input_record::InputRecord;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A test set, with hashes that identify its stimuli.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    pub id: String,
    pub n_stimuli: usize,
    /// The ids, described in words.
    pub ids: String,
    /// SHA-256 of the ids in their order ([`ids_sha256`]).
    pub ids_sha256: String,
    /// The stimuli and their order, in words.
    pub stimuli: String,
    /// The subjects for which results are reported.
    pub subjects: String,
    /// Who uses it.
    pub used_by: String,
    /// Hashes of inputs that belong to these stimuli.
    #[serde(default)]
    pub known: Vec<KnownInput>,
}

/// An input that belongs to the stimuli of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownInput {
    /// Its role in `run.json`, such as `gt/captions`.
    pub role: String,
    /// SHA-256 of the input, as in `run.json`.
    pub sha256: String,
    pub what: String,
}

/// The protocol that a run matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunProtocol {
    pub id: String,
    /// SHA-256 of the ids of the run's pairs.
    pub ids_sha256: String,
    /// What matches: only the ids, or also the content of the stimuli's input.
    pub by: SameBy,
}

/// How a run was matched to a protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SameBy {
    /// The ids of the pairs and their order.
    Ids,
    /// The ids, and the SHA-256 of an input of the stimuli.
    IdsAndStimuli,
}

impl SameBy {
    pub fn label(self) -> &'static str {
        match self {
            SameBy::Ids => "by its ids",
            SameBy::IdsAndStimuli => "by its ids and the hash of its stimuli",
        }
    }
}

#[derive(Deserialize)]
struct File {
    protocols: Vec<Protocol>,
}

static PROTOCOLS: LazyLock<Vec<Protocol>> = LazyLock::new(|| {
    let file: Result<File, _> = toml_from_str("protocols.toml".as_ref(), include_str!("protocols.toml"));
    // A test checks that the file can be read.
    file.map(|file| file.protocols).unwrap_or_default()
});

impl Protocol {
    pub fn all() -> &'static [Protocol] {
        &PROTOCOLS
    }

    pub fn find(id: &str) -> Option<&'static Protocol> {
        PROTOCOLS.iter().find(|protocol| protocol.id == id)
    }

    /// The protocol with these ids in this order, and how a run with these inputs was matched to it.
    ///
    /// ```
    /// use neurogauge::Protocol;
    /// let ids: Vec<String> = (0..200).map(|place| format!("{place:03}")).collect();
    /// let (protocol, found) = Protocol::of(&ids, &[]).unwrap();
    /// assert_eq!((found.id.as_str(), protocol.n_stimuli), ("things-eeg2-200", 200));
    /// assert!(Protocol::of(&ids[1..], &[]).is_none());
    /// ```
    pub fn of(ids: &[String], inputs: &[InputRecord]) -> Option<(&'static Protocol, RunProtocol)> {
        // Hashes are computed only for runs with the right number of stimuli.
        let mut candidates = PROTOCOLS.iter().filter(|known| known.n_stimuli == ids.len());
        let ids_sha256 = ids_sha256(ids);
        let protocol = candidates.find(|known| known.ids_sha256 == ids_sha256)?;
        let is_known = |input: &InputRecord| {
            let mut known = protocol.known.iter();
            known.any(|known| (&known.role, &known.sha256) == (&input.role, &input.sha256))
        };
        let by = match inputs.iter().any(is_known) {
            true => SameBy::IdsAndStimuli,
            false => SameBy::Ids,
        };
        let id = protocol.id.clone();
        Some((protocol, RunProtocol { id, ids_sha256, by }))
    }
}

/// SHA-256 of ids in their order, each followed by a line feed. Whole numbers lose leading zeros, since files are
/// numbered with and without.
pub fn ids_sha256(ids: &[String]) -> String {
    let mut listing = String::new();
    for id in ids {
        match id.bytes().all(|byte| byte.is_ascii_digit()) {
            true => match id.trim_start_matches('0') {
                "" => listing.push('0'),
                digits => listing.push_str(digits),
            },
            false => listing.push_str(id),
        }
        listing.push('\n');
    }
    content_hash::of_bytes(listing.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_of_the_file_are_those_of_the_numbers() {
        assert_eq!(Protocol::all().len(), 4);
        for protocol in Protocol::all() {
            let ids: Vec<String> = (0..protocol.n_stimuli).map(|id| id.to_string()).collect();
            assert_eq!(protocol.ids_sha256, ids_sha256(&ids), "{}", protocol.id);
            assert_eq!(protocol.ids, format!("0 to {}", protocol.n_stimuli - 1));
            let mut turned = ids.clone();
            turned.swap(3, 4);
            assert_eq!(Protocol::of(&turned, &[]), None, "the order counts");
        }
    }

    #[test]
    fn the_hash_of_the_stimuli_is_looked_up() {
        let protocol = Protocol::find("nsd-982").unwrap();
        let ids: Vec<String> = (0..982).map(|id| id.to_string()).collect();
        let by = |role: &str, sha256: &str| {
            let input = InputRecord {
                sha256: sha256.to_owned(),
                ..InputRecord::of_hashes(role.to_owned(), "x".as_ref(), Vec::new())
            };
            Protocol::of(&ids, &[input]).unwrap().1.by
        };
        let known = &protocol.known[0];
        assert_eq!(by(&known.role, &known.sha256), SameBy::IdsAndStimuli);
        assert_eq!(by("recon/captions", &known.sha256), SameBy::Ids);
        assert_eq!(by(&known.role, &protocol.ids_sha256), SameBy::Ids);
    }
}
