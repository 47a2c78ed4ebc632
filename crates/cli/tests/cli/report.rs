//! `neurogauge report`: one file with the contents of the runs, from which no text of a user can break out.

use crate::support::arguments::score_observations;
use crate::support::observations::{write_captions, write_detections, write_features};
use crate::support::{arg, folder, picture, refused, scores, succeed, summary, write};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use neurogauge::formats::image_file::write_png;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The stem of a file may be anything except a slash.
const HOSTILE: &str = "<img src=x onerror=alert(1)>";
const STEMS: [&str; 4] = ["1", "2", HOSTILE, "10"];
const BOX: [f64; 4] = [4.0, 8.0, 16.0, 32.0];

/// A run of images with captions and detections, whose reconstructions have this much grain.
fn run(root: &Path, name: &str, grain: f32) -> PathBuf {
    run_of(root, name, grain, "pixcorr,ssim,object_f1,cap_sim,snm")
}

/// The same, of these metrics; the text encoder is a placeholder.
fn run_of(root: &Path, name: &str, grain: f32, metrics: &str) -> PathBuf {
    let [gt, recon, out] = ["gt", "recon", "run"].map(|part| root.join(part).join(name));
    let observed = root.join("observed").join(name);
    let captions = |side: &str| {
        let texts = STEMS.map(|stem| (stem, "</script><!-- <script>alert(1)</script>"));
        write_captions(&observed.join(side), &texts);
        for stem in STEMS {
            let name = if stem == "2" && side == "gt" {
                "dog"
            } else {
                "cat"
            };
            write_detections(&observed.join(side), stem, &[(name, 0.9, BOX)]);
        }
    };
    captions("gt");
    captions("recon");
    for stem in STEMS {
        let file = format!("{stem}.png");
        write_png(&gt.join(&file), &picture(stem, 32, 0.0)).unwrap();
        write_png(&recon.join(&file), &picture(stem, 32, grain)).unwrap();
    }
    succeed(&[
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--observations",
        arg(&observed),
        "--metrics",
        metrics,
        "--text-encoder",
        "stand-in",
        "--pixel-size",
        "32",
        "--out",
        arg(&out),
    ]);
    out
}

fn report(root: &Path, runs: &[&PathBuf], options: &[&str]) -> String {
    let out = root.join("report.html");
    let runs: Vec<&str> = runs.iter().map(|run| arg(run)).collect();
    succeed(&[&["report"], &runs[..], options, &["--out", arg(&out)]].concat());
    std::fs::read_to_string(&out).unwrap()
}

/// The text between two texts; the first occurs once.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    assert_eq!(text.matches(before).count(), 1, "{before}");
    let (_, rest) = text.split_once(before).unwrap();
    rest.split_once(after).unwrap().0
}

fn data(html: &str) -> Value {
    let text = between(
        html,
        "<script type=\"application/json\" id=\"data\">",
        "</script>",
    );
    serde_json::from_str(text).unwrap()
}

fn images(html: &str) -> Option<Value> {
    let text = between(
        html,
        "<script type=\"application/json\" id=\"images\">",
        "</script>",
    );
    (!text.is_empty()).then(|| serde_json::from_str(text).unwrap())
}

fn hash(text: &str) -> String {
    format!(
        "'sha256-{}'",
        STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

#[test]
fn the_page_holds_every_score_and_allows_only_its_own_script_and_style() {
    let dir = folder();
    let run = run(dir.path(), "mine", 60.0);
    let html = report(dir.path(), &[&run], &[]);

    let policy = between(
        &html,
        "http-equiv=\"Content-Security-Policy\" content=\"",
        "\"",
    );
    let style = hash(between(&html, "<style>", "</style>"));
    let script = hash(between(&html, "<script>", "</script>"));
    assert!(
        policy.starts_with("default-src 'none'; img-src data: blob:; "),
        "{policy}"
    );
    assert!(policy.contains(&format!("style-src {style};")), "{policy}");
    assert!(
        policy.contains(&format!("script-src {script};")),
        "{policy}"
    );
    // Two documents and the script.
    assert_eq!(html.matches("<script").count(), 3);
    for loads in [
        " style=",
        "src=\"http",
        "href=\"http",
        "url(",
        "@import",
        "<link",
    ] {
        assert!(!html.contains(loads), "{loads}");
    }

    let data = data(&html);
    assert_eq!(data["systems"], serde_json::json!(["mine"]));
    let table = scores(&run);
    assert_eq!(data["stems"], serde_json::json!(table.pairs));
    let metrics = data["metrics"].as_array().unwrap();
    assert_eq!(metrics.len(), table.columns.len());
    for (place, metric) in metrics.iter().enumerate() {
        let id = metric["id"].as_str().unwrap();
        let column = table.column(id).unwrap();
        let values: Vec<Option<f64>> = column.iter().map(|o| o.as_ref().ok().copied()).collect();
        assert_eq!(
            data["scores"][0][place]["values"],
            serde_json::json!(values),
            "{id}"
        );
        assert_eq!(
            data["scores"][0][place]["mean"],
            summary(&run)[id]["mean"],
            "{id}"
        );
        assert_eq!(metric["stand_in"], id == "cap_sim", "{id}");
    }
    // Objects on both sides and on one side, and the boxes in images of 32 px.
    let pair = data["stems"]
        .as_array()
        .unwrap()
        .iter()
        .position(|stem| stem == "2")
        .unwrap();
    let details = &data["details"][0][pair]["object_f1"];
    assert!(
        details
            .to_string()
            .contains(r#""missed":[{"reference":"dog""#),
        "{details}"
    );
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
    let image = images["stimuli"][0].as_str().unwrap();
    assert_eq!(STANDARD.decode(image).unwrap()[..3], [0xff, 0xd8, 0xff]);
    assert_eq!(
        images["reconstructions"][0].as_array().unwrap().len(),
        STEMS.len()
    );
    assert!(html.len() < 200_000, "{}", html.len());
}

#[test]
fn no_text_of_a_user_becomes_markup() {
    let dir = folder();
    let run = run(dir.path(), "a&b <i>", 60.0);
    let html = report(
        dir.path(),
        &[&run],
        &["--title", "</title><script>alert(1)</script>{{data}}"],
    );
    assert_eq!(html.matches("<script").count(), 3);
    assert_eq!(html.matches("<!--").count(), 0);
    assert!(!html.contains("<img src=x") && !html.contains("<i>"));
    assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(
        html.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{data}}</title>")
    );
    let caption = &data(&html)["stimuli"]["captions"][0][0];
    assert_eq!(caption, "</script><!-- <script>alert(1)</script>");
}

#[test]
fn without_a_script_there_are_the_summary_the_methods_and_some_pairs() {
    let dir = folder();
    let runs = ["good", "bad"].map(|name| {
        let grain = if name == "good" { 10.0 } else { 120.0 };
        run(dir.path(), name, grain)
    });
    let html = report(dir.path(), &[&runs[0], &runs[1]], &[]);
    let (_, page) = html.split_once("<main>").unwrap();
    let (page, _) = page.split_once("</main>").unwrap();
    let [overview, pairs, methods] = ["overview", "pairs", "methods"]
        .map(|id| between(page, &format!("<section id=\"{id}\""), "</section>"));
    // Four pairs cannot tell two systems apart: the p value of their sign-flip test is at least 1/8. That is no tie.
    for part in [
        "placeholder model",
        "· best ·",
        "· not decidable ·",
        "4 pairs",
        "Metric",
    ] {
        assert!(overview.contains(part), "{part} in\n{overview}");
    }
    assert_eq!(pairs.matches("<li>").count(), STEMS.len());
    assert_eq!(
        pairs.matches("<img src=\"data:image/jpeg;base64,").count(),
        3 * STEMS.len()
    );
    let record = crate::support::record(&runs[0]);
    let hash = record["inputs"][0]["sha256"].as_str().unwrap();
    for part in [
        hash,
        "ssim-flavour",
        "@software{neurogauge",
        "neurogauge report",
        "sign-flip",
    ] {
        assert!(methods.contains(part), "{part} in\n{methods}");
    }
    let differences = data(&html)["differences"].as_array().unwrap().len();
    assert_eq!(
        differences,
        data(&html)["metrics"].as_array().unwrap().len()
    );
}

#[test]
fn images_are_left_out_blurred_or_put_beside_the_page() {
    let dir = folder();
    let run = run(dir.path(), "mine", 60.0);
    let without = report(dir.path(), &[&run], &["--no-images"]);
    assert!(images(&without).is_none() && !without.contains("image/jpeg"));

    let plain = report(dir.path(), &[&run], &["--overwrite"]);
    let blurred = report(dir.path(), &[&run], &["--overwrite", "--blur"]);
    let first = |html: &str| {
        images(html).unwrap()["stimuli"][0]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_ne!(first(&plain), first(&blurred));

    let linked = report(dir.path(), &[&run], &["--overwrite", "--linked"]);
    assert!(!linked.contains("image/jpeg"));
    let found = images(&linked).unwrap();
    let folder = found["prefix"].as_str().unwrap();
    assert_eq!(folder, "report_files/");
    let name = found["reconstructions"][0][0].as_str().unwrap();
    let file = std::fs::read(dir.path().join(folder).join(name)).unwrap();
    assert_eq!(file[..3], [0xff, 0xd8, 0xff]);
}

#[test]
fn the_same_runs_give_the_same_page_and_another_file_is_not_replaced() {
    let dir = folder();
    let run = run(dir.path(), "mine", 60.0);
    let page = report(dir.path(), &[&run], &[]);
    assert_eq!(report(dir.path(), &[&run], &["--threads", "1"]), page);
    let out = dir.path().join("report.html");
    let again = [
        "report",
        arg(&run),
        "--out",
        arg(&out),
        "--title",
        "Another",
    ];
    refused(&again, 2, &["is there already", "--overwrite", "--out"]);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), page);
    succeed(&[&again[..], &["--overwrite"]].concat());
    refused(
        &["report", arg(dir.path()), "--out", arg(&out)],
        1,
        &["run.json"],
    );
}

#[test]
fn images_that_are_gone_or_changed_are_said_and_the_numbers_stay() {
    let dir = folder();
    let run = run(dir.path(), "mine", 60.0);
    let file = dir.path().join("recon/mine/1.png");
    write_png(&file, &picture("other", 32, 0.0)).unwrap();
    let changed = report(dir.path(), &[&run], &[]);
    assert!(changed.contains("1 image is not the one that was scored"));
    std::fs::remove_dir_all(dir.path().join("gt")).unwrap();
    let gone = report(dir.path(), &[&run], &["--overwrite"]);
    assert!(gone.contains("images are not shown"), "{}", &gone[..3000]);
    assert!(images(&gone).is_none());
    assert_eq!(data(&gone)["scores"], data(&changed)["scores"]);
}

#[test]
fn the_rank_among_others_is_found_in_the_features_that_were_scored() {
    let dir = folder();
    let gt = [
        ("1", [1.0, 2.0, 3.0]),
        ("2", [3.0, 2.0, 1.0]),
        ("10", [1.0, 3.0, 2.0]),
    ];
    // The second is nearer to the stimuli of both others than to its own stimulus.
    let recon = [
        ("1", [1.0, 2.0, 4.0]),
        ("2", [1.0, 2.0, 2.5]),
        ("10", [0.0, 1.0, 0.9]),
    ];
    let observed = dir.path().join("observed");
    write_features(&observed.join("gt"), "clip", &gt);
    write_features(&observed.join("recon"), "clip", &recon);
    let pool = dir.path().join("pool");
    write_features(
        &pool,
        "clip",
        &[(HOSTILE, [3.0, 2.0, 2.5]), ("b", [2.0, 3.0, 4.0])],
    );
    let run = dir.path().join("run");
    let args = score_observations(
        &observed,
        &run,
        &["--metrics", "clip", "--pool", arg(&pool)],
    );
    succeed(&args);

    let found = data(&report(dir.path(), &[&run], &[]));
    assert_eq!(found["stems"], serde_json::json!(["1", "2", "10"]));
    let of = |data: &Value, metric: &str| {
        let metrics = data["metrics"].as_array().unwrap();
        let place = metrics.iter().position(|m| m["id"] == metric).unwrap();
        let all = data["identification"].as_array().unwrap();
        all.iter().find(|of| of["metric"] == place).unwrap().clone()
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
    let nearest = in_pool["pairs"][0]["nearest"][0][0].as_u64().unwrap() as usize;
    assert_eq!(in_pool["pool"][nearest], "b");
    assert!(
        in_pool["pool"]
            .as_array()
            .unwrap()
            .contains(&HOSTILE.into())
    );

    // Other features than those that were scored are not shown as if they had been.
    write_features(&observed.join("recon"), "clip", &gt);
    let changed = report(dir.path(), &[&run], &["--overwrite"]);
    let not_shown = |html: &str| of(&data(html), "clip")["not_shown"].clone();
    assert_eq!(
        not_shown(&changed),
        "the features are not those that were scored"
    );
    std::fs::remove_file(observed.join("recon/features/clip.npy")).unwrap();
    let gone = report(dir.path(), &[&run], &["--overwrite"]);
    let why = not_shown(&gone);
    let why = why.as_str().unwrap();
    assert!(
        why.starts_with("the features are not there any more: ") && why.ends_with("clip.npy"),
        "{why}"
    );
    assert!(gone.contains("ranks and nearest confusers by CLIP, CLIP pool are not shown: "));
    assert_eq!(data(&gone)["scores"], found["scores"]);
}

#[test]
fn ratings_and_tables_of_meta_are_shown() {
    let dir = folder();
    let run = run(dir.path(), "mine", 60.0);
    let ratings = dir.path().join("ratings.csv");
    let mut lines = "item,rater,value\n".to_owned();
    for (place, stem) in STEMS.iter().enumerate() {
        lines.push_str(&format!(
            "{stem},ann,{}\n{stem},bob,{}\n",
            place + 1,
            place + 2
        ));
    }
    write(&ratings, &lines);
    let meta = dir.path().join("meta");
    let args = [
        "meta",
        "--human",
        arg(&ratings),
        "--metrics",
        arg(&run),
        "--out",
        arg(&meta),
    ];
    succeed(&args);
    let html = report(dir.path(), &[&run], &["--meta", arg(&meta)]);
    let data = data(&html);
    let place = |stem: &str| {
        data["stems"]
            .as_array()
            .unwrap()
            .iter()
            .position(|s| s == stem)
            .unwrap()
    };
    let of = |stem: &str| data["human"]["values"][0][place(stem)].as_f64().unwrap();
    assert_eq!(
        (of("1"), of("2"), of(HOSTILE), of("10")),
        (1.5, 2.5, 3.5, 4.5)
    );
    let section = between(&html, "<section id=\"meta\"", "</section>");
    assert!(section.contains("Pairwise acc.") && section.contains("data:image/svg+xml;base64,"));

    refused(
        &[
            "report",
            arg(&run),
            "--meta",
            arg(&run),
            "--out",
            arg(&dir.path().join("x.html")),
        ],
        1,
        &["meta.json"],
    );
}

/// The script marks the parts it shows; these are the page's parts without it.
#[test]
fn numbers_of_placeholders_have_a_dagger_and_no_best_pair() {
    let dir = folder();
    let run = run_of(dir.path(), "mine", 60.0, "cap_sim");
    let html = report(dir.path(), &[&run], &[]);
    let overview = between(&html, "<section id=\"overview\"", "</section>");
    assert!(overview.contains(">Cap-Sim†</a> ↑<small>"), "{overview}");
    let numbers = overview.split("<td>").skip(1);
    let numbers: Vec<&str> = numbers
        .map(|cell| cell.split('<').next().unwrap())
        .filter(|number| number.contains('.'))
        .collect();
    assert!(!numbers.is_empty(), "{overview}");
    assert!(
        numbers.iter().all(|number| number.ends_with('†')),
        "{numbers:?}"
    );
    let pairs = between(&html, "<section id=\"pairs\"", "</section>");
    assert!(pairs.contains("pairs by Cap-Sim† of mine"), "{pairs}");
    let captions: Vec<&str> = pairs.split("<figcaption>mine: ").skip(1).collect();
    assert_eq!(captions.len(), STEMS.len());
    for caption in captions {
        assert!(
            caption.split('<').next().unwrap().ends_with('†'),
            "{caption}"
        );
    }
}
