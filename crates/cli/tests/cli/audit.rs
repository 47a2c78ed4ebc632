//! `neurogauge audit`: its files, and what it refuses. `crates/audit/tests` tests its numbers.

use crate::support::*;

const N_FEATURES: usize = 6;

/// Writes features into a folder with the ids of their rows.
fn write(dir: &Folder, name: &str, prefix: &str, n: usize) {
    let folder = dir.join(name);
    fs::create_dir_all(&folder).unwrap();
    let values: Vec<f32> = (0..n * N_FEATURES).map(|place| Synthetic::new(name, 1).uniform(place as u64)).collect();
    write_f32(&folder.join("f.npy"), &[n as u64, N_FEATURES as u64], &values).unwrap();
    let ids: Vec<String> = (0..n).map(|row| format!("{prefix}{row}")).collect();
    fs::write(folder.join("ids.json"), serde_json::to_vec(&ids).unwrap()).unwrap();
}

fn features() -> Folder {
    let dir = folder();
    write(&dir, "train", "t", 40);
    write(&dir, "test", "s", 12);
    write(&dir, "recon", "s", 12);
    dir
}

const ALL: &str = "audit --train train/f.npy --test test/f.npy --recon recon/f.npy --clusters 3 --out out";

/// A regression snapshot of the sections; the numbers have their own tests.
#[test]
fn every_question_has_numbers_and_an_answer() {
    let dir = features();
    let questions = dir.succeed(&format!("{ALL} -v"));
    let questions: Vec<&str> = questions.stdout.lines().filter(|line| line.ends_with('?')).collect();
    assert_snapshot!(questions.join("\n"), @"
    Do test stimuli resemble training stimuli, and reconstructions training stimuli more than their own?
    How accurate are the decoded features?
    Is the stimulus identified among the training stimuli?
    How much of identification is the cluster?
    Can the decoder express what distinguishes test stimuli?
    What do controls get that never saw the brain?
    ");
    for file in ["audit.json", "audit.md", "audit.csv", "items.csv", "folds.csv"] {
        assert!(dir.join("out").join(file).is_file(), "{file}");
    }
    assert!(dir.join("out/figures/by_cluster_alone.svg").is_file());
    assert_eq!(dir.read("out/items.csv").lines().count(), 13);
    assert_eq!(dir.read("out/folds.csv").lines().count(), 41);
    assert!(check_outcomes(&dir.join("out")) > 10);
    // The same inputs and options give the same result, with any number of threads.
    let before = dir.read("out/audit.json");
    dir.succeed(&format!("--threads 1 {ALL} --overwrite"));
    assert_eq!(dir.read("out/audit.json"), before);
    assert_snapshot!(dir.run(&format!("{ALL} --seed 7")).differs("out"), @"options.bootstrap.seed: 42 then, 7 now");

    // Without training stimuli, clusters and collapse are still examined.
    let table = dir.succeed("audit --test test/f.npy --clusters 3 --out without -v").stdout;
    let questions: Vec<&str> = table.lines().filter(|line| line.ends_with('?')).collect();
    assert_snapshot!(questions.join("\n"), @"
    How much of identification is the cluster?
    Can the decoder express what distinguishes test stimuli?
    ");
    assert!(!dir.has("without/folds.csv"));
    dir.succeed("audit --test test/f.npy --recon recon/f.npy --clusters 3 --out decoded");
    assert_eq!(dir.read("decoded/items.csv").lines().count(), 13);
    write(&dir, "fewer", "s", 9);
    let fewer = "audit --test test/f.npy --recon fewer/f.npy --clusters 3 --out fewer-audit";
    assert_snapshot!(dir.run(fewer), @"exit 1, stderr: error: pairing features: 3 of the gt stems have no partner among the recon stems: s9, s10, s11; every stem must be on both sides; --pairs shared compares the 9 on both sides (gt: test/f.npy, recon: fewer/f.npy)");
    dir.succeed(&format!("{fewer} --pairs shared"))
        .says(&["gt features: 3 of 12 have no partner on the other side and are left out: s9, s10, s11"]);
    assert_eq!(dir.read("fewer-audit/items.csv").lines().count(), 10);
    // Each stimulus is counted once.
    assert_snapshot!(
        dir.run("audit --test test/f.npy --clusters 13 --out many"),
        @"exit 2, stderr: error: --clusters 13: there are 12 stimuli; expected at most as many clusters"
    );
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let dir = features();
    write_f32(&dir.join("narrow.npy"), &[12, 5], &[0.5; 60]).unwrap();
    dir.write("clusters.csv", "item,cluster\ns0,a\n");
    dir.write("scores.csv", "item,ssim\ns0_0,0.5\ns0_1,0.25\ns1_0,0.5\n");
    let refused = [
        "--recon narrow.npy",
        "--clusters clusters.csv",
        "--clusters 100",
        "--clusters nowhere.csv",
        "--folds 1",
        "--sample-scores scores.csv",
        "--sample-scores scores.csv --sample-pattern stem",
        "--random-fold-scores scores.csv",
    ]
    .map(|more| dir.run(&format!("audit --train train/f.npy --test test/f.npy {more} --out out")).to_string());
    assert_snapshot!(refused.join("\n"), @r#"
    exit 2, stderr: error: narrow.npy: 5 features in a row; expected 6, as in train/f.npy: make both with the same model and layer
    exit 1, stderr: error: clusters.csv: item "s1": expected a cluster for every training and test stimulus; it has none
    exit 2, stderr: error: --clusters 100: there are 52 stimuli; expected at most as many clusters
    exit 1, stderr: error: nowhere.csv: not found; expected a table (.csv, .tsv, .txt) with the columns item and cluster
    exit 2, stderr: error: --folds 1: expected 2 or more
    exit 1, stderr: error: scores.csv: item "s1": expected 2 samples of every stimulus, as of others; it has 1
    exit 2, stderr: error: --sample-pattern "stem": expected {stem}, something between, and {sample}, as in {stem}_{sample}
    exit 2, stderr:
    error: the following required arguments were not provided:
      --cluster-fold-scores <FILE>

    Usage: neurogauge audit --test <PATH> --out <DIR> --random-fold-scores <FILE> --cluster-fold-scores <FILE> --train <PATH>
    "#);
    assert!(!dir.has("out"));
}

/// Ten training pictures, four test pictures, and reconstructions that are the first training pictures.
fn images() -> Folder {
    let dir = folder();
    pictures(&dir.join("train"), "train", 10, 32, 30.0);
    for stem in 0..4 {
        let of = |name: &str| picture(&format!("{name}{stem}"), 32, 30.0);
        write_png(&dir.join(format!("test/s{stem}.png")), &of("test")).unwrap();
        write_png(&dir.join(format!("recon/s{stem}.png")), &of("train")).unwrap();
    }
    dir
}

const IMAGES: &str = "audit --train train --test test --recon recon --features placeholder --clusters 2 --out out";

/// A model observes folders of images; copies of training pictures are drawn beside their stimuli.
#[test]
fn images_are_observed_by_a_model_and_copies_are_drawn() {
    let dir = images();
    let done = dir.succeed(IMAGES);
    assert!(done.stderr.contains("placeholder"), "{}", done.stderr);
    let table = "share of reconstructions nearer to a training stimulus than to their own";
    let line = done.stdout.lines().find(|line| line.starts_with(table)).unwrap();
    assert!(line.contains("1.000"), "{line}");
    let record = || -> Value { dir.json("out/audit.json") };
    let before = record();
    assert_eq!(before["models"][0]["stand_in"], true);
    assert_eq!(before["request"]["features"]["model"], "placeholder");
    let inputs = before["inputs"].list();
    let items = |role: &str| inputs.iter().find(|input| input["role"] == role).unwrap()["items"].list().len();
    assert_eq!((items("train"), items("test"), items("decoded")), (10, 4, 4));
    let nearest: Vec<String> = dir
        .read("out/items.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(5).unwrap().to_owned())
        .collect();
    assert_eq!(nearest, ["0", "1", "2", "3"]);
    assert!(dir.join("out/figures/copies.png").is_file());
    // The same once more, from the store.
    dir.succeed(IMAGES);
    assert_eq!(record(), before);

    // Existing training features are used with images of the other sides; then the sheet lacks their pictures.
    let made = dir.join("out/observations/train/features");
    fs::create_dir_all(dir.join("made")).unwrap();
    for file in fs::read_dir(made).unwrap().flatten() {
        let name = file.file_name();
        let name = if name == "ids.json" { name } else { "f.npy".into() };
        if file.path().extension().is_some_and(|ending| ending == "npy") || name == "ids.json" {
            fs::copy(file.path(), dir.join("made").join(name)).unwrap();
        }
    }
    dir.succeed(&IMAGES.replace("--train train", "--train made/f.npy").replace("out out", "out mixed"));
    let mixed: Value = dir.json("mixed/audit.json");
    assert_eq!(mixed["sections"], before["sections"]);
    assert!(dir.join("mixed/figures/copies.png").is_file());
}

#[test]
fn images_without_a_model_and_a_model_without_images_are_refused() {
    let dir = images();
    write(&dir, "features", "s", 4);
    let refused = [
        "--train train --test test",
        "--test features/f.npy --features placeholder",
        "--test nowhere --features placeholder",
        "--test test --recon features/f.npy --features placeholder",
        "--test test --preset timm",
    ];
    let refused = refused.map(|words| dir.run(&format!("audit {words} --clusters 2 --out refused")).to_string());
    assert_snapshot!(refused.join("\n"), @"
    exit 2, stderr: error: test: a folder; expected a file of features, or name the model that makes features of images, such as --features clip_vit_l_14
    exit 2, stderr: error: --features placeholder: none of the inputs are images, so the model has nothing to observe; leave it out
    exit 1, stderr: error: nowhere: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    exit 2, stderr:
    note: images: 4 images, files
    error: features/f.npy: 6 features in a row; expected 48, as in test: make both with the same model and layer
    exit 2, stderr:
    error: the following required arguments were not provided:
      --features <MODEL[:LAYER[:POOLING]]>

    Usage: neurogauge audit --test <PATH> --out <DIR> --features <MODEL[:LAYER[:POOLING]]> --preset <PRESET> --clusters <FILE|K>
    ");
}

/// The page shows a run's identification accuracies beside those by an audit's clusters alone.
#[test]
fn the_page_of_a_run_shows_what_the_cluster_gives_alone() {
    let dir = folder();
    let rows = |shift: f32| -> Vec<(&str, [f32; 3])> {
        let row = |(place, stem): (usize, &&'static str)| {
            let near = place as f32 * 0.1;
            (
                *stem,
                if place < 2 {
                    [1.0, near + shift, 0.0]
                } else {
                    [0.0, near, 1.0 + shift]
                },
            )
        };
        ["a", "b", "c", "d"].iter().enumerate().map(row).collect()
    };
    for (side, shift) in [("gt", 0.0), ("recon", 0.05)] {
        write_features(&dir.join("observed").join(side), "clip", &rows(shift));
    }
    dir.succeed("score --observations observed --metrics clip --out run");
    dir.write("clusters.csv", "item,cluster\na,x\nb,x\nc,y\nd,y\n");
    dir.succeed(
        "audit --test observed/gt/features/clip.npy --recon observed/recon/features/clip.npy --clusters clusters.csv --out audit",
    );
    dir.succeed("report run --audit audit --out page.html");
    let page = dir.read("page.html");
    let (_, section) = page.split_once("<section id=\"audit\"").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    // Two clusters of two: 1 - (2 - 1) / (2 (4 - 1)).
    contains(section, &["by cluster alone", "0.833"]);
    assert!(section.contains("How much of identification is the cluster?"));
    assert!(page.contains("--audit audit"));

    dir.write("others.csv", "item,cluster\n0,x\n1,x\n2,y\n");
    write_f32(&dir.join("others.npy"), &[3, 2], &[0.0, 1.0, 2.0, 0.5, 1.5, 1.0]).unwrap();
    dir.succeed("audit --test others.npy --clusters others.csv --out others");
    assert_snapshot!(
        dir.run("report run --audit others --out other.html"),
        @"exit 2, stderr: error: others/items.csv: none of its stimuli is in run; expected an audit of the same stimuli, called as in the run"
    );
}

/// With `[audit]` in a study, every system is audited, and its tables show the accuracy by clusters alone.
#[test]
fn a_study_audits_its_systems() {
    let dir = images();
    dir.write(
        "study.toml",
        "[inputs]\ngt = \"test\"\n[score]\nmetrics = [\"pixcorr\", \"clip\"]\n[score.perception]\nstand_in = true\n[[systems]]\nname = \"mine\"\n\
         recon = \"recon\"\n[audit]\ntrain = \"train\"\nfeatures = \"placeholder\"\nclusters = 2\n",
    );
    dir.succeed("study --config study.toml --out study");
    assert!(dir.join("study/audit/mine/audit.json").is_file());
    let text = dir.read("study/study.md");
    contains(&text, &["Identification beside what the cluster gives alone", "Decoding or classification: mine"]);
    assert!(dir.join("study/tables/table_by_cluster_alone_mine.csv").is_file());
    assert!(dir.read("study/study.html").contains("<section id=\"audit\""));
    let unknown = dir.read("study.toml").replace("clusters = 2", "recon.other = \"recon\"");
    dir.write("unknown.toml", unknown);
    assert_snapshot!(
        dir.run("study --config unknown.toml --out unknown"),
        @"exit 2, stderr: error: unknown.toml:13: unknown key `recon`; expected one of `train`, `features`, `clusters`"
    );
}
