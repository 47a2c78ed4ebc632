//! A plan in words.

use crate::run_record::{RunRecord, Step};
use neurogauge_core::ObservationKind;
use std::fmt::{self, Write};

impl RunRecord {
    /// What the run observes, by what, of how many items, what it compares, and what it leaves out and why.
    pub fn explain(&self) -> String {
        let mut text = String::new();
        let mut section = |title: &str, lines: Vec<String>| {
            let _ = writeln!(text, "{title}");
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
        };
        let plan = self.plan.clone().unwrap_or_default();
        let steps: Vec<String> = plan.steps.iter().map(Step::to_string).collect();
        match steps.is_empty() {
            true => section("observe: nothing; all that is compared is there", steps),
            false => section("observe", steps),
        }
        let metrics = self.metrics.iter().map(|metric| {
            let mark = if metric.stand_in {
                ", rests on a placeholder"
            } else {
                ""
            };
            format!("{}: {}{mark}", metric.id, metric.origin)
        });
        section(
            &format!("compare {} pairs", self.n_pairs),
            metrics.collect(),
        );
        let left_out = plan.left_out.iter();
        let left_out = left_out.map(|left| format!("{}: {}", left.metric, left.reason));
        let left_out: Vec<String> = left_out.collect();
        if !left_out.is_empty() {
            section("leave out", left_out);
        }
        text
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.features.as_ref().unwrap_or(&self.model.id);
        let (reads, writes, n_items) = (self.reads, self.writes, self.n_items);
        let prompt = &self.recipe["prompt"]["id"];
        let asked = match prompt.as_str() {
            Some(prompt) => format!(" (asked, prompt {prompt})"),
            None => String::new(),
        };
        write!(
            f,
            "{writes} by {name}{asked}, of {reads}: {n_items} items, "
        )?;
        match (self.n_known, writes.kind) {
            (Some(n_known), _) => write!(f, "{n_known} known"),
            (None, ObservationKind::VqaScores) => {
                write!(
                    f,
                    "known once there are {}",
                    ObservationKind::Captions.noun()
                )
            }
            (None, ObservationKind::Masks) => {
                write!(
                    f,
                    "known once there are {}",
                    ObservationKind::Categories.noun()
                )
            }
            (None, _) => write!(f, "known once there are {}", reads.kind.noun()),
        }
    }
}
