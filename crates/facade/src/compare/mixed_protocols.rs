//! Runs on different test sets, in which pairs of the same name show different stimuli.

use crate::Error;
use crate::protocol::Protocol;
use crate::score::Run;
use neurogauge_core::option_words::option;

/// Fails if runs have different protocols.
pub(super) fn refuse_mixed(runs: &[&Run], names: &[String]) -> Result<(), Error> {
    let protocol = |run: &Run| Protocol::of(run.stems(), &run.record.provenance.inputs).map(|(protocol, _)| protocol);
    let known = runs.iter().zip(names).filter_map(|(run, name)| Some((protocol(run)?, name)));
    let known: Vec<(&Protocol, &String)> = known.collect();
    let Some((first, first_name)) = known.first() else {
        return Ok(());
    };
    match known.iter().find(|(protocol, _)| protocol.id != first.id) {
        None => Ok(()),
        Some((other, name)) => Err(Error::Usage(format!(
            "{first_name} is of the protocol {} ({} stimuli) and {name} of {} ({}), so pairs of the same name may show different stimuli; \
             compare runs of one protocol, or give {} to compare pairs of the same name all the same",
            first.id,
            first.n_stimuli,
            other.id,
            other.n_stimuli,
            option("mixed", "")
        ))),
    }
}
