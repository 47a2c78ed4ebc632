//! The observations of a pair, as lines beside its images.

use itertools::Itertools;
use neurogauge::core::Side;
use neurogauge::{Error, PairViews};

/// The names of the sides in lines.
const NAMED: [(Side, &str); 2] = [(Side::Gt, "stimulus"), (Side::Recon, "reconstruction")];

/// The objects detected with at least this confidence, a line for each side.
pub(crate) fn object_lines(views: &PairViews, stem: &str, least: f64) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    for (side, name) in NAMED {
        let objects = objects(views, side, stem, least)?;
        lines.extend(objects.map(|objects| format!("{name}: {objects}")));
    }
    Ok(lines)
}

/// The first captions, a line for each side.
pub(crate) fn caption_lines(views: &PairViews, stem: &str) -> Vec<String> {
    let of = |(side, name)| Some(format!("{name}: {}", views.caption(side, stem)?));
    NAMED.into_iter().filter_map(of).collect()
}

/// The categories found with at least this confidence, the most confident first.
fn objects(views: &PairViews, side: Side, stem: &str, least: f64) -> Result<Option<String>, Error> {
    let Some(mut found) = views.detections(side, stem)? else {
        return Ok(None);
    };
    found.items.sort_by(|a, b| b.score.total_cmp(&a.score));
    let shown = found.items.iter().filter(|item| item.score >= least);
    let names = shown.filter_map(|item| views.labels.names().get(item.category)).unique().join(", ");
    Ok(Some(if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.replace('_', " ")
    }))
}
