//! `neurogauge align`.

use crate::args::{AlignArgs, SimulateArg};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use neurogauge::align::{AlignConfig, Balance, SimulatedSize, align, align_study, simulated};
use neurogauge::{Error, RunSettings};

pub(crate) fn run(args: &AlignArgs) -> Result<(), Error> {
    let bars = Bars::default();
    let alignment = match &args.config {
        Some(path) => {
            let mut config = AlignConfig::read(path)?;
            apply(args, &mut config)?;
            let settings = RunSettings {
                device: args.device.device,
                weight_precision: args.device.weight_precision,
                ..settings(args.out.clone(), &args.weights)
            };
            align(&config, &settings, &bars)?
        }
        None => {
            let mut config = AlignConfig::default();
            apply(args, &mut config)?;
            let size = match args.simulate {
                Some(SimulateArg::Nsd) => SimulatedSize::Nsd,
                _ => SimulatedSize::Small,
            };
            let study = simulated(size, &mut config)?;
            align_study(&study, &config, &args.out, &bars)?
        }
    };
    output::result(&alignment, &args.out, !args.no_figures, args.format)
}

/// What the command line says goes before the file.
fn apply(args: &AlignArgs, config: &mut AlignConfig) -> Result<(), Error> {
    let settings = &mut config.settings;
    settings.null = args.null.unwrap_or(settings.null);
    settings.null_select |= args.null_select;
    settings.seed = args.seed.unwrap_or(settings.seed);
    settings.controls = args
        .controls()?
        .unwrap_or_else(|| settings.controls.clone());
    settings.balance = args.balance.map_or(settings.balance, Balance::from);
    Ok(())
}
