//! `neurogauge prompts`.

use crate::args::*;
use crate::output;
use neurogauge::Error;
use neurogauge::models::vlm::{BuiltInPrompt, PROMPTS};
use neurogauge::report::{Cell, Table};

#[derive(Debug, Args)]
pub(crate) struct PromptsArgs {
    /// Print the text of this prompt [default: list all]
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
}

pub(crate) fn run(args: &PromptsArgs) -> Result<(), Error> {
    match &args.id {
        Some(id) => {
            let prompt = BuiltInPrompt::find(id).map_err(Error::Usage)?;
            output::data(&format!("{}\n", prompt.text()))
        }
        None => output::data(&table().text(output::width())),
    }
}

/// One line for each prompt.
fn table() -> Table {
    let notes = ["`neurogauge prompts ID` prints the text. The first of each kind is asked where none is named"];
    Table::of(format!("{} prompts", PROMPTS.len()), PROMPTS.as_slice())
        .column("id", |prompt| Cell::text(prompt.id))
        .column("version", |prompt| Cell::text(prompt.version.to_string()))
        .column("asks for", |prompt| Cell::text(prompt.makes.noun()))
        .column("from", |prompt| Cell::text(prompt.source))
        .noted(notes.map(str::to_owned).to_vec())
}
