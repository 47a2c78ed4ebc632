//! Which runs a board accepts, and entries that were changed.

use super::{captions, score};
use crate::support::*;

#[test]
fn an_entry_is_computed_again_and_what_was_changed_is_found() {
    let dir = captions();
    score(&dir, "fair");
    assert_snapshot!(dir.run("board verify entries/fair"), @"exit 0, stdout: entries/fair: same bits");
    let run = dir.join("entries/fair");
    let file = run.join("scores.parquet");
    let original = dir.scores(&run);
    let changed = |change: &dyn Fn(&mut neurogauge::core::ScoreTable)| {
        let mut table = original.clone();
        change(&mut table);
        scores_parquet::write(&file, &table).unwrap();
        contains(&dir.run("board verify entries/fair").to_string(), &["entries/fair/scores.parquet: its SHA-256 is"]);
        // If the hash is changed too, the scores show it.
        let mut record = dir.json("entries/fair/run.json");
        record["outputs"]["scores.parquet"] = content_hash::of_file(&file).unwrap().into();
        dir.write("entries/fair/run.json", record.to_string());
        dir.run("board verify entries/fair").to_string()
    };
    // A score was improved.
    assert_snapshot!(changed(&|table| table.columns[0].1[3] = Ok(1.0)), @r#"
    exit 1, stdout:
    entries/fair: differs
      rouge_1, pair "3": 1 in the entry, 0.75 from the inputs
    stderr: error: 1 of the entries above do not have the scores that their inputs give
    "#);
    // The scores of two pairs are exchanged.
    assert_snapshot!(changed(&|table| {
        table.columns[0].1[3] = Ok(0.5);
        table.columns[0].1.swap(3, 7);
    }), @r#"
    exit 1, stdout:
    entries/fair: differs
      rouge_1, pair "7": 0.5 in the entry, 0.75 from the inputs
    stderr: error: 1 of the entries above do not have the scores that their inputs give
    "#);
    // Pairs have other names.
    assert_snapshot!(changed(&|table| table.pairs.swap(3, 7)), @r#"
    exit 1, stdout:
    entries/fair: differs
      pair "7" where the inputs have "3"
    stderr: error: 1 of the entries above do not have the scores that their inputs give
    "#);
    // A metric is left out.
    assert_snapshot!(changed(&|table| { table.columns.remove(1); }), @"exit 1, stderr: error: entries/fair/scores.parquet: not found; expected scores of rouge_l, which run.json has");
    changed(&|_| {});
    // Inputs were moved, and inputs were changed.
    fs::rename(dir.join("fair.json"), dir.join("moved.json")).unwrap();
    assert_snapshot!(dir.run("board verify entries/fair --recon captions=moved.json"), @"exit 0, stdout: entries/fair: same bits");
    assert_snapshot!(dir.run("board verify entries/fair --recon captions=good.json"), @r#"exit 1, stderr: error: recon/captions "" ([DIR]/good.json) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run"#);
}

#[test]
fn boards_and_cards_that_do_not_fit_are_refused() {
    let dir = captions();
    score(&dir, "good");
    score(&dir, "fair");
    let good = "system = \"good\"\nsubject = \"sub-01\"\n";
    let mut said = String::new();
    let mut refused = |card: &str, board: &str| {
        dir.write("entries/good/card.toml", card);
        said += &dir.said_of("board.toml", [board], "board make board.toml --out site", "site");
    };
    let board = "title = \"x\"\nentries = [\"entries\"]\n";
    refused("system = \"fair\"\nsubject = \"sub-01\"\n", board);
    refused(&format!("{good}protocol = \"nsd-982\"\n"), board);
    refused(&format!("{good}protocol = \"nsd\"\n"), board);
    refused(&format!("{good}[printed]\nrouge = 1\n"), board);
    refused(&format!("{good}subjects = 1\n"), board);
    refused(good, &format!("{board}metrics = [\"rouge\"]\n"));
    refused(good, "title = \"x\"\nentries = [\"entries/good/tables\", \".\"]\n");
    // The stimuli of one entry change.
    let reference = dir.read("reference.json").replace("red dog", "brown dog");
    dir.write("reference.json", reference);
    let again = |metrics: &str| {
        let captions = "--gt captions=reference.json --recon captions=good.json --overwrite --out entries/good";
        dir.succeed(&format!("score {captions} --metrics {metrics}"));
    };
    again("rouge_1");
    refused(good, board);
    again("rouge_1,cap_sim --set text_encoder=placeholder");
    refused(good, board);
    // A board of other metrics shows nothing of it.
    dir.write("board.toml", format!("{board}mixed = true\nmetrics = [\"rouge_1\"]\n"));
    dir.succeed("board make board.toml --out without");
    assert_eq!(dir.names("without/metric"), ["rouge-1.html"]);
    assert!(!dir.read("without/index.html").contains("Cap-Sim"));
    again("rouge_1");
    assert_snapshot!(said, @r#"
    exit 2, stderr: error: board.toml: entries/fair and entries/good are both of fair, sub-01; give one of them another name of system or subject
    exit 2, stderr: error: entries/good/card.toml: protocol = "nsd-982": expected 982 pairs, called 0 to 981; the run has 200, from "0" to "199"
    exit 2, stderr: error: entries/good/card.toml: protocol = "nsd": unknown; `neurogauge list protocols` lists all
    exit 2, stderr: error: entries/good/card.toml: printed.rouge: no metric is called so; `neurogauge list metrics` lists all
    exit 2, stderr: error: entries/good/card.toml:3: unknown key `subjects` (did you mean "subject"?)
    exit 2, stderr: error: board.toml: metrics: no metric is called "rouge"; `neurogauge list metrics` lists all
    exit 1, stderr: error: entries/good/tables: not found; expected a folder of entries, since board.toml names it
    exit 2, stderr: error: board.toml: entries/fair and entries/good have different gt/captions: their stimuli or the order of them differ; say mixed = true to compare them all the same
    exit 2, stderr: error: entries/good: cap_sim rests on a placeholder, so its numbers mean nothing; score the run with the weights or without this metric, or leave it out of `metrics` in board.toml
    "#);
    dir.write("board.toml", format!("{board}mixed = true\n"));
    dir.succeed("board make board.toml --out site");

    // Runs without a card and impossible values are reported.
    dir.remove("entries/fair/card.toml");
    let card = "system = \"good\"\nsubject = \"s\"\n[printed]\nrouge_1 = 48.5\nrouge_l = 0.5\n";
    dir.write("entries/good/card.toml", card);
    assert_snapshot!(dir.run("board make board.toml --out cards"), @r#"
    exit 0, stderr:
    warning: entries/fair: a run without a card.toml is no entry and is left out; write one with at least system = "..." and subject = "..."
    warning: entries/good/card.toml: printed.rouge_1 = 48.5: expected a value from 0 to 1, in the units of the metric
    cards/index.html: entries: 1, tables: 1
    "#);
}

#[test]
fn protocols_are_told_by_hashes_of_ids() {
    let dir = captions();
    score(&dir, "bad");
    dir.write("two.json", "{\"a\": \"a dog\", \"b\": \"a cat\"}");
    dir.succeed("score --gt captions=two.json --recon captions=two.json --metrics rouge_1 --out two");
    assert_snapshot!(dir.run("list protocols entries/bad two"), @"
    exit 0, stdout:
    entries/bad: 200 pairs, things-eeg2-200 by its ids
    two: 2 pairs, of no known protocol
    ");
    assert_snapshot!(dir.run("list protocols"), @"
    exit 0, stdout:
    nsd-982
      stimuli   982: NSD images that all subjects of the first release saw, in MindEye1's order
      ids       0 to 981, SHA-256 [HASH]
      subjects  subj01, subj02, subj05, subj07
      used by   MindEye1, Brain-Diffuser, UMBRAE, BrainHub
      known     gt/captions = BrainHub's caption/fmri_cococap.json
      known     gt/detections = BrainHub's bbox/coco_bbox_categorized.json, with the labels coco

    nsd-1000
      stimuli   1000: NSD images that all subjects saw, in MindEye2's order; 18 of them are not in nsd-982
      ids       0 to 999, SHA-256 [HASH]
      subjects  subj01, subj02, subj05, subj07
      used by   MindEye2

    nsd-515
      stimuli   515: NSD images that all eight subjects saw three times
      ids       0 to 514, SHA-256 [HASH]
      subjects  subj01 to subj08
      used by   recovery profiles

    things-eeg2-200
      stimuli   200: test images of THINGS-EEG2, one of each of 200 concepts
      ids       0 to 199, SHA-256 [HASH]
      subjects  sub-01 to sub-10
      used by   NICE, ATM, UBP
    ");
    assert_eq!(dir.json("entries/bad/run.json")["protocol"]["id"], "things-eeg2-200");
    assert!(dir.json("two/run.json")["protocol"].is_null());
    let json = dir.succeed("list protocols --format json").stdout;
    let all: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(all[0]["n_stimuli"], 982);
}

/// Runs of 200 and of 515 numbered stimuli, some of whose names are equal.
#[test]
fn runs_of_different_protocols_are_mixed_only_if_asked() {
    let dir = folder();
    for n in [200, 515] {
        let all = (0..n).map(|place| (place.to_string(), format!("a dog n{place}").into()));
        let all: Map<String, Value> = all.collect();
        dir.write(&format!("of{n}.json"), serde_json::to_string(&all).unwrap());
        dir.succeed(&format!(
            "score --gt captions=of{n}.json --recon captions=of{n}.json --metrics rouge_1 --out run{n}"
        ));
        dir.write(&format!("run{n}/card.toml"), format!("system = \"S{n}\"\nsubject = \"all\"\n"));
    }
    assert_snapshot!(dir.run("compare run200 run515"), @"exit 2, stderr: error: run200 is of the protocol things-eeg2-200 (200 stimuli) and run515 of nsd-515 (515), so pairs of the same name may show different stimuli; compare runs of one protocol, or give --mixed to compare pairs of the same name all the same");
    dir.succeed("compare run200 run515 --mixed --resamples 100");
    // A board puts them into two tables.
    dir.write("board.toml", "title = \"x\"\nentries = [\"run200\", \"run515\"]\n");
    assert_snapshot!(dir.run("board make board.toml --out site"), @"exit 0, stderr: site/index.html: entries: 2, tables: 2");
    // A record with a protocol that its pairs do not match.
    dir.write("run200/run.json", dir.read("run200/run.json").replace("\"things-eeg2-200\"", "\"nsd-515\""));
    assert_snapshot!(dir.run("board make board.toml --out again"), @r#"exit 2, stderr: error: run200/run.json: protocol "nsd-515", but the pairs in scores.parquet are of things-eeg2-200; `neurogauge board verify` says what else differs"#);
}

#[test]
fn a_mixed_board_counts_the_stimuli_that_every_system_has() {
    let dir = folder();
    for (name, stems) in [("all", &["a", "b", "c"][..]), ("few", &["a", "b"])] {
        let captions = stems.iter().map(|stem| (*stem, format!("a dog {stem}").into()));
        let captions: Map<String, Value> = captions.map(|(stem, text)| (stem.to_owned(), text)).collect();
        dir.write(&format!("{name}.json"), serde_json::to_string(&captions).unwrap());
        dir.succeed(&format!(
            "score --gt captions={name}.json --recon captions={name}.json --metrics rouge_1 --out {name}"
        ));
        dir.write(&format!("{name}/card.toml"), format!("system = \"{name}\"\nsubject = \"s\"\n"));
    }
    dir.write("board.toml", "title = \"x\"\nentries = [\"all\", \"few\"]\nmixed = true\n");
    dir.succeed("board make board.toml --out site");
    contains(&dir.read("site/index.html"), &[", 2 stimuli that every system has</h2>"]);
}
