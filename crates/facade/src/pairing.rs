//! Pairs the items of two files or folders, and says what the user must know about it.

use crate::Error;
use neurogauge_core::inspection::content::left_out;
use neurogauge_core::pair::{Form, FrameTimes, Met, PairedStems, Pairing, PairsOf};
use neurogauge_core::{Finding, Sides, TakenFor};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::item_source::ItemSource;
use std::path::Path;

/// The names of a side's items, and the file or folder that they come from.
pub type NamesIn<'a> = (&'a [String], &'a Path);

/// Pairs items, and finds what is left out and how names met that are not equal; `what` is the plural of the items, and
/// `form` what their files were taken for.
///
/// # Errors
/// [`Error::Pairing`], with the option that would pair them.
pub fn pair_names(
    pairing: &Pairing,
    (what, form): (&'static str, Form),
    gt: NamesIn<'_>,
    recon: NamesIn<'_>,
    times: &Sides<FrameTimes>,
) -> Result<(PairedStems, Vec<Finding>), Error> {
    // The list of trials names the images of reconstructions.
    let list = pairing.trials.as_ref().map(|trials| trials.file.as_path());
    let named_in = list.filter(|list| !list.as_os_str().is_empty()).unwrap_or(recon.1);
    let paired = pairing.pair_timed(gt.0, recon.0, times).map_err(Error::pairing(what, gt.1, named_in))?;
    let mut findings = left_out(&paired, what);
    let taken = TakenFor {
        form,
        ..paired.taken.clone()
    };
    findings.push(taken.finding(what, "match"));
    findings.extend(paired.trials.iter().cloned());
    Ok((paired, findings))
}

/// Pairs images, the frames of clips by the times at which they are shown.
///
/// # Errors
/// As [`pair_names`].
pub fn pair_images(
    pairing: &Pairing,
    gt: &ImageSource,
    recon: &ImageSource,
) -> Result<(PairedStems, Vec<Finding>), Error> {
    let form = Form::of_both(Sides::new(gt.taken_for(), recon.taken_for()));
    let times = Sides::new(gt.frame_times(), recon.frame_times());
    pair_names(pairing, ("images", form), (gt.stems(), gt.path()), (recon.stems(), recon.path()), &times)
}

/// The names of these items among the known ones, where they are not equal but meet without a question.
pub(crate) fn known_names(known: &[String], names: &[String]) -> Vec<String> {
    let mut found = names.to_vec();
    let met = Met::of(known, names, PairsOf::Shared);
    if met.join.is_guess() {
        for (name, place) in known.iter().zip(met.partners) {
            if let Some(place) = place {
                found[place] = name.clone();
            }
        }
    }
    found
}
