//! Instructions to fetch a model by hand if it cannot be downloaded.

use crate::checkpoint::registry::{ModelEntry, Source};
use crate::checkpoint::weights::WeightOptions;
use neurogauge_core::byte_size;
use neurogauge_core::option_words::option;
use std::fmt::Write as _;

/// Says which files of a model to put where: names, sizes and hashes, their addresses, and the folders that are
/// searched.
///
/// ```
/// use neurogauge_models::weights::{WeightOptions, instructions};
/// let entry = neurogauge_models::find("all-MiniLM-L6-v2")?;
/// let options = WeightOptions { cache: Some("/data/cache".into()), ..WeightOptions::default() };
/// let text = instructions(entry, &options);
/// assert!(text.contains("/data/cache/models/all-MiniLM-L6-v2/c9745ed1d9f207416be6d2e6f8de32d1f16199bf"));
///
/// let alexnet = instructions(neurogauge_models::find("alexnet")?, &options);
/// assert!(alexnet.contains("https://download.pytorch.org/models/alexnet-owt-7be5be79.pth"));
///
/// let scorer = instructions(neurogauge_models::find("clip_flant5_xl")?, &options);
/// let line = scorer.lines().find(|line| line.contains("tokenizer.json")).unwrap();
/// assert!(line.ends_with("from https://huggingface.co/google/flan-t5-xl"));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn instructions(entry: &ModelEntry, options: &WeightOptions) -> String {
    let (mut text, folder) = match entry.source {
        Source::Archive { address, beside } => return of_archive(entry, address, beside),
        Source::Hub(repository) => (
            format!("Fetch these files from https://huggingface.co/{repository}, revision {}:\n", entry.revision),
            String::new(),
        ),
        Source::Web(folder) => ("Fetch this:\n".to_owned(), format!("{folder}/")),
    };
    let width = entry.files.iter().map(|file| file.path.len()).max();
    let width = width.unwrap_or(0) + folder.len();
    for file in entry.files {
        let address = format!("{folder}{}", file.path);
        let size = match (file.bytes, file.computed_bytes) {
            (Some(n), _) => format!("{n:>10} bytes"),
            (None, 0) => "a few MB at most".to_owned(),
            (None, n) => format!("about {}", byte_size(n)),
        };
        let elsewhere = file
            .repository
            .map_or_else(String::new, |repository| format!("  from https://huggingface.co/{repository}"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {address:width$}  {size}  sha256 {}{elsewhere}", file.sha256);
    }
    if let Some(dir) = options.cached(entry) {
        let _ = writeln!(text, "and put them into\n  {}", dir.display());
        text.push_str("or ");
    } else {
        text.push_str("and put them ");
    }
    let _ = write!(
        text,
        "into any folder DIR (or DIR/{}) given as {} or NEUROGAUGE_WEIGHTS=DIR.",
        entry.id,
        option("weights", "DIR")
    );
    text
}

fn of_archive(entry: &ModelEntry, address: &str, beside: Option<(&str, &str)>) -> String {
    let mut text = format!("Unpack this into a folder DIR:\n  {address}\n");
    if let Some((file, address)) = beside {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "and put this there as {file}:\n  {address}");
    }
    let files = entry.files.iter().map(|file| file.path);
    let _ = write!(
        text,
        "Then DIR has {}. Give it as {} or NEUROGAUGE_WEIGHTS=DIR. If the archive has the adapter under another name, give {}",
        files.collect::<Vec<_>>().join(", "),
        option("weights", "DIR"),
        option("checkpoint", &format!("{}=DIR/FOLDER/FILE", entry.id))
    );
    text
}
