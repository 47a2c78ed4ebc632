//! Which stems are scored, and names of reconstructions.

use crate::support::*;

fn rename(folder: &Path, stems: &[&str], form: impl Fn(&str) -> String) {
    for stem in stems {
        fs::rename(folder.join(format!("{stem}.png")), folder.join(format!("{}.png", form(stem)))).unwrap();
    }
}

fn findings(run: &Path, code: &str) -> Vec<String> {
    let found = record(run)["findings"].list().clone();
    let found = found.iter().filter(|warning| warning["code"] == code && warning["severity"] != "read");
    let words = |warning: &Value| format!("{}: {}", warning["subject"], warning["message"]).replace('"', "");
    found.map(words).collect()
}

#[test]
fn shared_stems_are_scored_as_if_there_were_no_others() {
    let dir = images(&["1", "2", "10"]);
    dir.succeed("score gt recon --out whole");
    for name in ["3", "b"] {
        write_png(&dir.join(format!("gt/{name}.png")), &picture(name, 48, 4.0)).unwrap();
    }
    write_png(&dir.join("recon/grid.png"), &picture("grid", 48, 4.0)).unwrap();
    let ran = dir.succeed("score gt recon --pairs shared --out shared");
    assert_eq!(dir.scores("shared"), dir.scores("whole"));
    let expected = [
        "gt images: 2 of 5 have no partner on the other side and are left out: 3, b",
        "recon images: 1 of 4 have no partner on the other side and are left out: grid",
    ];
    assert_eq!(findings(&dir.join("shared"), "without_partner"), expected);
    assert!(ran.stdout.contains("are left out: 3, b"), "{ran}");

    // Omitted items were not read, and the record repeats the choice.
    let items = &dir.record("shared")["inputs"][0]["items"];
    assert_eq!(items.list().len(), 3);
    dir.succeed("score --from-run shared/run.json --out again");
    assert_eq!(dir.scores("again"), dir.scores("shared"));
    assert_eq!(dir.record("again")["request"]["pairing"]["pairs"], "shared");

    // One more pair makes another run.
    write_png(&dir.join("recon/3.png"), &picture("3", 48, 9.0)).unwrap();
    let repeated = "score --from-run shared/run.json --out again";
    assert_snapshot!(dir.run(&format!("{repeated} --overwrite")), @r#"exit 1, stderr: error: gt/images "3" ([DIR]/gt) has changed since the run was recorded: SHA-256 [HASH] instead of (absent); restore the file, or score again without --from-run"#);
    assert_snapshot!(dir.run(&format!("{repeated} --pairs shared")), @"
    exit 2, stderr:
    error: the argument '--from-run <RUN>' cannot be used with:
      --pairs <WHICH>

    Usage: neurogauge score --from-run <RUN> --out <RUN> [GT] [RECON]
    ");
}

#[test]
fn reconstructions_have_names_of_their_own() {
    let stems = ["1", "2", "10"];
    let dir = images(&stems);
    dir.succeed("score gt recon --out whole");
    rename(&dir.join("recon"), &stems, |stem| format!("{stem}_recon"));
    dir.succeed("score gt recon --match {stem}_recon --out named");
    assert_eq!(dir.scores("named"), dir.scores("whole"));
    let pairing = &dir.record("named")["request"]["pairing"];
    assert_eq!(pairing["match"], "{stem}_recon");
    let stem = &dir.record("named")["inputs"][1]["items"][2][0];
    assert_eq!(stem, "10", "under the stimulus's stem");

    let named_so = ["1_recon", "2_recon", "10_recon"];
    rename(&dir.join("recon"), &named_so, |stem| format!("r00{}", stem.trim_end_matches("_recon")));
    dir.succeed("score gt recon --match r{number} --out numbers");
    assert_eq!(dir.scores("numbers"), dir.scores("whole"));
    assert_eq!(dir.record("whole")["request"].get("pairing"), None, "as before");
}

/// As in THINGS-EEG2: each stimulus in a folder with its number and concept, each reconstruction in a folder of the
/// concept, or with its name.
#[test]
fn reconstructions_have_a_part_of_the_stimulus_s_name() {
    let stems = ["cat", "ice_tea", "zoo"];
    let dir = images(&stems);
    let options = "--metrics ssim,cap_sim --captioner placeholder-captioner --set text_encoder=placeholder";
    dir.succeed(&format!("score gt recon {options} --out whole"));
    for (place, stem) in stems.iter().enumerate() {
        fs::create_dir(dir.join(format!("gt/0000{place}_{stem}"))).unwrap();
    }
    let place_of = |stem: &str| stems.iter().position(|other| *other == stem).unwrap();
    rename(&dir.join("gt"), &stems, |stem| format!("0000{}_{stem}/{stem}_03s", place_of(stem)));
    let values = |run: &str| dir.scores(run).columns;
    let pattern = "'*_{stem}/*={stem}'";
    let said = dir.run("score gt recon --out none");
    said.says(&[&format!("--match {pattern} pairs 3 of the reconstructions")]);
    dir.succeed(&format!("score gt recon --match {pattern} {options} --out named"));
    assert_eq!(values("named"), values("whole"));
    let stimuli = ["00000_cat/cat_03s", "00001_ice_tea/ice_tea_03s", "00002_zoo/zoo_03s"];
    assert_eq!(dir.scores("named").pairs, stimuli);
    assert_eq!(dir.record("named")["request"]["pairing"]["match"], "*_{stem}/*={stem}");
    // The run's observations have the stimuli's stems.
    let again = "--observations named/observations --set text_encoder=placeholder --metrics ssim,cap_sim";
    dir.succeed(&format!("score gt recon --match {pattern} {again} --out again"));
    assert_eq!(values("again"), values("whole"));

    // Several samples for each stimulus.
    for stem in stems {
        let samples = dir.join("samples").join(stem);
        fs::create_dir_all(&samples).unwrap();
        for sample in ["0.png", "1.png"] {
            fs::copy(dir.join(format!("recon/{stem}.png")), samples.join(sample)).unwrap();
        }
    }
    let parts = "'{item}/{sample}'";
    let said = dir.run("score gt samples --out none");
    said.says(&[&format!("--match {pattern} with --parts {parts} takes them for samples of the stimuli")]);
    let with_parts = format!("--match {pattern} --parts {parts} {options}");
    dir.succeed(&format!("score gt samples {with_parts} --out samples_run"));
    assert_eq!(values("samples_run"), values("whole"));
    let numbers = "--match '{number}_*/*={number}'";
    rename(&dir.join("recon"), &stems, |stem| place_of(stem).to_string());
    dir.succeed(&format!("score gt recon {numbers} {options} --out numbers"));
    assert_eq!(values("numbers"), values("whole"));
    let table = r#"
    --match '{stem}={number}'
      exit 2, stderr: error: invalid value '{stem}={number}' for '--match <PATTERN>': "{stem}={number}": expected the name of a reconstruction without its extension, with {stem} or {number} in it once, such as {stem}_recon; or STIMULUS=RECONSTRUCTION with the same one in each, such as *_{stem}={stem}
    --match '*/{number}*={number}'
      exit 1, stderr: error: pairing images: 3 of the gt stems have no partner among the recon stems: 00000_cat/cat_03s, 00001_ice_tea/ice_tea_03s, 00002_zoo/zoo_03s; every stem must be on both sides; the closest are gt "00000_cat/cat_03s" and recon "0"; --match '{number}_*/*={number}' pairs 3 of the reconstructions (gt: [DIR]/gt, recon: [DIR]/recon)
    --match '*_{stem}/*=recon_{stem}'
      exit 1, stderr: error: pairing images: no recon stem is of the form recon_{stem}: they are 0, 1, 2 (stems are file names without their extension) (gt: [DIR]/gt, recon: [DIR]/recon)
    "#;
    dir.refuses("score gt recon --metrics ssim --out refused", "refused", table);
}

#[test]
fn captions_and_detections_have_the_names_of_images_or_of_stimuli() {
    let dir = folder_of(small_dataset);
    let [whole, named, shared] = ["whole", "named", "shared"].map(|run| dir.join(run));
    let score = "score --observations . --metrics object_f1,cap_sim --set text_encoder=placeholder";
    dir.succeed(&format!("{score} --out whole"));
    let detections = dir.join("recon/detections");
    for stem in STEMS {
        fs::rename(detections.join(format!("{stem}.json")), detections.join(format!("{stem}_recon.json"))).unwrap();
    }
    let matched = format!("{score} --match {{stem}}_recon");
    dir.succeed(&format!("{matched} --out named"));
    assert_eq!(scores(&named), scores(&whole));

    // Captions for two of three: the pairs that all inputs have.
    write_captions(&dir.join("recon"), &[("1", "a person walks a dog"), ("2", "a cat")]);
    dir.succeed(&format!("{matched} --pairs shared --out shared"));
    assert_eq!(scores(&shared).pairs, ["1", "2"]);
    let f1 = |run: &Path| scores(run).column("object_f1").unwrap()[..2].to_vec();
    assert_eq!(f1(&shared), f1(&whole));
    let expected = ["detections: 1 of 3 pairs are left out because other inputs lack them: 10"];
    assert_eq!(findings(&shared, "without_other_inputs"), expected);
}

#[test]
fn what_counts_from_one_is_not_taken_for_what_counts_from_zero() {
    let dir = images(&["0", "1", "2"]);
    dir.remove("gt/2.png");
    dir.remove("recon/0.png");
    dir.succeed("score gt recon --pairs shared --out run");
    assert_eq!(dir.scores("run").pairs, ["1"]);
    assert_eq!(findings(&dir.join("run"), "off_by_one").len(), 1);
}

#[test]
fn names_that_can_mean_one_thing_only_are_paired_and_it_is_said() {
    let stems = ["0", "1", "2"];
    let dir = images(&stems);
    small_dataset(dir.path());
    dir.succeed("score gt recon --out whole");
    rename(&dir.join("recon"), &stems, |stem| format!("img_00{stem}"));
    let ran = dir.succeed("score gt recon --out numbers");
    assert_eq!(dir.scores("numbers"), dir.scores("whole"));
    assert_eq!(findings(&dir.join("numbers"), "taken_for"), ["images: 3 of 3 by number"]);
    assert!(ran.stdout.contains(r#"images: 3 of 3 by number ("0" is "img_000")"#), "{ran}");
    assert_eq!(dir.record("numbers")["request"].get("pairing"), None, "nothing was asked for");
    dir.succeed("score --from-run numbers/run.json --out again");
    assert_eq!(dir.scores("again"), dir.scores("whole"));
    dir.succeed("report numbers --out page.html");

    // Captions by the files of the images.
    let captions = |form: fn(&str) -> String| {
        let entries: Vec<String> = stems.iter().map(|stem| format!("{:?}: \"a cat\"", form(stem))).collect();
        dir.write("captions.json", format!("{{{}}}", entries.join(", ")));
    };
    let score = "score gt recon --gt captions=captions.json --recon captions=captions.json --metrics pixcorr,bleu_1";
    captions(|stem| format!("images/{stem}.png"));
    let ran = dir.succeed(&format!("{score} --out words"));
    assert!(ran.stdout.contains("captions: 3 of 3 by name without folder and ending, with the images"), "{ran}");
    assert_eq!(dir.scores("words").pairs, stems);
    captions(|stem| format!("{stem}_{stem}"));
    let said = dir.run(&format!("{score} --out none"));
    said.says(&[r#"only among the images: 0, 1, 2; only among the captions: 0_0, 1_1, 2_2"#]);
    assert_eq!(said.code, 1);
}

#[test]
fn stems_that_nearly_pair_are_shown_with_the_option_that_helps() {
    let words = ["cat", "dog", "owl"];
    let dir = images(&words);
    rename(&dir.join("recon"), &words, |stem| format!("{stem}_recon"));
    assert_snapshot!(dir.refusals("score gt recon -q --out run", &[""], "run"), @r#"

    exit 1, stderr: error: pairing images: 3 of the gt stems have no partner among the recon stems: cat, dog, owl; every stem must be on both sides; the closest are gt "cat" and recon "cat_recon"; --match '{stem}_recon' pairs 3 of the reconstructions (gt: [DIR]/gt, recon: [DIR]/recon)
    "#);

    let stems = ["0", "1", "2"];
    let dir = images(&stems);
    let refused = |ends: &[&str]| dir.refusals("score gt recon -q --out run", ends, "run");
    rename(&dir.join("recon"), &["0", "2"], |stem| format!("00{stem}"));
    // A picture without a number: not all numbers meet.
    fs::copy(dir.join("recon/1.png"), dir.join("recon/grid.png")).unwrap();
    assert_snapshot!(refused(&["", "--match {stem}.png", "--match recon", "--pairs some"]), @r#"

      exit 1, stderr: error: pairing images: 2 of the gt stems have no partner among the recon stems: 0, 2; every stem must be on both sides; the closest are gt "0" and recon "000"; --match '{number}' pairs 2 of the reconstructions; --pairs shared scores the 1 on both sides (gt: [DIR]/gt, recon: [DIR]/recon)
    --match {stem}.png
      exit 1, stderr: error: pairing images: no recon stem is of the form {stem}.png: they are 000, 1, 002, ... (stems are file names without their extension) (gt: [DIR]/gt, recon: [DIR]/recon)
    --match recon
      exit 2, stderr: error: invalid value 'recon' for '--match <PATTERN>': "recon": expected the name of a reconstruction without its extension, with {stem} or {number} in it once, such as {stem}_recon; or STIMULUS=RECONSTRUCTION with the same one in each, such as *_{stem}={stem}
    --pairs some
      exit 2, stderr:
      error: invalid value 'some' for '--pairs <WHICH>'
        [possible values: all, shared]
    "#);
    dir.remove("recon/1.png");
    dir.remove("recon/grid.png");
    assert_snapshot!(refused(&["--pairs shared"]), @r#"
    --pairs shared
      exit 1, stderr: error: pairing images: 3 of the gt stems have no partner among the recon stems: 0, 1, 2; no stem is on both sides; the closest are gt "0" and recon "000"; --match '{number}' pairs 2 of the reconstructions (gt: [DIR]/gt, recon: [DIR]/recon)
    "#);
}
