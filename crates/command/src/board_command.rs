//! `neurogauge board`.

use crate::args::*;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::formats::IoResult;
use neurogauge::{Error, Input};
use neurogauge_board::{Recipe, Verified, fetch, make, verify};

#[derive(Debug, Subcommand)]
pub(crate) enum BoardCommand {
    /// Write the site of entries
    ///
    /// An entry is the folder of a finished run of `neurogauge score` with a card.toml: system, subject, paper, code,
    /// data, licence, and what the paper printed
    Make(BoardMakeArgs),
    /// Compute entries from their inputs again
    ///
    /// Says whether all scores have the same bits or the same values, or which differ. Inputs must have the hashes that
    /// run.json records
    Verify(BoardVerifyArgs),
    /// Download files of others by a recipe
    ///
    /// A recipe has addresses and hashes of files, and the places of the cells where a file is a grid of pictures. Each
    /// file is checked before it is kept
    Fetch(BoardFetchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BoardFetchArgs {
    /// brainhub, brain-diffuser, mindeye-982, spurious-reconstruction, or a TOML file
    #[arg(value_name = "RECIPE")]
    pub(crate) recipe: String,
    /// Folder of the files
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct BoardMakeArgs {
    /// The board: TOML with title, about, entries (folders), metrics; mixed = true puts different stimuli in one table,
    /// pairs = true or false says whether there are files of all pairs
    #[arg(value_name = "BOARD")]
    pub(crate) board: PathBuf,
    /// Folder of the site
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) overwrite: OverwriteArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("gt", |arg| arg.help("Where the stimuli are now, or KIND=PATH: where their captions=FILE are. May be repeated")))]
#[command(mut_arg("recon", |arg| arg.help("Where the reconstructions are now, or KIND=PATH, likewise")))]
pub(crate) struct BoardVerifyArgs {
    /// Folders of entries
    #[arg(value_name = "ENTRY", required = true, num_args = 1..)]
    pub(crate) entries: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sides: SideArgs,
    /// WordNet 3.0's folder, for METEOR and BASIC-H
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub(crate) wordnet: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
}

pub(crate) fn run(command: &BoardCommand) -> Result<(), Error> {
    match command {
        BoardCommand::Make(args) => make_site(args),
        BoardCommand::Verify(args) => verify_entries(args),
        BoardCommand::Fetch(args) => fetch_files(args),
    }
}

fn make_site(args: &BoardMakeArgs) -> Result<(), Error> {
    let board = make(&args.board, &args.out, args.overwrite.overwrite, &Bars::default())?;
    board.findings.iter().for_each(output::warning);
    output::message(&format!(
        "{}: entries: {}, tables: {}",
        args.out.join("index.html").display(),
        board.entries.len(),
        board.tables.len()
    ));
    Ok(())
}

fn verify_entries(args: &BoardVerifyArgs) -> Result<(), Error> {
    let mut inputs = args.sides.paths.clone();
    inputs.set(Input::WordNet, args.wordnet.clone());
    let mut n_differing = 0;
    for entry in &args.entries {
        let temporary = tempfile::tempdir().when("creating", std::env::temp_dir())?;
        let settings = args.weights.settings(temporary.path().join("run"));
        let found = verify(entry, &inputs, &settings, &Bars::default());
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
