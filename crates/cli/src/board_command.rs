//! `neurogauge board` and `neurogauge protocols`.

use crate::args::{BoardCommand, BoardFetchArgs, BoardMakeArgs, BoardVerifyArgs, ProtocolsArgs, TableOrJson};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use neurogauge::core::{ObservationKind, Side};
use neurogauge::{Error, Input, InputPaths, Protocol, RunSettings, ids_sha256, load_run};
use neurogauge_board::{Recipe, Verified, fetch, make, verify};
use serde_json::json;

pub(crate) fn run(command: &BoardCommand) -> Result<(), Error> {
    match command {
        BoardCommand::Make(args) => make_site(args),
        BoardCommand::Verify(args) => verify_entries(args),
        BoardCommand::Fetch(args) => fetch_files(args),
    }
}

fn make_site(args: &BoardMakeArgs) -> Result<(), Error> {
    let board = make(&args.board, &args.out, args.overwrite.overwrite, &Bars::default())?;
    for warning in &board.findings {
        output::warning(&warning.to_string());
    }
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
        (Input::Of(Side::Gt, ObservationKind::Detections), &args.gt_detections),
        (Input::Of(Side::Recon, ObservationKind::Detections), &args.recon_detections),
        (Input::Of(Side::Gt, ObservationKind::Captions), &args.gt_captions),
        (Input::Of(Side::Recon, ObservationKind::Captions), &args.recon_captions),
        (Input::GT, &args.gt),
        (Input::RECON, &args.recon),
        (Input::WordNet, &args.wordnet),
    ];
    let moved = moved.into_iter();
    let inputs: InputPaths = moved.filter_map(|(input, path)| Some((input, path.clone()?))).collect();
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
            Verified::SameValues(share) => {
                output::data(&format!("{entry}: same values; the largest difference is {share:e} of the value\n"))?;
            }
            Verified::Differs(differences) => {
                n_differing += 1;
                output::data(&format!("{entry}: differs\n  {}\n", differences.join("\n  ")))?;
            }
        }
    }
    match n_differing {
        0 => Ok(()),
        n => Err(Error::Data(format!("{n} of the entries above do not have the scores that their inputs give"))),
    }
}

fn fetch_files(args: &BoardFetchArgs) -> Result<(), Error> {
    let recipe = Recipe::open(&args.recipe)?;
    output::message(&format!("{}\nlicence: {}", recipe.title, recipe.licence));
    if let Some(caution) = &recipe.caution {
        output::message(&format!("note: {caution}"));
    }
    for file in fetch(&recipe, &args.out, &Bars::default())? {
        let how = match file.was_here {
            true => "here already",
            false => "fetched",
        };
        let cut = match file.n_cut {
            0 => String::new(),
            n => format!(", cut into {n} pictures"),
        };
        output::data(&format!("{}: {how}, hash as published{cut}\n", file.path.display()))?;
    }
    Ok(())
}

/// Lists the protocols, or says which of them runs equal.
pub(crate) fn protocols(args: &ProtocolsArgs) -> Result<(), Error> {
    let mut of_runs = Vec::new();
    for run in &args.runs {
        let path = run.display().to_string();
        let run = load_run(run)?;
        let found = Protocol::of(&run.scores.pairs, &run.record.provenance.inputs);
        let ids = ids_sha256(&run.scores.pairs);
        of_runs.push((path, run.scores.pairs.len(), ids, found.map(|(_, found)| found)));
    }
    match (args.format, args.runs.is_empty()) {
        (TableOrJson::Json, true) => output::document(&format!("{:#}\n", json!(Protocol::all()))),
        (TableOrJson::Json, false) => {
            let runs = of_runs.iter();
            let runs = runs.map(|(run, n, ids, found)| {
                let protocol = found.as_ref().map(|found| &found.id);
                let by = found.as_ref().map(|found| found.by);
                json!({"run": run, "pairs": n, "ids_sha256": ids, "protocol": protocol, "by": by})
            });
            output::document(&format!("{:#}\n", json!(runs.collect::<Vec<_>>())))
        }
        (TableOrJson::Table, true) => {
            let all = Protocol::all().iter().map(|protocol| {
                let known = protocol.known.iter();
                let known = known.map(|known| format!("\n  known     {} = {}", known.role, known.what));
                format!(
                    "{}\n  stimuli   {}: {}\n  ids       {}, SHA-256 {}\n  subjects  {}\n  used by   {}{}\n",
                    protocol.id,
                    protocol.n_stimuli,
                    protocol.stimuli,
                    protocol.ids,
                    protocol.ids_sha256,
                    protocol.subjects,
                    protocol.used_by,
                    known.collect::<String>()
                )
            });
            output::data(&all.collect::<Vec<String>>().join("\n"))
        }
        (TableOrJson::Table, false) => {
            let lines = of_runs.iter().map(|(run, n, _, found)| match found {
                Some(found) => format!("{run}: {n} pairs, {} {}\n", found.id, found.by.label()),
                None => format!("{run}: {n} pairs, of no known protocol\n"),
            });
            output::data(&lines.collect::<String>())
        }
    }
}
