//! Options of `neurogauge meta` on the stimuli of items.

use super::*;
use neurogauge::StimulusPattern;
use neurogauge_meta::StimuliFrom;

#[derive(Debug, Args)]
pub(crate) struct MetaStimulusArgs {
    /// Column of the ratings that names the stimulus of each item: items of one stimulus are drawn together
    #[arg(long, value_name = "NAME", conflicts_with_all = ["stimulus_pattern", "stimuli"])]
    pub(crate) stimulus_column: Option<String>,
    /// What rated items are called, with {stimulus} where their stimulus is named and * where anything may be, such as
    /// '*/{stimulus}'
    #[arg(long, value_name = "PATTERN", conflicts_with = "stimuli")]
    pub(crate) stimulus_pattern: Option<StimulusPattern>,
    /// Which items show the same stimulus, where neither a column nor a pattern says it
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) stimuli: StimuliArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StimuliArg {
    /// Those of several systems that share a part of their ids, such as system/0042 or 0042_system
    Auto,
    /// None: every item is drawn for itself
    Independent,
}

impl MetaStimulusArgs {
    pub(crate) fn source(&self) -> StimuliFrom {
        match (&self.stimulus_column, &self.stimulus_pattern, self.stimuli) {
            (Some(name), ..) => StimuliFrom::Column(name.clone()),
            (_, Some(pattern), _) => StimuliFrom::Pattern(pattern.clone()),
            (.., StimuliArg::Auto) => StimuliFrom::Auto,
            (.., StimuliArg::Independent) => StimuliFrom::Independent,
        }
    }
}
