//! SEED's official layout: folders in Python's order, and round trips.

use crate::files;
use crate::prelude::*;
use neurogauge_formats::official_layout::{OfficialExport, OfficialLayout, export};

fn golden(name: &str) -> PathBuf {
    files::golden("formats_observations/official").join(name)
}

fn open(folder: &Path) -> Result<OfficialLayout, FormatError> {
    OfficialLayout::open(folder, &LabelList::coco_gender())
}

fn owned(stems: &[&str]) -> Vec<String> {
    stems.iter().map(|stem| (*stem).to_owned()).collect()
}

/// The reference script's value for each stem, by stem in natural order.
fn values(array: &str, stems: &[&str]) -> Vec<(String, f64)> {
    let values = Synthetic::new(array, 0);
    let mut by_stem: Vec<_> = (0..)
        .zip(stems)
        .map(|(index, stem)| ((*stem).to_owned(), f64::from(values.uniform(index))))
        .collect();
    by_stem.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    by_stem
}

const UNPADDED: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
const TEXTS: [&str; 6] = ["a", "a-b", "a b", "B", "10", "9"];

#[test]
fn every_value_finds_its_stem_whatever_the_order_of_its_array() {
    let layout = open(&golden("unpadded")).unwrap();
    assert_eq!(layout.object_f1.unwrap(), values("obj_f1", &UNPADDED));
    assert_eq!(layout.effnet_distance.unwrap(), values("effnet", &UNPADDED));
    // Two reconstructions have another extension, so the official code finds no partner for them.
    let mut cap_sim = values("cap_sim", &UNPADDED);
    cap_sim.retain(|(stem, _)| stem != "3" && stem != "11");
    assert_eq!(layout.cap_sim.unwrap(), cap_sim);
    assert_eq!(layout.gt_captions.unwrap()[9].1, Captions(owned(&["gt of 10.png"])));
    assert_eq!(layout.recon_detections.unwrap().stems(), UNPADDED);
    assert_eq!(layout.gt_detections.unwrap().load(11).unwrap().items.len(), 3);
    assert_eq!(layout.findings, []);

    let layout = open(&golden("texts")).unwrap();
    assert_eq!(layout.effnet_distance.unwrap(), values("effnet", &TEXTS));
    assert_eq!(layout.cap_sim.unwrap(), values("cap_sim", &TEXTS));
    assert_eq!(layout.object_f1, None);
    assert_eq!(layout.findings, []);
}

#[test]
fn without_captions_the_names_come_from_the_detections() {
    let folder = copy_of(&golden("unpadded"));
    let results = folder.path().join("intermediate_results");
    for side in ["gt", "recon"] {
        std::fs::remove_file(results.join(format!("{side}_captions.npy"))).unwrap();
    }
    std::fs::remove_file(results.join("cap_sim.npy")).unwrap();
    let layout = open(folder.path()).unwrap();
    assert_eq!(layout.effnet_distance.unwrap(), values("effnet", &UNPADDED));
    assert_eq!((layout.gt_captions, layout.cap_sim), (None, None));

    for side in ["gt", "recon"] {
        std::fs::remove_dir_all(folder.path().join(format!("{side}_detection_results"))).unwrap();
    }
    refused(open(folder.path()), "its values have no names");
}

#[test]
fn what_is_exported_is_what_python_would_have_written() {
    for (name, stems) in [("unpadded", &UNPADDED[..]), ("texts", &TEXTS[..])] {
        let original = open(&golden(name)).unwrap();
        // The order of the pairs must not matter.
        let mut pairs = owned(stems);
        pairs.reverse();
        let of_pairs = |values: Vec<(String, f64)>| -> Vec<f64> {
            let value = |stem| values.iter().find(|(other, _)| other == stem).map(|(_, v)| *v);
            pairs.iter().map(|stem| value(stem).unwrap()).collect()
        };
        let object_f1 = of_pairs(values("obj_f1", stems));
        let effnet = of_pairs(values("effnet", stems));
        let cap_sim = of_pairs(values("cap_sim", stems));
        let mut what = OfficialExport::of_pairs(&pairs);
        what.gt_detections = original.gt_detections.as_ref();
        what.recon_detections = original.recon_detections.as_ref();
        what.gt_captions = original.gt_captions.as_deref();
        what.recon_captions = original.recon_captions.as_deref();
        what.object_f1 = Some(&object_f1);
        what.effnet_distance = Some(&effnet);
        what.cap_sim = Some(&cap_sim);

        let folder = tempfile::tempdir().unwrap();
        let findings = export(folder.path(), &what).unwrap();
        let codes: Vec<_> = findings.iter().map(|warning| warning.code.as_str()).collect();
        let unsortable = name == "texts";
        assert_eq!(codes, vec!["official_order_unknown"; usize::from(unsortable)]);
        for array in ["effnet.npy", "obj_f1.npy"] {
            let file = format!("intermediate_results/{array}");
            if golden(name).join(&file).exists() {
                let [ours, theirs] = [folder.path(), &golden(name)].map(|at| npy::read_f64(&at.join(&file)).unwrap());
                assert_eq!(ours, theirs, "{name}/{array}");
            }
        }

        let again = open(folder.path()).unwrap();
        assert_eq!(again.object_f1.unwrap(), values("obj_f1", stems));
        assert_eq!(again.effnet_distance.unwrap(), values("effnet", stems));
        assert_eq!(again.cap_sim.unwrap(), values("cap_sim", stems));
        assert_eq!(again.gt_captions, original.gt_captions);
        assert_eq!(again.recon_captions, original.recon_captions);
        assert_eq!(again.findings.len(), usize::from(unsortable));
        let (before, after) = (original.gt_detections.unwrap(), again.gt_detections.unwrap());
        assert_eq!(before.stems(), after.stems());
        for index in 0..before.stems().len() {
            assert_eq!(before.load(index).unwrap(), after.load(index).unwrap());
        }
    }
}

#[test]
fn an_undefined_value_is_nan_on_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = owned(&["0", "1"]);
    let captions: Vec<_> = pairs.iter().map(|stem| (stem.clone(), Captions(owned(&["one", "two"])))).collect();
    let mut what = OfficialExport::of_pairs(&pairs);
    what.extension = "jpg";
    what.gt_captions = Some(&captions);
    what.effnet_distance = Some(&[f64::NAN, 0.5]);
    let findings = export(folder.path(), &what).unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].code, "first_caption_only");
    assert!(findings[0].message.starts_with("2 images have several captions"));
    let names = folder.path().join("intermediate_results/gt_captions.npy");
    let names = npy::read_pickled_dict(&names).unwrap();
    assert_eq!(names[1], ("1.jpg".to_owned(), "one".to_owned()));
    let effnet = open(folder.path()).unwrap().effnet_distance.unwrap();
    assert!(effnet[0].1.is_nan());
    assert_eq!(effnet[1], ("1".to_owned(), 0.5));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = copy_of(&golden("unpadded"));
    let results = folder.path().join("intermediate_results");
    for array in ["obj_f1", "effnet", "cap_sim"] {
        let path = results.join(format!("{array}.npy"));
        let sound = std::fs::read(&path).unwrap();
        npy::write_f64(&path, &[11], &[0.5; 11]).unwrap();
        refused(open(folder.path()), &format!("{}: an array of shape", path.display()));
        npy::write_f64(&path, &[12, 1], &[0.5; 12]).unwrap();
        refused(open(folder.path()), "one value per pair");
        std::fs::write(&path, sound).unwrap();
    }
    let captions = results.join("recon_captions.npy");
    let mut names = npy::read_pickled_dict(&captions).unwrap();
    names[0].0 = "0.png".to_owned();
    npy::write_pickled_dict(&captions, &names).unwrap();
    refused(open(folder.path()), "value 0: compares stimulus \"1\" with reconstruction \"0\"");

    let empty = tempfile::tempdir().unwrap();
    assert!(!OfficialLayout::detect(empty.path()));
    assert!(OfficialLayout::detect(folder.path()));
    refused(open(empty.path()), "not found; expected");
    std::fs::create_dir_all(empty.path().join("gt_detection_results/preds")).unwrap();
    refused(open(empty.path()), "the folder holds no");
}

#[test]
fn faulty_exports_are_refused() {
    let original = open(&golden("unpadded")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = |pairs: &[&str], change: &dyn Fn(&mut OfficialExport<'_>)| {
        let pairs = owned(pairs);
        let mut what = OfficialExport::of_pairs(&pairs);
        what.gt_detections = original.gt_detections.as_ref();
        what.gt_captions = original.gt_captions.as_deref();
        change(&mut what);
        match export(folder.path(), &what) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    for (found, words) in [
        (error(&["1", "1"], &|_| ()), "pair \"1\": occurs twice"),
        (error(&["../1"], &|_| ()), "pair \"../1\": cannot be the stem"),
        (error(&["1"], &|what| what.cap_sim = Some(&[])), "cap_sim.npy: 0 values for 1 pairs"),
        (error(&["77"], &|_| ()), "pair \"77\": no detections of it"),
        (error(&["77"], &|what| what.gt_detections = None), "pair \"77\": no captions of it"),
    ] {
        assert!(found.contains(words), "{found}");
    }
    assert_eq!(error(&["1", "2"], &|_| ()), "");
    let found = error(&["2", "3"], &|_| ());
    assert!(found.contains("1.json: is there already and belongs to none of the pairs"), "{found}");
}

fn copy_of(folder: &Path) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &target);
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let target = tempfile::tempdir().unwrap();
    copy(folder, target.path());
    target
}
