//! `neurogauge cache`.

use crate::args::*;
use crate::confirmation::confirmed;
use crate::output;
use neurogauge::core::byte_size;
use neurogauge::{CachePart, Error, ObservationCache};
use std::fmt::Write;

#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) action: CacheAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheAction {
    /// Print its folder (NEUROGAUGE_CACHE)
    Dir,
    /// Print how much it holds
    ///
    /// Of each kind by each model, and of the last run of `score` without --out
    Size,
    /// Remove what models observed
    ///
    /// Weights stay, run folders keep what they have, and the last run of `score` without --out goes only where it is
    /// named (`last-run`)
    Prune {
        /// Only these, such as `captions`, `features/alexnet.features.4` or `last-run` [default: all but `last-run`]
        #[arg(value_name = "KIND[/MODEL]")]
        parts: Vec<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) fn run(args: &CacheArgs) -> Result<(), Error> {
    let cache = ObservationCache::open()?;
    match &args.action {
        CacheAction::Dir => output::document(&format!("{}\n", cache.root().display())),
        CacheAction::Size => {
            let parts = cache.parts()?;
            output::data(&format!("{}\n{}", listing(&parts), totals(&cache, &parts)))
        }
        CacheAction::Prune { parts, yes } => prune(&cache, parts, *yes),
    }
}

fn prune(cache: &ObservationCache, wanted: &[String], yes: bool) -> Result<(), Error> {
    let mut parts = cache.parts()?;
    let is_of = |part: &CachePart, wanted: &String| {
        part.name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if let Some(unknown) = wanted.iter().find(|w| !parts.iter().any(|part| is_of(part, w))) {
        let known: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        return Err(Error::Usage(format!(
            "{unknown:?}: the cache ({}) holds nothing of this name; it holds {}",
            cache.root().display(),
            if known.is_empty() {
                "nothing".to_owned()
            } else {
                known.join(", ")
            }
        )));
    }
    parts.retain(|part| part.unreadable.is_empty());
    let is_empty = parts.is_empty();
    parts.retain(|part| match wanted {
        [] => !part.is_last_run(),
        _ => wanted.iter().any(|wanted| is_of(part, wanted)),
    });
    if parts.is_empty() {
        output::message(match wanted {
            _ if is_empty => "the cache holds nothing that could be removed",
            [] => "the cache holds nothing but the last run; `neurogauge cache prune last-run` removes it",
            _ => "nothing was removed: that part of the cache is another user's and cannot be read",
        });
        return Ok(());
    }
    output::always(&format!("{}: this would be removed:\n{}", cache.root().display(), listing(&parts).trim_end()));
    if !yes {
        match confirmed("Remove it?") {
            None => {
                return Err(Error::Usage("nothing was removed: nobody can be asked here; --yes removes it".into()));
            }
            Some(false) => {
                output::message("nothing was removed");
                return Ok(());
            }
            Some(true) => {}
        }
    }
    parts.iter().try_for_each(|part| cache.remove(part))?;
    output::message("removed");
    Ok(())
}

/// A sentence about the cache's size and how to empty it.
fn totals(cache: &ObservationCache, parts: &[CachePart]) -> String {
    let size = |is_run: bool| {
        let parts = parts.iter().filter(|part| part.is_last_run() == is_run);
        byte_size(parts.map(|part| part.bytes).sum())
    };
    let root = cache.root().display();
    if parts.is_empty() {
        return format!("{root} holds no observations and no run.\n");
    }
    let mut removable = parts.iter().filter(|part| part.unreadable.is_empty());
    let run = match removable.any(CachePart::is_last_run) {
        true => format!(", and {} of the last run (`neurogauge cache prune last-run` removes it)", size(true)),
        false => String::new(),
    };
    format!(
        "{root} holds {} of observations (`neurogauge cache prune` removes them){run}. Weights are not counted; \
         `neurogauge doctor` counts them.\n",
        size(false)
    )
}

/// One line for each part, and their total.
fn listing(parts: &[CachePart]) -> String {
    let mut text = String::new();
    let mut line = |bytes: u64, n_files: usize, name: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>13}  {n_files:>7} files  {name}", byte_size(bytes));
    };
    for part in parts {
        line(part.bytes, part.n_files, &part.name);
    }
    let (bytes, n_files) = (parts.iter().map(|p| p.bytes).sum(), parts.iter().map(|p| p.n_files).sum());
    line(bytes, n_files, "in all");
    for path in parts.iter().flat_map(|part| &part.unreadable) {
        let path = path.display();
        let _ = writeln!(text, "not counted: {path}, another user's, which cannot be read");
    }
    text
}
