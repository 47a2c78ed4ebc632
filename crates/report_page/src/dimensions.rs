//! BASIC-H by dimension: of one run, or of several side by side with their differences.

use crate::inputs::Inputs;
use crate::markdown_tables::to_html;
use maud::{Markup, html};
use neurogauge::Error;
use neurogauge::report::{Format, Table};

/// The section's content; empty without any.
pub(crate) fn section(inputs: &Inputs) -> Result<Markup, Error> {
    let compared = inputs.comparison.as_ref();
    let mut tables: Vec<Table> =
        compared.map_or_else(Vec::new, |comparison| comparison.dimension_tables(Format::Markdown));
    if tables.is_empty() {
        for system in &inputs.systems {
            tables.extend(system.run.dimension_table()?);
        }
    }
    Ok(html! { @for table in tables { (to_html(&table.markdown())) } })
}
