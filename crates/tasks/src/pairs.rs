//! Which items of two files are compared, for everything that is no image.

use clap::Args;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{Form, PairedStems, Pairing, PairsOf, StemPattern, listed};
use neurogauge::core::words::{choice, word_of};
use neurogauge::core::{Finding, Sides};
use neurogauge::{Error, NamesIn, pair_names};
use serde::Serialize;
use std::path::Path;

/// Which items are compared, and what the decoded ones are called.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Args)]
pub struct PairsRequest {
    /// Which items are scored: `all`, where one without a partner is an error, or `shared`, those that all files have;
    /// the others are counted and named
    #[arg(long, value_parser = choice::<PairsOf>(), value_name = "WHICH", default_value = word_of(&PairsOf::default()), help_heading = "Inputs")]
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    pub pairs: PairsOf,
    /// What the decoded item of a stem is called, such as '{stem}_decoded' or '{number}' [default: the same; or the same
    /// without folder and ending, or with the same only number, where all meet so]
    #[arg(id = "match", long = "match", value_name = "PATTERN", help_heading = "Inputs")]
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub pattern: Option<StemPattern>,
}

/// One system's items.
pub(crate) struct SystemNames<'a> {
    pub(crate) system: &'a str,
    pub(crate) names: Vec<String>,
    pub(crate) path: &'a Path,
    /// What the files of both sides were taken for.
    pub(crate) form: Form,
}

/// The items that all systems have, in natural order.
pub(crate) struct SharedItems {
    /// Their positions among those of the truth.
    pub(crate) kept: Vec<usize>,
    /// Their positions in each system.
    pub(crate) of_systems: Vec<Vec<usize>>,
    pub(crate) findings: Vec<Finding>,
}

impl PairsRequest {
    pub(crate) fn pair(
        &self,
        what: (&'static str, Form),
        gt: NamesIn<'_>,
        recon: NamesIn<'_>,
    ) -> Result<(PairedStems, Vec<Finding>), Error> {
        let pairing = Pairing {
            pairs: self.pairs,
            pattern: self.pattern.clone(),
            ..Pairing::default()
        };
        pair_names(&pairing, what, gt, recon, &Sides::default())
    }

    /// Pairs every system with the truth. Systems are compared on the items that all of them have.
    pub(crate) fn pair_systems(
        &self,
        what: &'static str,
        gt: NamesIn<'_>,
        systems: &[SystemNames<'_>],
    ) -> Result<SharedItems, Error> {
        let mut findings = Vec::new();
        let mut partners: Vec<Vec<Option<usize>>> = Vec::new();
        let mut kept = Vec::new();
        for (place, items) in systems.iter().enumerate() {
            let names = (items.names.as_slice(), items.path);
            let (paired, found) = self.pair((what, items.form.clone()), gt, names)?;
            findings.extend(found.into_iter().map(|found| found.about(items.system)));
            let mut of_gt = vec![None; gt.0.len()];
            paired.pairs.iter().for_each(|pair| of_gt[pair.gt] = Some(pair.recon));
            if place == 0 {
                kept = paired.pairs.iter().map(|pair| pair.gt).collect();
            }
            partners.push(of_gt);
        }
        let is_shared = |item: &usize| partners.iter().all(|partner| partner[*item].is_some());
        let any = (0..gt.0.len()).filter(|&item| partners.iter().any(|partner| partner[item].is_some()));
        let lacking: Vec<&str> = any.filter(|item| !is_shared(item)).map(|item| gt.0[item].as_str()).collect();
        kept.retain(is_shared);
        if kept.is_empty() {
            let remedy = option("pairs", "shared");
            return Err(Error::Data(format!("no {what} are of one item in all systems; {remedy} needs one or more")));
        }
        if !lacking.is_empty() {
            let message = format!(
                "{} of {} are left out because not all systems have them: {}",
                lacking.len(),
                lacking.len() + kept.len(),
                listed(lacking.iter().copied())
            );
            findings.push(Finding::warning("without_other_systems", what, message));
        }
        let of_system = |partner: &Vec<Option<usize>>| kept.iter().filter_map(|&item| partner[item]).collect();
        Ok(SharedItems {
            of_systems: partners.iter().map(of_system).collect(),
            kept,
            findings,
        })
    }
}
