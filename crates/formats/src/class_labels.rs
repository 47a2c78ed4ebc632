//! A classifier's class for each stimulus and each reconstruction.

use crate::delimited_text::{DelimitedText, Record, is_table_of_text, unknown_ending};
use crate::{FormatError, Problem, features};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

const ITEM: [&str; 6] = ["item", "stimulus", "image", "id", "pair", "stem"];
const GT: [&str; 5] = ["gt", "gt_label", "gt_class", "stimulus_label", "stimulus_class"];
const RECON: [&str; 5] = ["recon", "recon_label", "recon_class", "reconstruction_label", "reconstruction_class"];

const SINGLE: [&str; 5] = ["cluster", "class", "label", "category", "sample"];
const GROUPS: [&str; 5] = ["group", "cluster", "class", "label", "category"];

/// The class of the stimulus and of the reconstruction of each item.
pub type ClassLabels = BTreeMap<String, [String; 2]>;

/// Reads class labels from a text table: one line for each item, with columns for the item, the stimulus' label and the
/// reconstruction's label.
///
/// The columns are called `item`, `gt_label`, `recon_label`, or another usual name (`pair`, `stem`, `gt`, `recon`,
/// ...), in any case. Labels are names or numbers, compared as written. An empty cell is a missing label.
///
/// # Errors
/// The file is not a text table; columns are missing or ambiguous; an item occurs twice.
pub fn read(path: &Path) -> Result<ClassLabels, FormatError> {
    const EXPECTED: &str = "a table (.csv, .tsv, .txt) with the columns item, gt_label and \
                            recon_label, or two .npy matrices of logits, of the stimuli and of the \
                            reconstructions";
    if !is_table_of_text(path) {
        return Err(unknown_ending(path, EXPECTED));
    }
    let text = DelimitedText::read(path, EXPECTED)?;
    let [item, gt, recon] = [&ITEM[..], &GT[..], &RECON[..]].map(|usual| only(&text, usual));
    let (gt, recon) = (gt?, recon?);
    let both = |record: &Record| [gt, recon].map(|column| record.cell(column).to_owned());
    let mut labels = text.by_name((item?, "item"), |record| Ok(both(record)))?;
    labels.retain(|_, both| both.iter().all(|label| !label.is_empty()));
    Ok(labels)
}

/// Reads one label for each item from a text table: a column for the item and one called `cluster`, `class`, `label` or
/// `category`.
///
/// # Errors
/// Errors of [`read`]; an item without a label.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("clusters.csv");
/// std::fs::write(&path, "item,cluster\n7,animal\n9,food\n")?;
/// let labels = neurogauge_formats::class_labels::read_single(&path)?;
/// assert_eq!(labels["9"], "food");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_single(path: &Path) -> Result<BTreeMap<String, String>, FormatError> {
    labels(path, "cluster", &SINGLE)
}

/// Reads the group of each item from a text table: a column for the item and one called `group`, or as in
/// [`read_single`].
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("groups.csv");
/// std::fs::write(&path, "item,group\n7,animal\n9,food\n")?;
/// let groups = neurogauge_formats::class_labels::read_groups(&path)?;
/// assert_eq!(groups["7"], "animal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_groups(path: &Path) -> Result<BTreeMap<String, String>, FormatError> {
    labels(path, "group", &GROUPS)
}

fn labels(path: &Path, what: &str, usual: &[&str]) -> Result<BTreeMap<String, String>, FormatError> {
    let text = DelimitedText::read(path, &format!("a table (.csv, .tsv, .txt) with the columns item and {what}"))?;
    let (item, label) = (only(&text, &ITEM)?, only(&text, usual)?);
    text.by_name((item, "item"), |record| match record.cell(label) {
        "" => Err(text.faulty_cell(record, label, &format!("the {what} of the item"))),
        cell => Ok(cell.to_owned()),
    })
}

fn only(text: &DelimitedText, usual: &[&str]) -> Result<usize, FormatError> {
    match text.usually_named(usual, &[]).as_slice() {
        [only] => Ok(*only),
        [] => Err(text.column_error(format!("no column is called one of {}; rename one", usual.join(", ")))),
        _ => {
            Err(text
                .column_error(format!("several columns are called one of {}; rename all but one", usual.join(", "))))
        }
    }
}

/// The class with the highest logit for each stimulus and reconstruction, from two feature matrices with an `ids.json`
/// in their folders; labels are positions from 0, and ties go to the first.
///
/// Items on only one side are left out.
///
/// # Errors
/// Errors of [`features::read`]; matrices of different width.
pub fn of_logits(gt: &Path, recon: &Path) -> Result<ClassLabels, FormatError> {
    let read = |path: &Path| features::read(path, &features::ids_beside(path));
    let (stimuli, reconstructions) = (read(gt)?, read(recon)?);
    let (n_gt, n_recon) = (stimuli.n_features(), reconstructions.n_features());
    if n_gt != n_recon {
        let expected = format!("(images, {n_gt}), as many classes as {} has", gt.display());
        return Err(Problem::shape(vec![reconstructions.ids().len() as u64, n_recon as u64], expected).at(recon));
    }
    let rows: HashMap<&String, usize> = reconstructions.ids().iter().zip(0..).collect();
    let labelled = stimuli.ids().iter().enumerate().filter_map(|(row, id)| {
        let other = *rows.get(id)?;
        let top = [stimuli.row(row), reconstructions.row(other)].map(highest);
        Some((id.clone(), top.map(|class| class.to_string())))
    });
    Ok(labelled.collect())
}

fn highest(logits: &[f32]) -> usize {
    let better = |best: usize, (class, logit): (usize, &f32)| {
        if *logit > logits[best] { class } else { best }
    };
    logits.iter().enumerate().fold(0, better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::Features;

    fn read_text(text: &str) -> Result<ClassLabels, FormatError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("labels.csv");
        std::fs::write(&path, text).unwrap();
        read(&path)
    }

    #[test]
    fn columns_are_found_by_name_and_faults_named() {
        let labels = read_text("Recon,PAIR,GT\n1,a,1\n,b,2\n").unwrap();
        assert_eq!(labels["a"], ["1", "1"]);
        assert_eq!(labels.len(), 1, "an empty label is none");
        let fault = |text: &str| read_text(text).unwrap_err().to_string();
        assert!(fault("item,gt\na,1\n").contains("recon_label"));
        assert!(fault("item,gt,gt_label,recon\na,1,1,1\n").contains("several columns"));
        assert!(fault("item,gt,recon\na,1,1\na,1,2\n").contains("item \"a\""));
        assert!(fault("item,gt,recon\n,1,1\n").contains("id of the item"));
    }

    #[test]
    fn the_highest_logit_is_the_class() {
        let dir = tempfile::tempdir().unwrap();
        let write = |side: &str, ids: &[&str], width: usize, logits: &[f32]| {
            let folder = dir.path().join(side);
            std::fs::create_dir_all(&folder).unwrap();
            let ids = ids.iter().map(|&id| id.to_owned()).collect();
            let matrix = Features::new(ids, width, logits.to_vec()).unwrap();
            features::write(&folder, "logits", &matrix).unwrap();
            folder.join("logits.npy")
        };
        let gt = write("gt", &["a", "b"], 2, &[0.5, 0.1, 0.0, 3.0]);
        let recon = write("recon", &["b", "z", "a"], 2, &[1.0, 0.0, 0.0, 0.0, 2.0, 2.0]);
        let labels = of_logits(&gt, &recon).unwrap();
        assert_eq!(labels["a"], ["0", "0"]);
        assert_eq!(labels["b"], ["1", "0"]);
        assert_eq!(labels.len(), 2);
        let wide = write("wide", &["a"], 3, &[0.0; 3]);
        assert!(of_logits(&gt, &wide).unwrap_err().to_string().contains("as many classes"));
    }
}
