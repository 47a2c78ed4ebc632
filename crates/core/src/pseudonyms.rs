//! Names of raters in results, which others may see.

use crate::{Finding, counted};
use std::collections::{HashMap, HashSet};

/// Addresses of e-mail among the names of raters, and what results call these raters.
///
/// They are `rater-01`, `rater-02`, ... in the order in which the data name them first, so that one data set always gives
/// the same, and nothing of an address is left: a hash can be undone by trying addresses, and an alphabetical order by
/// whoever has the list. Other names stay as they are.
#[derive(Debug, Default)]
pub struct Pseudonyms<'a>(HashMap<&'a str, String>);

impl<'a> Pseudonyms<'a> {
    /// The pseudonyms of raters in the order of the data, where names may repeat; they begin with `start`.
    pub fn of(names: impl IntoIterator<Item = &'a str>, start: &str) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let taken: HashSet<&str> = names.iter().copied().collect();
        let mut free = (1..).map(|n| format!("{start}-{n:02}")).filter(|name| !taken.contains(name.as_str()));
        let mut pseudonyms = HashMap::new();
        for name in names.into_iter().filter(|name| has_address(name)) {
            pseudonyms.entry(name).or_insert_with(|| free.next().unwrap_or_default());
        }
        Pseudonyms(pseudonyms)
    }

    /// The name of a rater in results.
    pub fn name<'b>(&'b self, name: &'b str) -> &'b str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// A text that may name raters, as results have it.
    pub fn in_text(&self, text: &str) -> String {
        // An address may be the end of another.
        let mut known: Vec<(&&str, &String)> = self.0.iter().collect();
        known.sort_unstable_by_key(|(name, _)| (std::cmp::Reverse(name.len()), **name));
        known.into_iter().fold(text.to_owned(), |text, (name, pseudonym)| text.replace(name, pseudonym))
    }

    /// Says that results have pseudonyms, if there are any. `option` is the one that keeps the addresses.
    pub fn finding(&self, option: &str) -> Option<Finding> {
        let first = self.0.values().min()?;
        let message = format!("{} by e-mail address get pseudonyms ({first}, ...)", counted(self.0.len(), "rater"));
        Some(Finding::note("raters_renamed", "raters", message).advise(format!("{option} keeps addresses")))
    }
}

/// Is there an address of e-mail in the name?
fn has_address(name: &str) -> bool {
    let mut parts = name.split(|c: char| c.is_whitespace() || "<>()[]\"',;:".contains(c));
    let is_address = |part: &str| {
        let ends = part.split_once('@');
        ends.is_some_and(|(local, domain)| {
            let is_domain = domain.split('.').count() > 1 && domain.split('.').all(|label| !label.is_empty());
            !local.is_empty() && is_domain && !domain.contains('@')
        })
    };
    parts.any(is_address)
}
