//! Which stems are scored, and the names of reconstructions.

use crate::support::arguments::{score_again, score_images, score_observations};
use crate::support::observations::{STEMS, small_dataset, write_captions};
use crate::support::{arg, folder, image_folders, picture, record, refused, scores, succeed};
use neurogauge::formats::image_file::write_png;
use std::fs;
use std::path::Path;

fn rename(folder: &Path, stems: &[&str], form: impl Fn(&str) -> String) {
    for stem in stems {
        let to = format!("{}.png", form(stem));
        fs::rename(folder.join(format!("{stem}.png")), folder.join(to)).unwrap();
    }
}

fn warnings(run: &Path, code: &str) -> Vec<String> {
    let found = record(run)["warnings"].as_array().unwrap().clone();
    let found = found.iter().filter(|warning| warning["code"] == code);
    let words = |warning: &serde_json::Value| {
        format!("{}: {}", warning["subject"], warning["message"]).replace('"', "")
    };
    found.map(words).collect()
}

#[test]
fn shared_stems_are_scored_as_if_there_were_no_others() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "10"]);
    let [whole, shared, again] = ["whole", "shared", "again"].map(|run| dir.path().join(run));
    succeed(&score_images(&gt, &recon, &whole, &[]));
    for name in ["3", "b"] {
        write_png(&gt.join(format!("{name}.png")), &picture(name, 48, 4.0)).unwrap();
    }
    write_png(&recon.join("grid.png"), &picture("grid", 48, 4.0)).unwrap();
    let options = ["--pairs", "shared"];
    let ran = succeed(&score_images(&gt, &recon, &shared, &options));
    assert_eq!(scores(&shared), scores(&whole));
    let expected = [
        "gt images: 2 of 5 have no partner on the other side and are left out: 3, b",
        "recon images: 1 of 4 have no partner on the other side and are left out: grid",
    ];
    assert_eq!(warnings(&shared, "without_partner"), expected);
    assert!(ran.stdout.contains("are left out: 3, b"), "{}", ran.stdout);

    // Omitted images were not read, and the record repeats the choice.
    let items = record(&shared)["inputs"][0]["items"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(items, 3);
    succeed(&score_again(&shared.join("run.json"), &again, &[]));
    assert_eq!(scores(&again), scores(&shared));
    assert_eq!(record(&again)["request"]["pairing"]["pairs"], "shared");

    // A pair more is another run.
    write_png(&recon.join("3.png"), &picture("3", 48, 9.0)).unwrap();
    let run_json = shared.join("run.json");
    let repeated = score_again(&run_json, &again, &["--overwrite"]);
    refused(&repeated, 1, &["gt/images \"3\"", "instead of (absent)"]);
    refused(&score_again(&run_json, &again, &options), 2, &["--pairs"]);
}

#[test]
fn reconstructions_have_names_of_their_own() {
    let dir = folder();
    let stems = ["1", "2", "10"];
    let (gt, recon) = image_folders(dir.path(), &stems);
    let [whole, named, numbers] = ["whole", "named", "numbers"].map(|run| dir.path().join(run));
    succeed(&score_images(&gt, &recon, &whole, &[]));
    rename(&recon, &stems, |stem| format!("{stem}_recon"));
    let named_so = ["--match", "{stem}_recon"];
    succeed(&score_images(&gt, &recon, &named, &named_so));
    assert_eq!(scores(&named), scores(&whole));
    assert_eq!(
        record(&named)["request"]["pairing"]["match"],
        "{stem}_recon"
    );
    assert_eq!(
        record(&named)["inputs"][1]["items"][2][0],
        "10",
        "under the stimulus's stem"
    );

    let named_so = ["1_recon", "2_recon", "10_recon"];
    rename(&recon, &named_so, |stem| {
        format!("r00{}", stem.trim_end_matches("_recon"))
    });
    succeed(&score_images(
        &gt,
        &recon,
        &numbers,
        &["--match", "r{number}"],
    ));
    assert_eq!(scores(&numbers), scores(&whole));
    assert_eq!(record(&whole)["request"].get("pairing"), None, "as before");
}

#[test]
fn captions_and_detections_have_the_names_of_images_or_of_stimuli() {
    let dir = folder();
    small_dataset(dir.path());
    let [whole, named, shared] = ["whole", "named", "shared"].map(|run| dir.path().join(run));
    let metrics = [
        "--metrics",
        "object_f1,cap_sim",
        "--text-encoder",
        "stand-in",
    ];
    succeed(&score_observations(dir.path(), &whole, &metrics));
    let detections = dir.path().join("recon/detections");
    for stem in STEMS {
        let to = detections.join(format!("{stem}_recon.json"));
        fs::rename(detections.join(format!("{stem}.json")), to).unwrap();
    }
    let matched = [&metrics[..], &["--match", "{stem}_recon"]].concat();
    succeed(&score_observations(dir.path(), &named, &matched));
    assert_eq!(scores(&named), scores(&whole));

    // Captions of two of the three: the pairs that all inputs have.
    let captions = [("1", "a person walks a dog"), ("2", "a cat")];
    write_captions(&dir.path().join("recon"), &captions);
    let options = [&matched[..], &["--pairs", "shared"]].concat();
    succeed(&score_observations(dir.path(), &shared, &options));
    assert_eq!(scores(&shared).pairs, ["1", "2"]);
    let f1 = |run: &Path| scores(run).column("object_f1").unwrap()[..2].to_vec();
    assert_eq!(f1(&shared), f1(&whole));
    let expected = ["detections: 1 of 3 pairs are left out because other inputs lack them: 10"];
    assert_eq!(warnings(&shared, "without_other_inputs"), expected);
}

#[test]
fn what_counts_from_one_is_not_taken_for_what_counts_from_zero() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["0", "1", "2"]);
    fs::remove_file(gt.join("2.png")).unwrap();
    fs::remove_file(recon.join("0.png")).unwrap();
    let run = dir.path().join("run");
    succeed(&score_images(&gt, &recon, &run, &["--pairs", "shared"]));
    assert_eq!(scores(&run).pairs, ["1"]);
    assert_eq!(warnings(&run, "off_by_one").len(), 1);
}

#[test]
fn stems_that_nearly_pair_are_shown_with_the_option_that_helps() {
    let dir = folder();
    let stems = ["0", "1", "2"];
    let (gt, recon) = image_folders(dir.path(), &stems);
    let run = dir.path().join("run");
    let args = score_images(&gt, &recon, &run, &[]);
    rename(&recon, &stems, |stem| format!("{stem}_recon"));
    let closest = "the closest are gt \"0\" and recon \"0_recon\"";
    let remedy = "--match '{stem}_recon' pairs 3 of the reconstructions";
    refused(
        &args,
        1,
        &["3 of the gt stems have no partner", closest, remedy],
    );
    rename(&recon, &["0_recon", "1_recon", "2_recon"], |stem| {
        format!("00{}", &stem[..1])
    });
    let closest = "the closest are gt \"0\" and recon \"000\"";
    refused(&args, 1, &[closest, "--match '{number}' pairs 3"]);
    rename(&recon, &["001"], |_| "1".to_owned());
    refused(
        &args,
        1,
        &["--pairs shared scores the 1 that are on both sides"],
    );
    let with = |option: &'static [&str]| [&args[..], option].concat();
    let none = ["no recon stem is of the form {stem}.png: they are 000, 1, 002"];
    refused(&with(&["--match", "{stem}.png"]), 1, &none);
    let pattern = "with {stem} or {number} in it once, such as {stem}_recon";
    refused(&with(&["--match", "recon"]), 2, &["--match", pattern]);
    refused(&with(&["--pairs", "some"]), 2, &["--pairs", "shared"]);
    let nothing = score_images(&gt, &recon, &run, &["--pairs", "shared"]);
    fs::remove_file(recon.join("1.png")).unwrap();
    refused(&nothing, 1, &["no stem is on both sides"]);
    assert!(!arg(&run).is_empty() && !run.exists());
}
