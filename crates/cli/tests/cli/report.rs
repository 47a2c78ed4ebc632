//! `neurogauge report`: one file with the contents of the runs, from which no user's text can escape.

use crate::support::alignments::Arrays;
use crate::support::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A file's stem may contain anything except a slash.
const HOSTILE: &str = "<img src=x onerror=alert(1)>";
const STEMS: [&str; 4] = ["1", "2", HOSTILE, "10"];
const BOX: [f64; 4] = [4.0, 8.0, 16.0, 32.0];

/// Makes a run, `run/<name>`, of images with captions and detections, whose reconstructions have this much grain.
fn run(dir: &Folder, name: &str, grain: f32) {
    run_of(dir, name, grain, "pixcorr,ssim,object_f1,cap_sim,snm");
}

/// Such a run with these metrics; the text encoder is a placeholder.
fn run_of(dir: &Folder, name: &str, grain: f32, metrics: &str) {
    let observed = dir.join("observed").join(name);
    for side in ["gt", "recon"] {
        write_captions(&observed.join(side), &STEMS.map(|stem| (stem, "</script><!-- <script>alert(1)</script>")));
        for stem in STEMS {
            let is_dog = stem == "2" && side == "gt";
            write_detections(&observed.join(side), stem, &[(if is_dog { "dog" } else { "cat" }, 0.9, BOX)]);
            let image = picture(stem, 32, if side == "gt" { 0.0 } else { grain });
            write_png(&dir.join(side).join(name).join(format!("{stem}.png")), &image).unwrap();
        }
    }
    dir.succeed(&format!(
        "score --gt 'gt/{name}' --recon 'recon/{name}' --observations 'observed/{name}' --out 'run/{name}' \
         --metrics {metrics} --set text_encoder=placeholder --set pixel_size=32"
    ));
}

/// The page of a command with these words.
fn report(dir: &Folder, words: &str) -> String {
    dir.succeed(&format!("report {words} --out report.html"));
    dir.read("report.html")
}

/// The text of a document within the page.
fn document<'a>(html: &'a str, id: &str) -> &'a str {
    between(html, &format!("<script type=\"application/json\" id=\"{id}\">"), "</script>")
}

fn data(html: &str) -> Value {
    serde_json::from_str(document(html, "data")).unwrap()
}

fn images(html: &str) -> Option<Value> {
    let text = document(html, "images");
    (!text.is_empty()).then(|| serde_json::from_str(text).unwrap())
}

fn hash(text: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!("'sha256-{hash}'")
}

#[test]
fn the_page_holds_every_score_and_allows_only_its_own_script_and_style() {
    let dir = folder();
    run(&dir, "mine", 60.0);
    let html = report(&dir, "run/mine");

    let policy = between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    let style = hash(between(&html, "<style>", "</style>"));
    let script = hash(between(&html, "<script>", "</script>"));
    assert!(policy.starts_with("default-src 'none'; img-src data: blob:; "), "{policy}");
    assert!(policy.contains(&format!("style-src {style};")), "{policy}");
    assert!(policy.contains(&format!("script-src {script};")), "{policy}");
    // Two documents and the script.
    assert_eq!(html.matches("<script").count(), 3);
    for loads in [" style=", "src=\"http", "href=\"http", "url(", "@import", "<link"] {
        assert!(!html.contains(loads), "{loads}");
    }

    let data = data(&html);
    assert_eq!(data["systems"], serde_json::json!(["mine"]));
    let table = dir.scores("run/mine");
    assert_eq!(data["stems"], serde_json::json!(table.pairs));
    let metrics = data["metrics"].list();
    assert_eq!(metrics.len(), table.columns.len());
    for (place, metric) in metrics.iter().enumerate() {
        let id = metric["id"].text();
        let values: Vec<Option<f64>> = table.column(id).unwrap().iter().map(|o| o.as_ref().ok().copied()).collect();
        let shown = &data["scores"][0][place];
        assert_eq!(shown["values"], serde_json::json!(values), "{id}");
        assert_eq!(shown["mean"], dir.summary("run/mine")[id]["value"], "{id}");
        assert_eq!(metric["stand_in"], id == "cap_sim", "{id}");
    }
    // Objects on both sides and on one, and the boxes' positions in images of 32 px.
    let pair = data["stems"].list().iter().position(|stem| stem == "2").unwrap();
    let details = data["details"][0][pair]["object_f1"].to_string();
    assert!(details.contains(r#""missed":[{"reference":"dog""#), "{details}");
    let shown = &data["stimuli"]["boxes"][pair][0];
    assert_eq!(shown["at"], serde_json::json!([0.125, 0.25, 0.5, 1.0]));
    assert_eq!(shown["name"], "dog");

    // The dog became a cat, and the other pairs have a cat on both sides.
    let near = &data["near_misses"][0];
    assert_eq!(near["names"], serde_json::json!(["dog", "cat"]));
    assert_eq!(near["groups"][0], near["groups"][1]);
    assert_eq!(near["found"], serde_json::json!([[pair, 0, [1]]]));
    assert_eq!(near["n_pairs"], STEMS.len());

    let images = images(&html).unwrap();
    assert_eq!(STANDARD.decode(images["stimuli"][0].text()).unwrap()[..3], [0xff, 0xd8, 0xff]);
    assert_eq!(images["reconstructions"][0].list().len(), STEMS.len());
    assert!(html.len() < 200_000, "{}", html.len());

    // The page shows the ratings and tables of `meta`.
    let mut lines = "item,rater,value\n".to_owned();
    for (place, stem) in STEMS.iter().enumerate() {
        lines += &format!("{stem},ann,{}\n{stem},bob,{}\n", place + 1, place + 2);
    }
    dir.write("ratings.csv", lines);
    dir.succeed("meta --human ratings.csv --metrics run/mine --out meta");
    let html = report(&dir, "run/mine --meta meta --overwrite");
    let data = self::data(&html);
    let stems = data["stems"].list();
    let place = |stem: &str| stems.iter().position(|s| s == stem).unwrap();
    let of = |stem: &str| data["human"]["values"][0][place(stem)].number();
    assert_eq!((of("1"), of("2"), of(HOSTILE), of("10")), (1.5, 2.5, 3.5, 4.5));
    let section = between(&html, "<section id=\"meta\"", "</section>");
    assert!(section.contains("Pairwise acc.") && section.contains("data:image/svg+xml;base64,"));

    assert_snapshot!(dir.run("report run/mine --meta run/mine --out x.html"), @"exit 1, stderr: error: run/mine/meta.json: not found; expected a JSON file");
}

/// What is in the records are absolute paths; here the command has them, too.
#[test]
fn a_page_names_no_folder_and_is_the_same_in_any() {
    let pages = [folder(), folder()].map(|dir| {
        run(&dir, "mine", 60.0);
        run(&dir, "other", 30.0);
        dir.write("ratings.csv", "item,rater,value\n1,ann,1\n2,ann,2\n10,ann,3\n1,bob,1\n2,bob,3\n10,bob,2\n");
        let root = dir.path().to_str().unwrap();
        dir.succeed(&format!("meta --human {root}/ratings.csv --metrics {root}/run/mine --out {root}/meta"));
        let runs = format!("{root}/run/mine {root}/run/other --meta {root}/meta");
        dir.succeed(&format!("report {runs} --out {root}/report.html"));
        let html = dir.read("report.html");
        contains(&html, &["<td>gt/images</td><td>mine</td>", "neurogauge score --from-run mine/run.json --out mine"]);
        assert!(!html.contains(root), "{:?}", html.find(root).map(|at| &html[at.saturating_sub(200)..at + 200]));
        html
    });
    assert!(pages[0] == pages[1]);
}

#[test]
fn no_text_of_a_user_becomes_markup() {
    let dir = folder();
    run(&dir, "a&b <i>", 60.0);
    let title = "'</title><script>alert(1)</script>{{data}}'";
    let html = report(&dir, &format!("'run/a&b <i>' --title {title}"));
    assert_eq!(html.matches("<script").count(), 3);
    assert_eq!(html.matches("<!--").count(), 0);
    assert!(!html.contains("<img src=x") && !html.contains("<i>"));
    assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{data}}</title>"));
    assert_eq!(&data(&html)["stimuli"]["captions"][0][0], "</script><!-- <script>alert(1)</script>");
}

#[test]
fn without_a_script_there_are_the_summary_the_methods_and_some_pairs() {
    let dir = folder();
    run(&dir, "good", 10.0);
    run(&dir, "bad", 120.0);
    let html = report(&dir, "run/good run/bad");
    let page = between(&html, "<main>", "</main>");
    let [overview, pairs, methods] =
        ["overview", "pairs", "methods"].map(|id| between(page, &format!("<section id=\"{id}\""), "</section>"));
    // Four pairs cannot distinguish two systems, since the p value of their sign-flip test is at least 1/8. That is not
    // a tie.
    let said = [
        "placeholder model",
        " · <span class=\"ends\">not decidable</span>",
        "Means over all 4 pairs",
        "Metric",
        "Reconstructions of 4 stimuli by 2 systems, good and bad, each compared",
        "there are too few pairs to decide which is best",
        ">no agreement</text>",
        ">PixCorr</a><small>−1 to 1</small>",
    ];
    contains(overview, &said);
    // Nothing is marked as best, and marks are hollow.
    assert!(!overview.contains(">best</span>"), "{overview}");
    assert!(overview.contains("<svg class=\"s1 open\""), "{overview}");
    // The number of pairs is given once, and again only where it differs: every pair has a value for every metric.
    assert_eq!(overview.matches(" pairs<").count(), 0);
    // The strip has a stimulus and two reconstructions for each of the four pairs.
    let strip = between(overview, "<table class=\"strip\">", "</table>");
    assert_eq!(strip.matches("<img src=\"data:image/jpeg;base64,").count(), 3 * STEMS.len());
    for name in ["Best", "Median", "Lower quartile", "Worst"] {
        assert!(strip.contains(&format!("<th scope=\"col\">{name}<")), "{strip}");
    }
    // The figure has every metric except the placeholder's, with both systems.
    let drawn: Vec<&str> = overview.split("class=\"dot-metric\"").skip(1).collect();
    let data = data(&html);
    let metrics = data["metrics"].list();
    assert_eq!(drawn.len(), metrics.len() - 1);
    for row in drawn {
        let row = row.split("</div>").next().unwrap();
        assert!(!row.contains('†') && row.contains("<li>good</li><li>bad</li>"), "{row}");
    }
    assert_eq!(pairs.matches("<li>").count(), STEMS.len());
    assert_eq!(pairs.matches("<img src=\"data:image/jpeg;base64,").count(), 3 * STEMS.len());
    let record = dir.record("run/good");
    let hash = record["inputs"][0]["sha256"].text();
    contains(methods, &["ssim-flavour", "@software{neurogauge", "neurogauge report", "sign-flip", hash]);
    let length = |of: &str| data[of].list().len();
    assert_eq!(length("differences"), length("metrics"));
    // Four pairs are too few to exclude any rank for the other metrics.
    assert_eq!(html.matches("<ul class=\"clusters\">").count(), length("metrics") - 1);
    contains(page, &["row minus column", "<li>good 1 [1 to 2]</li><li>bad 2 [1 to 2]</li>"]);
    assert_eq!(data["copies"]["gallery"], "neurogauge gallery --recon good=run/good bad=run/bad");
}

#[test]
fn the_same_runs_give_the_same_page_and_another_file_is_not_replaced() {
    let dir = folder();
    run(&dir, "mine", 60.0);
    let page = report(&dir, "run/mine");
    assert_eq!(report(&dir, "run/mine --threads 1"), page);
    let again = "report run/mine --out report.html --title Another";
    assert_snapshot!(dir.run(again), @"exit 2, stderr: error: report.html: is there already and is not what this command would write; choose another --out, or say --overwrite");
    assert_eq!(dir.read("report.html"), page);
    dir.succeed(&format!("{again} --overwrite"));
    assert_snapshot!(dir.run("report . --out report.html"), @"exit 1, stderr: error: ./run.json: not found; expected a run folder with a run.json (written by `neurogauge score`)");

    // Images can be omitted, blurred or placed beside the page.
    let report = |options: &str| report(&dir, &format!("run/mine --overwrite {options}"));
    let without = report("--no-images");
    assert!(images(&without).is_none() && !without.contains("image/jpeg"));
    let first = |html: &str| images(html).unwrap()["stimuli"][0].clone();
    assert_ne!(first(&page), first(&report("--blur")));
    let linked = report("--linked");
    assert!(!linked.contains("image/jpeg"));
    let found = images(&linked).unwrap();
    assert_eq!(found["prefix"], "report_files/");
    let file = dir.bytes(format!("report_files/{}", found["reconstructions"][0][0].text()));
    assert_eq!(file[..3], [0xff, 0xd8, 0xff]);

    // Missing or changed images are reported, and the numbers remain.
    dir.picture("recon/mine/1.png", "other", 32, 0.0);
    let changed = report("");
    assert!(changed.contains("1 image is not the one that was scored"));
    dir.remove("gt");
    let gone = report("");
    assert!(gone.contains("images are not shown") && images(&gone).is_none(), "{}", &gone[..3000]);
    assert_eq!(data(&gone)["scores"], data(&changed)["scores"]);
}

#[test]
fn the_rank_among_others_is_found_in_the_features_that_were_scored() {
    let dir = folder();
    let gt = [("1", [1.0, 2.0, 3.0]), ("2", [3.0, 2.0, 1.0]), ("10", [1.0, 3.0, 2.0])];
    // The second is more similar to both other stimuli than to its own.
    let recon = [("1", [1.0, 2.0, 4.0]), ("2", [1.0, 2.0, 2.5]), ("10", [0.0, 1.0, 0.9])];
    let pool = [(HOSTILE, [3.0, 2.0, 2.5]), ("b", [2.0, 3.0, 4.0])];
    write_features(&dir.join("observed/gt"), "clip", &gt);
    write_features(&dir.join("observed/recon"), "clip", &recon);
    write_features(&dir.join("pool"), "clip", &pool);
    dir.succeed("score --observations observed --metrics clip --pool pool --out run");

    let found = data(&report(&dir, "run"));
    assert_eq!(found["stems"], serde_json::json!(["1", "2", "10"]));
    let of = |data: &Value, metric: &str| {
        let place = data["metrics"].list().iter().position(|m| m["id"] == metric).unwrap();
        data["identification"].list().iter().find(|of| of["metric"] == place).unwrap().clone()
    };
    let among_pairs = of(&found, "clip");
    assert_eq!(among_pairs["direction"], "reconstruction");
    assert_eq!(among_pairs["pool"], Value::Null);
    let second = &among_pairs["pairs"][1];
    // Pearson's r of (1, 2, 2.5) with its own is -0.9820, with (1, 2, 3) 0.9820 and with (1, 3, 2) 0.6547.
    assert_eq!(
        second,
        &serde_json::json!({"rank": 3, "tied": 0, "others": 2, "own": -0.982, "nearest": [[0, 0.982], [2, 0.6547]]})
    );
    assert_eq!(among_pairs["pairs"][0]["rank"], 1);
    let in_pool = of(&found, "clip_pool");
    assert_eq!(in_pool["pairs"][0]["others"], 2);
    let nearest = in_pool["pairs"][0]["nearest"][0][0].natural() as usize;
    assert_eq!(in_pool["pool"][nearest], "b");
    let names = in_pool["pool"].list();
    assert!(names.contains(&HOSTILE.into()), "{names:?}");

    // A map of the stimuli by these features. With mean 0 and length 1, those of pairs 1 and 2 are opposite, and that
    // of pair 10 is at 60 degrees to the first: (1, 0), (-1, 0) and (1/2, √3/2) in their common plane, minus their
    // mean.
    let map = &found["map"];
    assert_eq!(map["features"], "CLIP");
    let at = |pair: usize| [0, 1].map(|axis| map["at"][pair][axis].number());
    let apart = |a: usize, b: usize| (0..2).map(|k| (at(a)[k] - at(b)[k]).powi(2)).sum::<f64>();
    for (a, b, expected) in [(0, 1, 4.0), (0, 2, 1.0), (1, 2, 3.0)] {
        assert!((apart(a, b) - expected).abs() < 1e-3, "{map}");
    }
    let shares = [0, 1].map(|axis| map["shares"][axis].number());
    assert!((shares[0] + shares[1] - 1.0).abs() < 1e-3, "{shares:?}");

    // Features other than the scored ones are not shown.
    write_features(&dir.join("observed/recon"), "clip", &gt);
    let changed = report(&dir, "run --overwrite");
    let not_shown = |html: &str| of(&data(html), "clip")["not_shown"].clone();
    assert_eq!(not_shown(&changed), "the features are not those that were scored");
    dir.remove("observed/recon/features/clip.npy");
    let gone = report(&dir, "run --overwrite");
    let why = not_shown(&gone);
    let why = why.text();
    assert!(why.starts_with("the features are not there any more: ") && why.ends_with("clip.npy"), "{why}");
    assert!(gone.contains("ranks and nearest confusers by CLIP, CLIP pool are not shown: "));
    assert_eq!(data(&gone)["scores"], found["scores"]);
}

/// Any changed bit in any file of a result.
#[test]
fn results_that_a_command_did_not_write_are_refused() {
    let dir = Arrays::written();
    run(&dir, "mine", 60.0);
    dir.write("ratings.csv", "item,ann,bob\n1,1,2\n2,2,4\n10,4,5\n");
    let rows = [("a", [1.0, 0.1, 0.0]), ("b", [0.9, 0.3, 0.0]), ("c", [0.2, 1.0, 0.0])];
    write_features(&dir.join("features"), "clip", &rows);
    dir.succeed("meta --human ratings.csv --metrics run/mine --out meta");
    dir.succeed("multiverse gt/mine mine=recon/mine --metrics pixcorr --over options --out multiverse");
    dir.succeed("audit --test features/features/clip.npy --clusters 2 --out audit");
    dir.succeed("align --config align.toml --no-figures --out align");
    for (result, of_others) in [
        ("meta", "meta.csv"),
        ("multiverse", "multiverse.csv"),
        ("audit", "items.csv"),
        ("align", "profiles.parquet"),
    ] {
        let record = dir.json(format!("{result}/{result}.json"));
        let outputs = record["outputs"].fields();
        assert!(outputs.contains_key(of_others), "{result}: {outputs:?}");
        assert!(outputs.contains_key(&format!("{result}.md")), "{outputs:?}");
        let run = match result {
            "meta" | "audit" => "run/mine",
            _ => "",
        };
        let report = format!("report {run} --{result} {result} --out {result}.html");
        for name in outputs.keys() {
            let file = format!("{result}/{name}");
            let whole = dir.bytes(&file);
            let mut changed = whole.clone();
            changed[whole.len() / 2] ^= 1;
            dir.write(&file, changed);
            dir.run(&report).says(&[&format!("{file}: its SHA-256 is")]);
            dir.write(&file, whole);
        }
        let figures = Some(format!("{result}/figures")).filter(|figures| dir.has(figures));
        for figure in figures.map_or(Vec::new(), |figures| dir.names(figures)) {
            // `paper.json` has the paper's figures.
            let is_own = outputs.contains_key(&format!("figures/{figure}"));
            assert!(is_own || result == "align", "{result}: {figure}");
        }
        dir.succeed(&report);
    }
}

/// A section opens with a question, its answer and one table; other tables are folded.
#[test]
fn results_open_with_their_answers() {
    let dir = folder();
    run(&dir, "mine", 60.0);
    run(&dir, "other", 30.0);
    dir.write("ratings.csv", "item,ann,bob\n1,1,2\n2,5,4\n10,4,5\n");
    let rows = [("a", [1.0, 0.1, 0.0]), ("b", [0.9, 0.3, 0.0]), ("c", [0.2, 1.0, 0.0])];
    write_features(&dir.join("features"), "clip", &rows);
    dir.succeed("meta --human ratings.csv --metrics run/mine --out meta");
    dir.succeed(
        "multiverse gt/mine mine=recon/mine other=recon/other --metrics pixcorr --over options --out multiverse",
    );
    dir.succeed("audit --test features/features/clip.npy --clusters 2 --out audit");
    for (result, question) in [
        ("meta", "Which metric agrees best with people?"),
        ("multiverse", "How much does PixCorr depend on the convention?"),
        ("audit", "How much of identification is the cluster?"),
    ] {
        dir.succeed(&format!("report --{result} {result} --out {result}.html"));
        let html = dir.read(format!("{result}.html"));
        let section = between(&html, &format!("<section id=\"{result}\""), "</section>");
        assert!(section.contains(&format!("<h3>{question}</h3><p class=\"answer\">")), "{section}");
        let is_open = |part: &str| part.rsplit("</details>").next().unwrap().matches("<table").count();
        let open: usize = section.split("<details class=\"fold\">").map(is_open).sum();
        assert_eq!(open, 1, "{section}");
    }
    // With the run on the page, there are pictures, and metrics have their names in words.
    let html = report(&dir, "run/mine --meta meta");
    let section = between(&html, "<section id=\"meta\"", "</section>");
    contains(section, &["<th scope=\"row\">SSIM ↑</th>", " and people disagree most</h4>", "alt=\"stimulus of "]);
    assert!(!section.contains("<th scope=\"row\">ssim"), "{section}");
}

/// The script marks the parts that it shows; these are the page's parts without it.
#[test]
fn numbers_of_placeholders_have_a_dagger_and_no_best_pair() {
    let dir = folder();
    run_of(&dir, "mine", 60.0, "cap_sim");
    let html = report(&dir, "run/mine");
    let overview = between(&html, "<section id=\"overview\"", "</section>");
    assert!(overview.contains(">Cap-Sim†</a> ↑<small>"), "{overview}");
    // The dagger is beside the number, so that decimal points in a column are aligned.
    let means: Vec<&str> = overview.split("<td>").skip(1).collect();
    let numbers: Vec<&&str> = means.iter().filter(|cell| cell.contains('.')).collect();
    assert!(!numbers.is_empty(), "{overview}");
    for number in numbers {
        let (mean, rest) = number.split_once("<span class=\"dagger\">†</span>").unwrap();
        assert!(mean.parse::<f64>().is_ok(), "{number}");
        // Equal values have no interval.
        let Some((_, interval)) = rest.split_once("<small><span class=\"ends\">") else {
            continue;
        };
        let mut ends = interval.split('<').next().unwrap().split(" to ");
        assert!(ends.all(|end| end.ends_with('†')), "{number}");
    }
    // Nothing is drawn or ordered by the placeholder's metric.
    assert!(!overview.contains("dot-row") && !overview.contains(">Best<"), "{overview}");
    assert!(overview.contains("<p class=\"quiet static\">The first pairs.</p>"), "{overview}");
    let pairs = between(&html, "<section id=\"pairs\"", "</section>");
    assert!(pairs.contains("pairs by Cap-Sim† of mine"), "{pairs}");
    let captions: Vec<&str> = pairs.split("<figcaption>mine: ").skip(1).collect();
    assert_eq!(captions.len(), STEMS.len());
    for caption in captions {
        assert!(caption.split('<').next().unwrap().ends_with('†'), "{caption}");
    }
}

#[test]
fn a_stimulus_is_shown_from_the_first_run_that_has_it() {
    let dir = folder();
    run(&dir, "all", 60.0);
    for side in ["gt", "recon"] {
        for stem in ["1", "2"] {
            write_png(&dir.join(side).join("few").join(format!("{stem}.png")), &picture(stem, 32, 9.0)).unwrap();
        }
        write_captions(&dir.join("observed/few").join(side), &["1", "2"].map(|stem| (stem, "a dog")));
    }
    dir.succeed(
        "score --gt gt/few --recon recon/few --observations observed/few --out run/few --metrics pixcorr,cap_sim \
         --set text_encoder=placeholder --set pixel_size=32",
    );
    let html = report(&dir, "run/few run/all");
    let (data, images) = (data(&html), images(&html).unwrap());
    let stems = data["stems"].list();
    assert_eq!(stems.len(), STEMS.len());
    let stimuli = &data["stimuli"];
    for (pair, stem) in stems.iter().enumerate() {
        assert!(images["stimuli"][pair].is_string(), "{stem}");
        let is_of_few = ["1", "2"].contains(&stem.text());
        let has = images["reconstructions"][0][pair].is_string();
        assert_eq!(has, is_of_few, "{stem}");
        let caption = stimuli["captions"][pair][0].text();
        assert_eq!(caption == "a dog", is_of_few, "{stem}: {caption}");
        // Only one run has boxes, and also those of pairs that the other run has.
        assert_eq!(stimuli["boxes"][pair].list().len(), 1, "{stem}");
    }
    assert!(html.contains("Paired differences of means, over the pairs in which every system has a value"));
}

#[test]
fn systems_are_compared_once_and_without_a_script() {
    let dir = folder();
    run(&dir, "near", 20.0);
    run(&dir, "far", 90.0);
    let html = report(&dir, "run/near run/far");
    let data = data(&html);
    let comparison = between(&html, "<section id=\"comparison\"", "</section>");
    // The script hides what is static.
    assert!(!comparison.contains("static"), "{comparison}");

    let all = comparison.split("<summary>").skip(1).map(|rest| rest.split(" is better<").next().unwrap());
    let expected =
        "PixCorr ↑: positive, SSIM ↑: positive, Object F1 ↑: positive, Cap-Sim† ↑: positive, SNM ↓: negative";
    assert_eq!(all.collect::<Vec<_>>().join(", "), expected);

    // Row minus column by the headline; with four pairs, no test shows a difference.
    let open = between(comparison, "<details open>", "</details>");
    assert!(open.starts_with("<summary>SSIM"), "{open}");
    let found = data["differences"].list().iter().find(|found| found["metric"] == "ssim").unwrap();
    let difference = found["difference"].number();
    let near = format!("<th scope=\"row\">near</th><td></td><td>{difference:.3}<small>");
    let far = format!("<th scope=\"row\">far</th><td>−{difference:.3}<small>");
    contains(open, &["<td></td><th scope=\"col\">near</th><th scope=\"col\">far</th>", &near, &far]);
    assert!(difference > 0.0);
    let placeholder = comparison.split("<summary>Cap-Sim†").nth(1).unwrap().split("</details>").next().unwrap();
    contains(placeholder, &["† rests on a placeholder model", "†<small>"]);

    // With placeholders, no system is better than another.
    let ranks = comparison.split("<h3>Which ranks are possible?</h3>").nth(1).unwrap();
    contains(ranks, &["<li>near 1 [1 to 2]</li><li>far 2 [1 to 2]</li>"]);
    assert!(!ranks.contains("Cap-Sim"), "{ranks}");
}
