//! `neurogauge board` and `neurogauge protocols`: the site of entries, and entries that were changed.

use crate::support::{Folder, arg, folder, scores, shared_data, wordnet};
use insta::assert_snapshot;
use neurogauge::formats::scores_parquet;
use std::io::Read;
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

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .unwrap();
    text
}

/// Every link of every page is to a file of the site, and to a place that the page has.
fn assert_links_lead_somewhere(site: &Path) {
    let mut n = 0;
    for folder in ["", "system", "metric", "entry"] {
        for page in std::fs::read_dir(site.join(folder)).unwrap() {
            let page = page.unwrap().path();
            if page.extension().is_none_or(|ending| ending != "html") {
                continue;
            }
            let text = std::fs::read_to_string(&page).unwrap();
            for link in text.split("href=\"").skip(1) {
                let link = link.split('"').next().unwrap();
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = page.parent().unwrap().join(file);
                assert!(target.is_file(), "{}: {link}", page.display());
                let id = format!("id=\"{anchor}\"");
                assert!(
                    anchor.is_empty() || std::fs::read_to_string(&target).unwrap().contains(&id),
                    "{}: {link}",
                    page.display()
                );
                n += 1;
            }
        }
    }
    assert!(n > 20, "{n}");
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
    assert!(page.matches("src=").count() == 1 && page.contains("src=\"site.js\""));
    let system = dir.read("site/system/twin.html");
    assert!(system.contains("A &lt;b&gt;paper&lt;/b&gt;"), "{system}");
    // The cell leads to the pairs, the captions and the commands.
    assert!(
        cell("fair").contains("href=\"entry/fair-sub-01-things-eeg2-200.html#rouge-1\""),
        "{}",
        cell("fair")
    );
    let entry = dir.read("site/entry/fair-sub-01-things-eeg2-200.html");
    for part in [
        "<h3 id=\"rouge-1\">ROUGE-1</h3>",
        "<td>0.750</td><td class=\"text\">a red dog m0</td><td class=\"text\">a red dog n0</td>",
        "neurogauge board verify fair\n",
        "neurogauge score --from-run fair --out again\n",
        "neurogauge score --gt-captions reference.json --recon-captions fair.json --metrics rouge_1,rouge_l,cider --out again",
        "things-eeg2-200 (by its ids)",
    ] {
        assert!(entry.contains(part), "{part}\n{entry}");
    }
    let csv = unpacked(&dir.join("site/data/fair-sub-01-things-eeg2-200.csv.gz"));
    assert!(
        csv.starts_with("pair,rouge_1,rouge_l,cider,caption,reference\n0,0.750,"),
        "{csv}"
    );
    assert!(csv.contains(",a red dog m0,a red dog n0\n"), "{csv}");
    assert_links_lead_somewhere(&dir.join("site"));
    let metric = dir.read("site/metric/rouge-1.html");
    assert!(
        metric.contains("<td>fair − good</td><td data-v=\"-0.25\">-0.250</td>"),
        "{metric}"
    );

    // The same entries give the same bytes, and a folder in use is not written into.
    assert_snapshot!(dir.run("board make board.toml --out site"), @"exit 2, stderr: error: site: not empty; choose another folder, or --overwrite to write the site there");
    dir.succeed("board make board.toml --out again --threads 1");
    for file in [
        "index.html",
        "system/fair.html",
        "metric/cider.html",
        "entry/bad-sub-01-things-eeg2-200.html",
        "data/bad-sub-01-things-eeg2-200.csv.gz",
    ] {
        let bytes = |site: &str| std::fs::read(dir.join(site).join(file)).unwrap();
        assert_eq!(bytes("site"), bytes("again"), "{file}");
    }

    // Tables of every pair, which boards of many scores do not have.
    let board = dir.read("board.toml");
    dir.write("board.toml", format!("{board}pairs = false\n"));
    dir.succeed("board make board.toml --out small");
    assert!(!dir.join("small/data").exists());
    let entry = dir.read("small/entry/fair-sub-01-things-eeg2-200.html");
    assert!(
        entry.contains("scores, so tables of every pair are left out")
            && entry.contains("a red dog m0"),
        "{entry}"
    );
    assert_links_lead_somewhere(&dir.join("small"));
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
    dir.succeed(
        "score --gt-captions reference.json --recon-captions good.json --metrics rouge_1,cap_sim --text-encoder placeholder --out entries/good --overwrite",
    );
    refused("placeholder", good, board);
    dir.succeed("score --gt-captions reference.json --recon-captions good.json --metrics rouge_1 --out entries/good --overwrite");
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
      exit 2, stderr: error: entries/good/card.toml:3: unknown field `subjects`, expected one of `system`, `subject`, `protocol`, `authors`, `paper`, `code`, `data`, `licence`, `printed`, `printed_only`, `printed_in`
    metric
      exit 2, stderr: error: board.toml: metrics: no metric is called "rouge"; `neurogauge metrics` lists all
    empty
      exit 1, stderr: error: entries/good/tables: reading failed: No such file or directory
    other stimuli
      exit 2, stderr: error: board.toml: entries/fair and entries/good have different gt/captions: their stimuli or the order of them differ; say mixed = true to compare them all the same
    placeholder
      exit 2, stderr: error: entries/good: cap_sim rests on a placeholder, so its numbers mean nothing; score the run with the weights, or without this metric
    "#);
    dir.write("board.toml", format!("{board}mixed = true\n"));
    dir.succeed("board make board.toml --out site");
}

#[test]
fn protocols_are_told_by_hashes_of_ids() {
    let dir = folder();
    captions(&dir);
    score(&dir, "bad");
    dir.write("two.json", "{\"a\": \"a dog\", \"b\": \"a cat\"}");
    dir.succeed(
        "score --gt-captions two.json --recon-captions two.json --metrics rouge_1 --out two",
    );
    assert_snapshot!(dir.run("protocols entries/bad two"), @"
    exit 0, stdout:
    entries/bad: 200 pairs, things-eeg2-200 by its ids
    two: 2 pairs, of no known protocol
    ");
    assert_snapshot!(dir.run("protocols"), @"
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
    assert_eq!(
        dir.json("entries/bad/run.json")["protocol"]["id"],
        "things-eeg2-200"
    );
    assert!(dir.json("two/run.json")["protocol"].is_null());
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
        let same = format!("printed {printed} (the\u{a0}same)");
        assert!(row.contains(&same), "{row}");
    }
}

/// Runs of 200 and of 515 numbered stimuli, whose names are partly the same.
#[test]
fn runs_of_different_protocols_are_mixed_only_if_asked() {
    let dir = folder();
    for n in [200, 515] {
        let all = (0..n).map(|place| (place.to_string(), format!("a dog n{place}").into()));
        let all: serde_json::Map<String, serde_json::Value> = all.collect();
        dir.write(&format!("of{n}.json"), serde_json::to_string(&all).unwrap());
        dir.succeed(&format!(
            "score --gt-captions of{n}.json --recon-captions of{n}.json --metrics rouge_1 --out run{n}"
        ));
        dir.write(
            &format!("run{n}/card.toml"),
            format!("system = \"S{n}\"\nsubject = \"all\"\n"),
        );
    }
    assert_snapshot!(dir.run("compare run200 run515"), @"exit 2, stderr: error: run200 is of the protocol things-eeg2-200 (200 stimuli) and run515 of nsd-515 (515), so pairs of the same name may show different stimuli; compare runs of one protocol, or give --mixed to compare pairs of the same name all the same");
    dir.succeed("compare run200 run515 --mixed --resamples 100");
    // A board puts them into two tables.
    dir.write(
        "board.toml",
        "title = \"x\"\nentries = [\"run200\", \"run515\"]\n",
    );
    assert_snapshot!(dir.run("board make board.toml --out site"), @"exit 0, stderr: site/index.html: entries: 2, tables: 2");
    // A record that names another protocol than its pairs have.
    let record = dir.read("run200/run.json");
    dir.write(
        "run200/run.json",
        record.replace("\"things-eeg2-200\"", "\"nsd-515\""),
    );
    assert_snapshot!(dir.run("board make board.toml --out again"), @r#"exit 2, stderr: error: run200/run.json: protocol "nsd-515", but the pairs in scores.parquet are of things-eeg2-200; `neurogauge board verify` says what else differs"#);
}

#[test]
fn systems_whose_names_differ_in_punctuation_have_pages_of_their_own() {
    let dir = folder();
    captions(&dir);
    for (system, name) in [("good", "A+B"), ("fair", "A-B"), ("bad", "模型")] {
        score(&dir, system);
        dir.write(
            &format!("entries/{system}/card.toml"),
            format!("system = \"{name}\"\nsubject = \"s 1\"\n"),
        );
    }
    dir.write("board.toml", "title = \"x\"\nentries = [\"entries\"]\n");
    dir.succeed("board make board.toml --out site");
    let n = |folder: &str| {
        std::fs::read_dir(dir.join("site").join(folder))
            .unwrap()
            .count()
    };
    assert_eq!((n("system"), n("entry"), n("data")), (3, 3, 3));
    assert_links_lead_somewhere(&dir.join("site"));
}

#[test]
fn printed_values_of_other_programs_have_no_difference() {
    let dir = folder();
    captions(&dir);
    score(&dir, "fair");
    dir.write(
        "entries/fair/card.toml",
        "system = \"fair\"\nsubject = \"s\"\n[printed]\nrouge_1 = { value = 0.5, by = \"ROUGE 1.5.5 <Perl>\" }\n[printed_only]\nSPICE = 0.12\n",
    );
    dir.write("board.toml", "title = \"x\"\nentries = [\"entries\"]\n");
    dir.succeed("board make board.toml --out site");
    let page = dir.read("site/index.html");
    assert!(
        page.contains("<small class=\"printed\">printed 0.500 by ROUGE 1.5.5 &lt;Perl&gt;</small>"),
        "{page}"
    );
    let system = dir.read("site/system/fair.html");
    assert!(
        system.contains("<dt>printed, not computed here</dt><dd>SPICE 0.12</dd>"),
        "{system}"
    );
}

/// BLEU of a run is BLEU of all its captions together, as `caption` has it; so are its pairs' own values.
#[test]
fn bleu_of_a_run_is_that_of_the_corpus() {
    let dir = folder();
    captions(&dir);
    for system in ["fair", "bad"] {
        dir.succeed(&format!(
            "score --gt-captions reference.json --recon-captions {system}.json --metrics bleu_1,bleu_2 --out {system}"
        ));
    }
    dir.succeed(
        "caption --reference reference.json --decoded fair.json --out captions --resamples 100",
    );
    let (run, captions) = (scores(&dir.join("fair")), scores(&dir.join("captions")));
    let summary = dir.json("fair/summary.json");
    for metric in ["bleu_1", "bleu_2"] {
        let column = captions.column(&format!("fair/{metric}")).unwrap();
        assert_eq!(run.column(metric).unwrap(), column, "{metric}");
        let value = crate::brainhub::value(&dir.join("captions"), "fair", metric);
        let found = summary[metric]["mean"].as_f64().unwrap();
        assert!((found - value).abs() < 1e-9, "{metric}: {found} {value}");
    }
    assert!((summary["bleu_1"]["mean"].as_f64().unwrap() - 0.75).abs() < 1e-9);
    let compared = dir
        .succeed("compare fair bad --metrics bleu_1 --resamples 100")
        .stdout;
    assert!(compared.contains("BLEU-1"), "{compared}");
    // Without its pseudo-values, a run has no value: those of pairs have another mean.
    std::fs::write(
        dir.join("few.json"),
        r#"{"0": "a red dog m0", "1": "a boat"}"#,
    )
    .unwrap();
    dir.succeed("score --gt-captions reference.json --recon-captions few.json --metrics bleu_1 --out few --pairs shared");
    let compared = dir.succeed("compare fair few --resamples 100").stdout;
    assert!(
        compared.contains("BLEU-1: of the shared pairs to first order, since it is computed of all pairs of a run together"),
        "{compared}"
    );
}

/// Accuracy and overlap of boxes of a run are those of `ground`, over the boxes of all images.
#[test]
fn boxes_of_a_run_are_grounded_as_by_ground() {
    let dir = folder();
    let boxes = |shift: f64| {
        serde_json::json!({
            "0": {"dog": [[0.0, 0.0, 0.5, 0.5], [0.6, 0.6, 0.9, 0.9]], "cat": [[0.2, 0.2, 0.4, 0.6]]},
            "1": {"boat": [[0.1 + shift, 0.1, 0.5, 0.5]]},
            "2": {"person": [[0.0, 0.2 + shift, 0.8, 0.8]], "kite": [[0.1, 0.1, 0.2, 0.3 + shift]]},
        })
    };
    dir.write("gt.json", boxes(0.0).to_string());
    dir.write("near.json", boxes(0.05).to_string());
    dir.write("far.json", boxes(0.25).to_string().replace("kite", "car"));
    for system in ["near", "far"] {
        dir.succeed(&format!(
            "ground --reference gt.json --decoded {system}.json --out ground-{system}"
        ));
        dir.succeed(&format!(
            "score --gt-detections gt.json --recon-detections {system}.json --labels coco --metrics grounding_accuracy,grounding_iou --out {system}"
        ));
        let summary = dir.json(format!("{system}/summary.json"));
        let ground = dir.join(format!("ground-{system}"));
        for (metric, of_ground) in [("grounding_accuracy", "accuracy"), ("grounding_iou", "iou")] {
            let (found, value) = (
                &summary[metric]["mean"],
                crate::brainhub::value(&ground, "all", of_ground),
            );
            assert!(
                (found.as_f64().unwrap() - value).abs() < 1e-12,
                "{system} {metric}: {found} {value}"
            );
            let column = scores(&ground);
            let column = column.column(&format!("all/{of_ground}")).unwrap();
            let of_run = scores(&dir.join(system));
            let pairs = of_run.column(metric).unwrap().iter().zip(column);
            for (found, of_ground) in pairs {
                let (found, of_ground) = (found.clone().unwrap(), of_ground.clone().unwrap());
                assert!((found - of_ground).abs() < 1e-12, "{found} {of_ground}");
            }
        }
    }
    let compared = dir.succeed("compare near far --resamples 100").stdout;
    assert!(
        compared.contains("Acc@0.5") && compared.contains("Grounding IoU"),
        "{compared}"
    );
}

#[test]
fn brainhubs_boxes_have_the_readmes_values_in_a_run() {
    let Some(data) = shared_data("brainhub/boxes") else {
        return;
    };
    let dir = folder();
    dir.succeed(&format!(
        "score --gt-detections {0}/reference_coco.json --recon-detections {0}/umbrae-subj01.json --labels coco \
         --metrics object_f1,grounding_accuracy,grounding_iou --out run",
        arg(&data)
    ));
    let summary = dir.json("run/summary.json");
    for (metric, printed) in [("grounding_accuracy", 18.93), ("grounding_iou", 21.28)] {
        let found = 100.0 * summary[metric]["mean"].as_f64().unwrap();
        assert!(
            (found - printed).abs() < 0.00501,
            "{metric}: {found} {printed}"
        );
    }
    // The boxes are BrainHub's, by their hash.
    assert_eq!(
        dir.json("run/run.json")["protocol"]["by"],
        "ids_and_stimuli"
    );
}

#[test]
fn names_beside_the_ranks_are_in_the_order_of_the_mean_rank() {
    let dir = folder();
    captions(&dir);
    // The last system of ROUGE-1 lacks the other metric, and one system is ranked by none.
    for (system, metrics) in [
        ("good", "rouge_1,rouge_l"),
        ("fair", "rouge_1,rouge_l"),
        ("bad", "rouge_1"),
        ("alone", "cider"),
    ] {
        std::fs::copy(dir.join("twin.json"), dir.join("alone.json")).unwrap();
        dir.succeed(&format!(
            "score --gt-captions reference.json --recon-captions {system}.json --metrics {metrics} --out entries/{system}"
        ));
        dir.write(
            &format!("entries/{system}/card.toml"),
            format!("system = \"{system}\"\nsubject = \"sub-01\"\n"),
        );
    }
    dir.write("board.toml", "title = \"x\"\nentries = [\"entries\"]\n");
    dir.succeed("board make board.toml --out site");
    let page = dir.read("site/index.html");
    let figure = page.split("<svg").nth(1).unwrap();
    for (rank, system) in [("67.0", "good"), ("101.0", "fair"), ("135.0", "bad")] {
        let name = format!("y=\"{rank}\">{system}</text>");
        assert!(figure.contains(&name), "{name}\n{figure}");
    }
    assert!(!figure.contains(">alone</text>"), "{figure}");

    // What is sorted is a number.
    let metric = dir.read("site/metric/rouge-1.html");
    assert!(metric.contains("<td data-v=\"3\">3</td>"), "{metric}");
    let differences = metric.split("<tr>").filter(|row| row.contains(" − "));
    let n_numbers: Vec<usize> = differences
        .map(|row| row.matches("<td data-v=\"").count())
        .collect();
    assert_eq!(n_numbers, [2, 2, 2], "{metric}");
}

#[test]
fn a_mixed_board_counts_the_stimuli_that_every_system_has() {
    let dir = folder();
    for (name, stems) in [("all", &["a", "b", "c"][..]), ("few", &["a", "b"])] {
        let captions = stems
            .iter()
            .map(|stem| (*stem, format!("a dog {stem}").into()));
        let captions: serde_json::Map<String, serde_json::Value> = captions
            .map(|(stem, text)| (stem.to_owned(), text))
            .collect();
        dir.write(
            &format!("{name}.json"),
            serde_json::to_string(&captions).unwrap(),
        );
        dir.succeed(&format!(
            "score --gt-captions {name}.json --recon-captions {name}.json --metrics rouge_1 --out {name}"
        ));
        dir.write(
            &format!("{name}/card.toml"),
            format!("system = \"{name}\"\nsubject = \"s\"\n"),
        );
    }
    dir.write(
        "board.toml",
        "title = \"x\"\nentries = [\"all\", \"few\"]\nmixed = true\n",
    );
    dir.succeed("board make board.toml --out site");
    let page = dir.read("site/index.html");
    assert!(
        page.contains(", 2 stimuli that every system has</h2>"),
        "{page}"
    );
}

#[test]
fn tables_of_pairs_hold_no_formulas() {
    let dir = folder();
    dir.write("captions.json", r#"{"=a": "@dog", "b": "-a \"red\" dog"}"#);
    dir.succeed("score --gt-captions captions.json --recon-captions captions.json --metrics rouge_1 --out run");
    dir.write("run/card.toml", "system = \"x\"\nsubject = \"s\"\n");
    dir.write("board.toml", "title = \"x\"\nentries = [\"run\"]\n");
    dir.succeed("board make board.toml --out site");
    let files = std::fs::read_dir(dir.join("site/data")).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    let csv = unpacked(&files[0]);
    for line in [
        "'=a,1.000,'@dog,'@dog",
        r#"b,1.000,"'-a ""red"" dog","'-a ""red"" dog""#,
    ] {
        assert!(csv.lines().any(|other| other == line), "{line}\n{csv}");
    }
}

#[test]
fn runs_without_a_card_and_values_that_cannot_be_are_said() {
    let dir = folder();
    captions(&dir);
    score(&dir, "good");
    score(&dir, "fair");
    std::fs::remove_file(dir.join("entries/fair/card.toml")).unwrap();
    let card = "system = \"good\"\nsubject = \"s\"\n[printed]\nrouge_1 = 48.5\nrouge_l = 0.5\n";
    dir.write("entries/good/card.toml", card);
    dir.write("board.toml", "title = \"x\"\nentries = [\"entries\"]\n");
    assert_snapshot!(dir.run("board make board.toml --out site"), @r#"
    exit 0, stderr:
    warning: entries/fair: a run without a card.toml is no entry and is left out; write one with at least system = "..." and subject = "..."
    warning: entries/good/card.toml: printed.rouge_1 = 48.5: expected a value from 0 to 1, in the units of the metric
    site/index.html: entries: 1, tables: 1
    "#);
}
