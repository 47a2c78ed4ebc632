//! `neurogauge board` and `neurogauge protocols`: the site of entries, and entries that were changed.

use crate::support::{Folder, arg, folder, scores, shared_data, wordnet};
use insta::assert_snapshot;
use neurogauge::formats::scores_parquet;
use std::path::Path;

const N: usize = 200;

/// Captions of 200 stimuli: references, and what systems say. `good` has all words right, `fair` three of four, `bad` none.
fn captions(dir: &Folder) {
    let write = |name: &str, caption: &dyn Fn(usize) -> String| {
        let all = (0..N).map(|place| (place.to_string(), caption(place)));
        let all: serde_json::Map<String, serde_json::Value> =
            all.map(|(stem, text)| (stem, text.into())).collect();
        dir.write(name, serde_json::to_string(&all).unwrap());
    };
    let thing = |place: usize| ["dog", "boat", "train", "pizza", "zebra"][place % 5];
    write("reference.json", &|place| {
        format!("a red {} n{place}", thing(place))
    });
    write("good.json", &|place| {
        format!("a red {} n{place}", thing(place))
    });
    write("twin.json", &|place| {
        format!("a red {} n{place}", thing(place))
    });
    write("fair.json", &|place| {
        format!("a red {} m{place}", thing(place))
    });
    write("bad.json", &|place| format!("nothing of it{place}"));
}

fn score(dir: &Folder, system: &str) {
    dir.succeed(&format!(
        "score --gt-captions reference.json --recon-captions {system}.json --metrics rouge_1,rouge_l,cider --out entries/{system}"
    ));
    dir.write(
        &format!("entries/{system}/card.toml"),
        format!("system = \"{system}\"\nsubject = \"sub-01\"\npaper = \"A <b>paper</b>\"\nlicence = \"MIT\"\n"),
    );
}

fn entries() -> Folder {
    let dir = folder();
    captions(&dir);
    for system in ["good", "twin", "fair", "bad"] {
        score(&dir, system);
    }
    dir.write(
        "board.toml",
        "title = \"Captions\"\nabout = \"Made up.\"\nentries = [\"entries\"]\n",
    );
    dir
}

#[test]
fn a_board_ranks_systems_as_far_as_they_can_be_told_apart() {
    let dir = entries();
    dir.write(
        "entries/good/card.toml",
        "system = \"good\"\nsubject = \"sub-01\"\n[printed]\nrouge_1 = 0.9\n",
    );
    assert_snapshot!(dir.run("board make board.toml --out site"), @"exit 0, stderr: site/index.html: entries: 4, tables: 1");
    let page = dir.read("site/index.html");
    let cell = |system: &str| {
        let row = page
            .split("<tr>")
            .find(|row| row.contains(&format!(">{system}</a>")));
        row.unwrap().split("<td").nth(2).unwrap().to_owned()
    };
    // Two systems that say the same share the first two ranks.
    assert!(
        cell("good").contains(">1.000</a> <span class=\"rank\">#1–2<"),
        "{}",
        cell("good")
    );
    assert!(cell("twin").contains("#1–2<"), "{}", cell("twin"));
    assert!(
        cell("fair").contains(">0.750</a> <span class=\"rank\">#3<"),
        "{}",
        cell("fair")
    );
    assert!(
        cell("bad").contains(">0.000</a> <span class=\"rank\">#4<"),
        "{}",
        cell("bad")
    );
    assert!(
        cell("good").contains("printed 0.900 (+0.100)"),
        "{}",
        cell("good")
    );
    assert!(page.contains("things-eeg2-200, 200 stimuli") && page.contains("<svg"));
    assert!(!page.contains("src="), "the page loads nothing");
    let system = dir.read("site/system/twin.html");
    assert!(system.contains("A &lt;b&gt;paper&lt;/b&gt;"), "{system}");
    assert!(system.contains("neurogauge board verify twin"));
    let csv = dir.read("site/data/fair-sub-01-things-eeg2-200.csv");
    assert!(
        csv.starts_with("pair,rouge_1,rouge_l,cider,caption\n\"0\",0.75,"),
        "{csv}"
    );
    assert!(csv.contains("\"a red dog m0\""));
    let metric = dir.read("site/metric/rouge-1.html");
    assert!(
        metric.contains("<td>fair − good</td><td>-0.250</td>"),
        "{metric}"
    );

    // The same entries give the same bytes, and a folder in use is not written into.
    assert_snapshot!(dir.run("board make board.toml --out site"), @"exit 2, stderr: error: site: not empty; choose another folder, or --overwrite to write the site there");
    dir.succeed("board make board.toml --out again --threads 1");
    for file in [
        "index.html",
        "system/fair.html",
        "metric/cider.html",
        "data/bad-sub-01-things-eeg2-200.csv",
    ] {
        assert_eq!(
            dir.read(Path::new("site").join(file)),
            dir.read(Path::new("again").join(file))
        );
    }
}

#[test]
fn an_entry_is_computed_again_and_what_was_changed_is_found() {
    let dir = folder();
    captions(&dir);
    score(&dir, "fair");
    assert_snapshot!(dir.run("board verify entries/fair"), @"exit 0, stdout: entries/fair: same bits");
    let run = dir.join("entries/fair");
    let file = run.join("scores.parquet");
    let original = scores(&run);
    let changed = |change: &dyn Fn(&mut neurogauge::core::ScoreTable)| {
        let mut table = original.clone();
        change(&mut table);
        scores_parquet::write(&file, &table).unwrap();
        dir.run("board verify entries/fair").to_string()
    };
    // A better score.
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
    // Pairs under other names.
    assert_snapshot!(changed(&|table| table.pairs.swap(3, 7)), @r#"
    exit 1, stdout:
    entries/fair: differs
      pair "7" where the inputs have "3"
    stderr: error: 1 of the entries above do not have the scores that their inputs give
    "#);
    // A metric that is left out.
    assert_snapshot!(changed(&|table| { table.columns.remove(1); }), @"exit 1, stderr: error: entries/fair/scores.parquet: not found; expected scores of rouge_l, which run.json has");
    scores_parquet::write(&file, &original).unwrap();
    // Inputs elsewhere, and other inputs.
    std::fs::rename(dir.join("fair.json"), dir.join("moved.json")).unwrap();
    assert_snapshot!(dir.run("board verify entries/fair --recon-captions moved.json"), @"exit 0, stdout: entries/fair: same bits");
    assert_snapshot!(dir.run("board verify entries/fair --recon-captions good.json"), @r#"exit 1, stderr: error: recon/captions "" ([DIR]/good.json) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run"#);
}

#[test]
fn boards_and_cards_that_do_not_fit_are_refused() {
    let dir = folder();
    captions(&dir);
    score(&dir, "good");
    score(&dir, "fair");
    let good = "system = \"good\"\nsubject = \"sub-01\"\n";
    let mut said = String::new();
    let mut refused = |what: &str, card: &str, board: &str| {
        dir.write("entries/good/card.toml", card);
        dir.write("board.toml", board);
        said += &format!(
            "{what}\n  {}\n",
            dir.run("board make board.toml --out site")
        );
    };
    let board = "title = \"x\"\nentries = [\"entries\"]\n";
    refused("twice", "system = \"fair\"\nsubject = \"sub-01\"\n", board);
    refused(
        "protocol",
        &format!("{good}protocol = \"nsd-982\"\n"),
        board,
    );
    refused(
        "unknown protocol",
        &format!("{good}protocol = \"nsd\"\n"),
        board,
    );
    refused("printed", &format!("{good}[printed]\nrouge = 1\n"), board);
    refused("key", &format!("{good}subjects = 1\n"), board);
    refused("metric", good, &format!("{board}metrics = [\"rouge\"]\n"));
    refused(
        "empty",
        good,
        "title = \"x\"\nentries = [\"entries/good/tables\", \".\"]\n",
    );
    // The stimuli of one entry change.
    let reference = dir.read("reference.json").replace("red dog", "brown dog");
    dir.write("reference.json", reference);
    dir.succeed("score --gt-captions reference.json --recon-captions good.json --metrics rouge_1 --out entries/good --overwrite");
    refused("other stimuli", good, board);
    assert_snapshot!(said, @r#"
    twice
      exit 2, stderr: error: board.toml: entries/fair and entries/good are both of fair, sub-01; give one of them another name of system or subject
    protocol
      exit 2, stderr: error: entries/good/card.toml: protocol = "nsd-982": expected 982 pairs, called 0 to 981; the run has 200, from "0" to "199"
    unknown protocol
      exit 2, stderr: error: entries/good/card.toml: protocol = "nsd": unknown; `neurogauge protocols` lists all
    printed
      exit 2, stderr: error: entries/good/card.toml: printed.rouge: no metric is called so; `neurogauge metrics` lists all
    key
      exit 2, stderr: error: entries/good/card.toml:3: unknown field `subjects`, expected one of `system`, `subject`, `protocol`, `authors`, `paper`, `code`, `data`, `licence`, `printed`, `printed_in`
    metric
      exit 2, stderr: error: board.toml: metrics: no metric is called "rouge"; `neurogauge metrics` lists all
    empty
      exit 1, stderr: error: entries/good/tables: reading failed: No such file or directory
    other stimuli
      exit 2, stderr: error: board.toml: entries/fair and entries/good have different gt/captions: their stimuli or the order of them differ; say mixed = true to compare them all the same
    "#);
    dir.write("board.toml", format!("{board}mixed = true\n"));
    dir.succeed("board make board.toml --out site");
}

#[test]
fn protocols_are_told_by_number_and_numbering() {
    let dir = folder();
    captions(&dir);
    score(&dir, "bad");
    dir.write("two.json", "{\"a\": \"a dog\", \"b\": \"a cat\"}");
    dir.succeed(
        "score --gt-captions two.json --recon-captions two.json --metrics rouge_1 --out two",
    );
    assert_snapshot!(dir.run("protocols entries/bad two"), @"
    exit 0, stdout:
    entries/bad: 200 pairs, numbered as things-eeg2-200
    two: 2 pairs, of no known protocol
    ");
    assert_snapshot!(dir.run("protocols"), @"
    exit 0, stdout:
    nsd-982
      stimuli   982: NSD images that all subjects of the first release saw, in MindEye1's order
      subjects  subj01, subj02, subj05, subj07
      used by   MindEye1, Brain-Diffuser, UMBRAE, BrainHub

    nsd-1000
      stimuli   1000: NSD images that all subjects saw, in MindEye2's order; 18 of them are not in nsd-982
      subjects  subj01, subj02, subj05, subj07
      used by   MindEye2

    nsd-515
      stimuli   515: NSD images that all eight subjects saw three times
      subjects  subj01 to subj08
      used by   recovery profiles

    things-eeg2-200
      stimuli   200: test images of THINGS-EEG2, one of each of 200 concepts
      subjects  sub-01 to sub-10
      used by   NICE, ATM, UBP
    ");
    let json = dir.succeed("protocols --format json").stdout;
    let all: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(all[0]["n_stimuli"], 982);
}

#[test]
fn metrics_of_words_are_those_of_the_caption_command_and_can_be_compared() {
    let dir = folder();
    captions(&dir);
    let wordnet = wordnet();
    let metrics = "meteor,rouge_1,rouge_2,rouge_l_f1,rouge_l,cider";
    for system in ["good", "fair"] {
        dir.succeed(&format!(
            "score --gt-captions reference.json --recon-captions {system}.json --metrics {metrics} --wordnet {} --out {system}",
            arg(&wordnet)
        ));
    }
    dir.succeed(&format!(
        "caption --reference reference.json --decoded fair.json --image-captions good.json --metrics meteor,rouge_1,rouge_2,rouge_l_f1 \
         --wordnet {} --out captions --resamples 100",
        arg(&wordnet)
    ));
    let (run, captions) = (scores(&dir.join("fair")), scores(&dir.join("captions")));
    for metric in metrics.split(',') {
        let column = captions.column(&format!("fair/{metric}")).unwrap();
        assert_eq!(run.column(metric).unwrap(), column, "{metric}");
    }
    // Three of four words are right; the captions of the images are the references.
    let value = |row, metric| crate::brainhub::value(&dir.join("captions"), row, metric);
    assert!((value("fair", "rouge_1") - 0.75).abs() < 1e-12);
    assert!((value("fair / image", "rouge_1") - 0.75).abs() < 1e-12);
    assert!((value("image", "rouge_1") - 1.0).abs() < 1e-12);
    // One run of three words of four: (1 - 0.5 / 27) 0.75.
    assert!((value("fair", "meteor") - 0.75 * (1.0 - 0.5 / 27.0)).abs() < 1e-12);
    let compared = dir
        .succeed("compare good fair --metrics meteor,rouge_2 --resamples 100")
        .stdout;
    assert!(
        compared.contains("METEOR") && compared.contains("ROUGE-2"),
        "{compared}"
    );
    assert_snapshot!(dir.run("caption --reference reference.json --decoded fair.json --metrics ssim --out x"), @r#"exit 2, stderr: error: "ssim" is no metric of the words of captions; expected meteor, rouge_1, rouge_2, rouge_l_f1, rouge_l, cider"#);
}

#[test]
fn brainhubs_captions_make_a_board() {
    let Some(data) = shared_data("brainhub/captions") else {
        return;
    };
    let dir = folder();
    for system in ["umbrae", "sdrecon", "braincap", "onellm"] {
        dir.succeed(&format!(
            "score --gt-captions {0}/reference_coco.json --recon-captions {0}/{system}-subj01.json --metrics rouge_l,cider --out entries/{system}",
            arg(&data)
        ));
        dir.write(
            &format!("entries/{system}/card.toml"),
            format!("system = \"{system}\"\nsubject = \"subj01\"\nprotocol = \"nsd-982\"\n"),
        );
    }
    dir.write(
        "entries/braincap/card.toml",
        "system = \"BrainCap\"\nsubject = \"subj01\"\nprinted_in = \"BrainHub's README\"\n[printed]\nrouge_l = 0.4069\ncider = 0.4130\n",
    );
    dir.write(
        "board.toml",
        "title = \"BrainHub\"\nentries = [\"entries\"]\n",
    );
    dir.succeed("board make board.toml --out site");
    let page = dir.read("site/index.html");
    assert!(
        page.contains("nsd-982, 982 stimuli"),
        "the declared and the found protocol are the same"
    );
    // BrainHub's README prints 40.69 and 41.30.
    let row = page
        .split("<tr>")
        .find(|row| row.contains(">BrainCap</a>"))
        .unwrap();
    for printed in ["0.407", "0.413"] {
        let same = format!("printed {printed} (the same)");
        assert!(row.contains(&same), "{row}");
    }
}
