//! Results that go beside an alignment, in the folder of its run.

use neurogauge::core::Warning;
use neurogauge::report::LatexStyle;
use neurogauge::report::figures::FigureOptions;
use neurogauge::{Error, Report};
use std::path::Path;

/// Writes a result's files and figures, or removes those figures where none are wanted; gives a warning for each that was not
/// drawn. Whether the folder is that of another run is for the alignment itself to say.
///
/// # Errors
/// Files that cannot be written or removed.
pub fn beside(
    found: &impl Report,
    out: &Path,
    figures: Option<&FigureOptions>,
    latex: LatexStyle,
) -> Result<Vec<Warning>, Error> {
    let not_drawn = match figures {
        Some(options) => found.write_figures(out, options)?,
        None => {
            found.remove_figures(out)?;
            Vec::new()
        }
    };
    found.write(out, latex)?;
    Ok(not_drawn)
}
