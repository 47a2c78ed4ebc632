//! The pages and tables of a board.

use super::{captions, entry, score, site};
use crate::support::*;
use std::io::Read;

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// Asserts that every link of every page leads to a file of the site, and to an existing anchor.
fn assert_links_lead_somewhere(site: &Path) {
    let mut n = 0;
    for folder in ["", "system", "metric", "entry"] {
        for page in fs::read_dir(site.join(folder)).unwrap() {
            let page = page.unwrap().path();
            if page.extension().is_none_or(|ending| ending != "html") {
                continue;
            }
            for link in fs::read_to_string(&page).unwrap().split("href=\"").skip(1) {
                let link = link.split('"').next().unwrap();
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = page.parent().unwrap().join(file);
                assert!(target.is_file(), "{}: {link}", page.display());
                let has = |id: String| fs::read_to_string(&target).unwrap().contains(&id);
                assert!(anchor.is_empty() || has(format!("id=\"{anchor}\"")), "{}: {link}", page.display());
                n += 1;
            }
        }
    }
    assert!(n > 20, "{n}");
}

fn entries() -> Folder {
    let dir = captions();
    for system in ["good", "twin", "fair", "bad"] {
        score(&dir, system);
    }
    dir.write("board.toml", "title = \"Captions\"\nabout = \"Made up.\"\nentries = [\"entries\"]\n");
    dir
}

#[test]
fn a_board_ranks_systems_as_far_as_they_can_be_told_apart() {
    let dir = entries();
    dir.write("entries/good/card.toml", "system = \"good\"\nsubject = \"sub-01\"\n[printed]\nrouge_1 = 0.9\n");
    assert_snapshot!(dir.run("board make board.toml --out site"), @"exit 0, stderr: site/index.html: entries: 4, tables: 1");
    for page in ["index.html", "entry/good-sub-01-things-eeg2-200.html", "system/good.html", "metric/rouge-1.html"] {
        assert!(!dir.read(format!("site/{page}")).contains(dir.path().to_str().unwrap()), "{page}");
    }
    let page = dir.read("site/index.html");
    let cell = |system: &str| {
        let row = page.split("<tr>").find(|row| row.contains(&format!(">{system}</a>")));
        // The name, what it is, the first metric.
        row.unwrap().split("<td").nth(3).unwrap().to_owned()
    };
    // Two systems with equal captions share the first two ranks.
    assert!(cell("good").contains(">1.000</a> <span class=\"rank\">#1–2<"), "{}", cell("good"));
    assert!(cell("twin").contains("#1–2<"), "{}", cell("twin"));
    assert!(cell("fair").contains(">0.750</a> <span class=\"rank\">#3<"), "{}", cell("fair"));
    assert!(cell("bad").contains(">0.000</a> <span class=\"rank\">#4<"), "{}", cell("bad"));
    assert!(cell("good").contains("printed 0.900 (+0.100)"), "{}", cell("good"));
    assert!(page.contains("things-eeg2-200, 200 stimuli") && page.contains("<svg"));
    assert!(page.matches("src=").count() == 1 && page.contains("src=\"site.js\""));
    let system = dir.read("site/system/twin.html");
    assert!(system.contains("A &lt;b&gt;paper&lt;/b&gt;"), "{system}");
    // The cell links to the pairs, the captions and the commands.
    assert!(cell("fair").contains("href=\"entry/fair-sub-01-things-eeg2-200.html#rouge-1\""), "{}", cell("fair"));
    let entry = dir.read("site/entry/fair-sub-01-things-eeg2-200.html");
    let parts = [
        "<h3 id=\"rouge-1\">ROUGE-1</h3>",
        "<td>0.750</td><td class=\"text\">a red dog m0</td><td class=\"text\">a red dog n0</td>",
        "neurogauge board verify fair\n",
        "neurogauge score --from-run fair --out again\n",
        "neurogauge score --gt captions=reference.json --recon captions=fair.json --metrics rouge_1,rouge_l,cider --out again",
        "things-eeg2-200 (by its ids)",
    ];
    contains(&entry, &parts);
    let csv = unpacked(&dir.join("site/data/fair-sub-01-things-eeg2-200.csv.gz"));
    assert!(csv.starts_with("pair,rouge_1,rouge_l,cider,caption,reference\n0,0.750,"), "{csv}");
    assert!(csv.contains(",a red dog m0,a red dog n0\n"), "{csv}");
    assert_links_lead_somewhere(&dir.join("site"));
    let metric = dir.read("site/metric/rouge-1.html");
    assert!(metric.contains("<td>fair − good</td><td data-v=\"-0.25\">-0.250</td>"), "{metric}");

    // The same entries give the same bytes, here and elsewhere; a folder of other files is refused.
    dir.succeed("board make board.toml --out site");
    assert_snapshot!(dir.run("board make board.toml --out entries"), @"exit 2, stderr: error: entries: not empty; choose another folder, or --overwrite to write the site there");
    dir.succeed("board make board.toml --out again --threads 1");
    for file in [
        "index.html",
        "system/fair.html",
        "metric/cider.html",
        "entry/bad-sub-01-things-eeg2-200.html",
        "data/bad-sub-01-things-eeg2-200.csv.gz",
    ] {
        let bytes = |site: &str| fs::read(dir.join(site).join(file)).unwrap();
        assert_eq!(bytes("site"), bytes("again"), "{file}");
    }

    // The pages of a removed entry are removed; files that no site wrote remain.
    dir.write("again/CNAME", "example.org");
    fs::rename(dir.join("entries/bad"), dir.join("bad")).unwrap();
    assert_snapshot!(dir.run("board make board.toml --out again"), @"exit 2, stderr: error: again: not empty; choose another folder, or --overwrite to write the site there");
    dir.succeed("board make board.toml --out again --overwrite");
    let left = ["system/bad.html", "entry/bad-sub-01-things-eeg2-200.html", "data/bad-sub-01-things-eeg2-200.csv.gz"];
    assert!(left.iter().all(|file| dir.has(format!("site/{file}")) && !dir.has(format!("again/{file}"))));
    assert!(dir.has("again/CNAME") && dir.has("again/system/fair.html") && !dir.has("again/.unfinished-site"));
    assert_links_lead_somewhere(&dir.join("again"));
    // A stopped command resumes, whether or not it had begun to move files.
    fs::rename(dir.join("bad"), dir.join("entries/bad")).unwrap();
    dir.write("again/.unfinished-site/index.html", "half");
    let list = dir.read("again/site.json").replace("\"is_finished\": true", "\"is_finished\": false");
    dir.write("again/site.json", list);
    dir.succeed("board make board.toml --out again");
    assert_eq!(dir.read("again/site.json"), dir.read("site/site.json"));
    assert_eq!(dir.read("again/index.html"), dir.read("site/index.html"));
    // A list of files cannot lead out of the folder.
    dir.write("again/site.json", "{\"is_finished\": false, \"files\": [\"../board.toml\"]}");
    assert_snapshot!(dir.run("board make board.toml --out again"), @r#"exit 1, stderr: error: again: the name "../board.toml"; expected a name within the folder: no .., no absolute path, no control characters"#);
    assert!(dir.has("board.toml"));

    // Tables of every pair, which boards with many scores leave out.
    let board = dir.read("board.toml");
    dir.write("board.toml", format!("{board}pairs = false\n"));
    dir.succeed("board make board.toml --out small");
    assert!(!dir.has("small/data"));
    let entry = dir.read("small/entry/fair-sub-01-things-eeg2-200.html");
    contains(&entry, &["scores, so tables of every pair are left out", "a red dog m0"]);
    assert_links_lead_somewhere(&dir.join("small"));
}

#[test]
fn systems_are_in_the_order_of_the_mean_rank() {
    let dir = captions();
    // The last system by ROUGE-1 lacks the other metric, and no metric ranks one system.
    entry(&dir, "good", "rouge_1,rouge_l");
    entry(&dir, "fair", "rouge_1,rouge_l");
    entry(&dir, "bad", "rouge_1");
    dir.copy("twin.json", "alone.json");
    entry(&dir, "alone", "cider");
    let page = site(&dir, "entries");
    let rows = page.split("<tr><td><a href=\"system/").skip(1).map(|row| row.split('.').next().unwrap());
    assert_eq!(rows.collect::<Vec<_>>(), ["good", "fair", "bad", "alone"]);
    // Rows of the figure are 24 px apart.
    let figure = between(&page, "<svg class=\"means\"", "</svg>");
    for (y, system) in [(46, "good"), (70, "fair"), (94, "bad"), (118, "alone")] {
        contains(figure, &[&format!("y=\"{y}\">{system}</text>")]);
    }

    // A reader sorts columns by numbers.
    let metric = dir.read("site/metric/rouge-1.html");
    assert!(metric.contains("<td data-v=\"3\">3</td>"), "{metric}");
    let differences = metric.split("<tr>").filter(|row| row.contains(" − "));
    let n_numbers: Vec<usize> = differences.map(|row| row.matches("<td data-v=\"").count()).collect();
    assert_eq!(n_numbers, [2, 2, 2], "{metric}");
}

#[test]
fn what_tests_show_is_the_answer_and_means_are_drawn_better_to_the_right() {
    let dir = captions();
    entry(&dir, "good", "rouge_1,rouge_l");
    entry(&dir, "fair", "rouge_1,rouge_l");
    dir.prepend("entries/fair/card.toml", "about = \"Three <words> of four\"\n");
    let page = site(&dir, "entries");
    contains(
        &page,
        &[
            "<p class=\"answer\">good is shown to be better than every other system by 2 of 2 metrics.</p>",
            "<th class=\"text\">what it is</th>",
            "<td class=\"text\">Three &lt;words&gt; of four</td>",
        ],
    );
    // 1 and 0.75, each without an interval, are the ends of a scale, and two columns are as wide as columns get.
    let figure = between(&page, "<svg class=\"means\"", "</svg>");
    let x = |system: &str| -> f64 {
        let dot = figure.split("<circle ").find(|dot| dot.contains(&format!("<title>{system}: "))).unwrap();
        between(dot, "cx=\"", "\"").parse().unwrap()
    };
    assert_eq!(x("good") - x("fair"), 280.0);
    // Of equal systems none is the best.
    let twin = captions();
    entry(&twin, "good", "rouge_1");
    entry(&twin, "twin", "rouge_1");
    contains(&site(&twin, "entries"), &["By none of 1 metric is a system shown to be better than every other."]);
}

#[test]
fn pictures_are_shown_on_request_and_small() {
    let dir = images(&["1", "2", "3", "4"]);
    for (system, recon) in [("near", "gt"), ("far", "recon")] {
        dir.succeed(&format!("score gt {recon} --metrics pixcorr --out entries/{system}"));
        dir.write(&format!("entries/{system}/card.toml"), format!("system = \"{system}\"\nsubject = \"s\"\n"));
    }
    assert!(
        !site(&dir, "entries").contains("<img") && !dir.has("site/pictures"),
        "nobody said that they may be shown"
    );
    let board = "title = \"x\"\nentries = [\"entries\"]\npictures = 2\n";
    dir.write("board.toml", board);
    assert_snapshot!(dir.run("board make board.toml --out with"), @"exit 0, stderr: with/index.html: entries: 2, tables: 1");
    let page = dir.read("with/index.html");
    // Two of four stimuli, and two systems.
    let folders = fs::read_dir(dir.join("with/pictures")).unwrap().map(|folder| folder.unwrap().path());
    let n_files: usize = folders.map(|folder| fs::read_dir(folder).unwrap().count()).sum();
    assert_eq!((page.matches("<img").count(), n_files), (6, 6));
    for source in page.split("<img src=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let picture = read_rgb8(&dir.join("with").join(source)).unwrap();
        assert_eq!((picture.width_px(), picture.height_px()), (48, 48), "{source}");
    }
    assert_links_lead_somewhere(&dir.join("with"));
    // Pictures that are gone are said to be.
    dir.remove("recon");
    assert_snapshot!(dir.run("board make board.toml --out without"), @"
    exit 0, stderr:
    warning: entries/far: none of its pictures can be read, so the board shows none of it; `pictures` in board.toml asks for them
    without/index.html: entries: 2, tables: 1
    ");
    assert_eq!(dir.read("without/index.html").matches("<img").count(), 4);
}

#[test]
fn systems_whose_names_differ_in_punctuation_have_pages_of_their_own() {
    let dir = captions();
    for (system, name) in [("good", "A+B"), ("fair", "A-B"), ("bad", "模型")] {
        score(&dir, system);
        dir.write(&format!("entries/{system}/card.toml"), format!("system = \"{name}\"\nsubject = \"s 1\"\n"));
    }
    site(&dir, "entries");
    let n = |folder: &str| fs::read_dir(dir.join("site").join(folder)).unwrap().count();
    assert_eq!((n("system"), n("entry"), n("data")), (3, 3, 3));
    assert_links_lead_somewhere(&dir.join("site"));
}

#[test]
fn printed_values_of_other_programs_have_no_difference() {
    let dir = captions();
    score(&dir, "fair");
    let printed = "[printed]\nrouge_1 = { value = 0.5, by = \"ROUGE 1.5.5 <Perl>\" }\n[printed_only]\nSPICE = 0.12\n";
    dir.write("entries/fair/card.toml", format!("system = \"fair\"\nsubject = \"s\"\n{printed}"));
    contains(
        &site(&dir, "entries"),
        &["<small class=\"printed\">printed 0.500 by ROUGE 1.5.5 &lt;Perl&gt;</small>"],
    );
    contains(&dir.read("site/system/fair.html"), &["<dt>printed, not computed here</dt><dd>SPICE 0.12</dd>"]);
}

#[test]
fn brainhubs_captions_make_a_board() {
    let Some(data) = shared_data("brainhub/captions") else {
        return;
    };
    let dir = folder();
    for system in ["umbrae", "sdrecon", "braincap", "onellm"] {
        dir.succeed(&format!(
            "score --gt captions={0}/reference_coco.json --recon captions={0}/{system}-subj01.json --metrics rouge_l,cider --out entries/{system}",
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
    let page = site(&dir, "entries");
    assert!(page.contains("nsd-982, 982 stimuli"), "the declared and the found protocol are the same");
    // BrainHub's README prints 40.69 and 41.30.
    let row = page.split("<tr>").find(|row| row.contains(">BrainCap</a>")).unwrap();
    for printed in ["0.407", "0.413"] {
        assert!(row.contains(&format!("printed {printed} (the\u{a0}same)")), "{row}");
    }
}

#[test]
fn tables_of_pairs_hold_no_formulas() {
    let dir = folder();
    dir.write("captions.json", r#"{"=a": "@dog", "b": "-a \"red\" dog"}"#);
    dir.succeed("score --gt captions=captions.json --recon captions=captions.json --metrics rouge_1 --out run");
    dir.write("run/card.toml", "system = \"x\"\nsubject = \"s\"\n");
    site(&dir, "run");
    let files: Vec<_> = fs::read_dir(dir.join("site/data")).unwrap().map(|file| file.unwrap().path()).collect();
    let csv = unpacked(&files[0]);
    for line in ["'=a,1.000,'@dog,'@dog", r#"b,1.000,"'-a ""red"" dog","'-a ""red"" dog""#] {
        assert!(csv.lines().any(|other| other == line), "{line}\n{csv}");
    }
}
