//! `neurogauge board` and `neurogauge protocols`.

use crate::args::{BoardCommand, BoardMakeArgs, BoardVerifyArgs, ProtocolsArgs, TableOrJson};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use neurogauge::core::{ObservationKind, Side};
use neurogauge::{Error, Input, InputPaths, RunSettings, load_run};
use neurogauge_board::{PROTOCOLS, Verified, make, protocol_of, verify};
use serde_json::json;

pub(crate) fn run(command: &BoardCommand) -> Result<(), Error> {
    match command {
        BoardCommand::Make(args) => make_site(args),
        BoardCommand::Verify(args) => verify_entries(args),
    }
}

fn make_site(args: &BoardMakeArgs) -> Result<(), Error> {
    let board = make(
        &args.board,
        &args.out,
        args.overwrite.overwrite,
        &Bars::default(),
    )?;
    output::message(&format!(
        "{}: entries: {}, tables: {}",
        args.out.join("index.html").display(),
        board.entries.len(),
        board.tables.len()
    ));
    Ok(())
}

fn verify_entries(args: &BoardVerifyArgs) -> Result<(), Error> {
    let moved = [
        (
            Input::Of(Side::Gt, ObservationKind::Captions),
            &args.gt_captions,
        ),
        (
            Input::Of(Side::Recon, ObservationKind::Captions),
            &args.recon_captions,
        ),
        (Input::GT, &args.gt),
        (Input::RECON, &args.recon),
        (Input::WordNet, &args.wordnet),
    ];
    let moved = moved.into_iter();
    let inputs: InputPaths = moved
        .filter_map(|(input, path)| Some((input, path.clone()?)))
        .collect();
    let mut n_differing = 0;
    for entry in &args.entries {
        let out = std::env::temp_dir().join(format!("neurogauge-verify-{}", std::process::id()));
        let settings = RunSettings {
            overwrite: true,
            ..settings(out.clone(), &args.weights)
        };
        let found = verify(entry, &inputs, &settings, &Bars::default());
        // It is in the folder of temporary files anyway.
        let _ = std::fs::remove_dir_all(&out);
        let entry = entry.display();
        match found? {
            Verified::SameBits => output::data(&format!("{entry}: same bits\n"))?,
            Verified::SameValues(share) => output::data(&format!(
                "{entry}: same values; the largest difference is {share:e} of the value\n"
            ))?,
            Verified::Differs(differences) => {
                n_differing += 1;
                output::data(&format!(
                    "{entry}: differs\n  {}\n",
                    differences.join("\n  ")
                ))?;
            }
        }
    }
    match n_differing {
        0 => Ok(()),
        n => Err(Error::EntriesDiffer { n }),
    }
}

/// Lists the protocols, or says which of them runs equal.
pub(crate) fn protocols(args: &ProtocolsArgs) -> Result<(), Error> {
    let mut of_runs = Vec::new();
    for run in &args.runs {
        let pairs = load_run(run)?.scores.pairs;
        of_runs.push((run.display().to_string(), pairs.len(), protocol_of(&pairs)));
    }
    match (args.format, args.runs.is_empty()) {
        (TableOrJson::Json, true) => output::document(&format!("{:#}\n", json!(PROTOCOLS))),
        (TableOrJson::Json, false) => {
            let runs = of_runs.iter();
            let runs = runs.map(|(run, n, found)| {
                json!({"run": run, "pairs": n, "protocol": found.map(|found| found.id)})
            });
            output::document(&format!("{:#}\n", json!(runs.collect::<Vec<_>>())))
        }
        (TableOrJson::Table, true) => {
            let all = PROTOCOLS.iter().map(|protocol| {
                format!(
                    "{}\n  stimuli   {}: {}\n  subjects  {}\n  used by   {}\n",
                    protocol.id,
                    protocol.n_stimuli,
                    protocol.stimuli,
                    protocol.subjects,
                    protocol.used_by
                )
            });
            output::data(&all.collect::<Vec<String>>().join("\n"))
        }
        (TableOrJson::Table, false) => {
            let lines = of_runs.iter().map(|(run, n, found)| match found {
                Some(found) => format!("{run}: {n} pairs, numbered as {}\n", found.id),
                None => format!("{run}: {n} pairs, of no known protocol\n"),
            });
            output::data(&lines.collect::<String>())
        }
    }
}
