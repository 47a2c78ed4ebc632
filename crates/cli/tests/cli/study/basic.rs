//! BASIC under several configurations: scores, ranks and the agreement of rankings, found by hand.

use super::tables::{json, lines};
use crate::support::study_data::files;
use crate::support::{arg, close, folder, neurogauge, pictures, succeed, values, write};
use serde_json::{Value, json as value};
use std::fs;
use std::path::{Path, PathBuf};

/// The contents of the stimuli under two configurations, and each system's reconstructions.
const ONE: [(&str, &str); 4] = [
    ("gt", "boat, sea, sky, dock"),
    ("A", "boat, sea, sky, dock"),
    ("B b", "boat, sea"),
    ("C", "boat"),
];
const TWO: [(&str, &str); 4] = [
    ("gt", "boat, sea, sky"),
    ("A", "boat"),
    ("B b", "boat, sea, sky"),
    ("C", "boat, sea"),
];
/// The last two systems are equal.
const THREE: [(&str, &str); 4] = [
    ("gt", "boat, sea"),
    ("A", "boat, sea"),
    ("B b", "boat"),
    ("C", "sea"),
];
const SYSTEMS: [&str; 3] = ["A", "B b", "C"];

/// Images of three systems, and graphs and masks that others made of them.
fn data(root: &Path) -> PathBuf {
    pictures(&root.join("gt"), "gt", 2, 32, 4.0);
    for system in SYSTEMS {
        pictures(&root.join(system), system, 2, 32, 30.0);
    }
    for (name, said) in [("one", ONE), ("two", TWO), ("three", THREE)] {
        for (of, objects) in said {
            let graph = |stem| {
                format!(
                    "[{stem}]\nobjects: {objects}\nattributes: boat: white\nrelations: (boat, on, sea)\n\n"
                )
            };
            write(
                &root.join(name).join(format!("{of}.txt")),
                &[graph(0), graph(1)].concat(),
            );
        }
    }
    for (of, from, to) in [("gt", 0, 4), ("A", 0, 4), ("B b", 2, 4), ("C", 4, 8)] {
        for stem in ["0", "1"] {
            write(
                &root.join(format!("masks/{of}/{stem}.json")),
                &dog(from, to),
            );
            write(
                &root.join(format!("masks/categories/{stem}.json")),
                r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": []}], "background_elements": []}"#,
            );
        }
    }
    root.join("study.toml")
}

/// A dog in the columns from `from` to before `to` of an image of 10 x 2 px.
fn dog(from: u32, to: u32) -> String {
    let dog = value!({
        "class_name": "dog", "bbox": [from, 0, to, 2], "score": [0.9],
        "segmentation": {"size": [2, 10], "counts": [2 * from, 2 * (to - from), 2 * (10 - to)]}
    });
    value!({"image_path": "x.png", "annotations": [dog], "box_format": "xyxy", "img_width": 10, "img_height": 2})
        .to_string()
}

/// Words only, and of these objects only.
const OBJECTS: &str = "score.options.basic_h = { synonyms = false, soft = \"off\", weights = [1.0, 0.0, 0.0], normalise = { \
                       lemmas = false } }\n";

fn config(configurations: &str) -> String {
    let mut text = "[inputs]\ngt = \"gt\"\n[score]\nmetrics = [\"pixcorr\"]\n[score.bootstrap]\nresamples = 50\n".to_owned();
    for system in SYSTEMS {
        text += &format!("[[systems]]\nname = \"{system}\"\nrecon = \"{system}\"\n");
    }
    text + configurations
}

fn words(name: &str, options: &str) -> String {
    format!(
        "[[basic.configurations]]\nname = \"{name}\"\ninputs = {{ gt_scene_graphs = \"{name}/gt.txt\", recon_scene_graphs = \
         \"{name}/{{system}}.txt\" }}\n{options}"
    )
}

/// Each system's values in a configuration's line of a table.
fn of_systems(table: &Path, configuration: &str, ending: &str) -> Vec<f64> {
    let lines = lines(table);
    let line = lines
        .iter()
        .find(|line| line["Configuration"] == configuration);
    let line = line.unwrap_or_else(|| panic!("{configuration}: {lines:?}"));
    SYSTEMS
        .map(|system| line[&format!("{system}{ending}")].parse().unwrap())
        .to_vec()
}

fn numbers(rows: &Value) -> Vec<Vec<f64>> {
    let rows = rows.as_array().unwrap();
    let row = |row: &Value| {
        row.as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_f64().unwrap())
            .collect()
    };
    rows.iter().map(row).collect()
}

#[test]
fn scores_ranks_and_tau_are_those_found_by_hand() {
    let dir = folder();
    let (path, out) = (data(dir.path()), dir.path().join("out"));
    let masks = "[[basic.configurations]]\nname = \"masks\"\ninputs = { gt_masks = \"masks/gt\", recon_masks = \
                 \"masks/{system}\", gt_categories = \"masks/categories\", recon_categories = \"masks/categories\" }\n";
    let all = [
        words("one", OBJECTS),
        words("two", OBJECTS),
        words("three", OBJECTS),
        masks.to_owned(),
    ];
    let basic = "[basic]\ncross = [\"one\", \"two\"]\nstimuli = [\"1\"]\n";
    write(&path, &config(&format!("{basic}{}", all.concat())));
    let args = ["study", "--config", arg(&path), "--out", arg(&out)];
    succeed(&args);

    // Each table is named after the paper that has such a one.
    let page = fs::read_to_string(out.join("study.md")).unwrap();
    assert!(!page.contains("(SEED Table 6)"), "{page}");
    assert!(
        page.contains("## Systems by metrics: ") && page.contains(" (BASIC Tables 2, 3 and S2)\n"),
        "{page}"
    );
    assert!(out.join("tables/table_basic_systems.csv").exists());

    // F1 is twice the shared objects over all objects of both.
    let table = out.join("tables/figure_basic_h_configurations.csv");
    let expected = [
        ("one", [1.0, 4.0 / 6.0, 2.0 / 5.0], [1.0, 2.0, 3.0]),
        ("two", [2.0 / 4.0, 1.0, 4.0 / 5.0], [3.0, 1.0, 2.0]),
        ("three", [1.0, 2.0 / 3.0, 2.0 / 3.0], [1.0, 2.5, 2.5]),
        (
            "one x two",
            [2.0 / 5.0, 6.0 / 7.0, 4.0 / 6.0],
            [3.0, 1.0, 2.0],
        ),
        (
            "two x one",
            [6.0 / 7.0, 4.0 / 5.0, 2.0 / 4.0],
            [1.0, 2.0, 3.0],
        ),
    ];
    for (configuration, scores, ranks) in expected {
        close(&of_systems(&table, configuration, ""), &scores);
        close(&of_systems(&table, configuration, " rank"), &ranks);
    }
    assert_eq!(lines(&table).len(), expected.len());

    // Of three pairs of systems: 1 in the same order and 2 not; 2 in the same and 1 tied in one of the rankings.
    let record = json(&out.join("study.json"));
    let of = |metric: &str| {
        let rankings = record["basic"]["rankings"].as_array().unwrap();
        rankings
            .iter()
            .find(|ranking| ranking["metric"] == metric)
            .cloned()
    };
    let rankings = of("basic_h").unwrap();
    assert_eq!(
        rankings["configurations"],
        value!(["one", "two", "three", "one x two", "two x one"])
    );
    let tied = 2.0 / 6.0_f64.sqrt();
    let apart = -1.0 / 3.0;
    let tau = [
        [1.0, apart, tied, apart, 1.0],
        [apart, 1.0, -tied, 1.0, apart],
        [tied, -tied, 1.0, -tied, tied],
        [apart, 1.0, -tied, 1.0, apart],
        [1.0, apart, tied, apart, 1.0],
    ];
    for (found, expected) in numbers(&rankings["kendall_tau_b"]).iter().zip(&tau) {
        close(found, expected);
    }
    let shown = lines(&out.join("tables/figure_basic_h_rankings.csv"));
    assert_eq!(shown[0]["Configuration"], "one");
    close(&[shown[0]["two"].parse().unwrap()], &[apart]);
    assert_eq!(
        of("basic_l"),
        None,
        "one configuration of masks has none to agree with"
    );

    // A line for each configuration and system holds all parts.
    let parts = lines(&out.join("tables/table_basic_h_configurations.csv"));
    assert_eq!(parts.len(), expected.len() * SYSTEMS.len());
    let line = &parts[1];
    assert_eq!(line["System"], "B b");
    close(&[line["Rank"].parse().unwrap()], &[2.0]);
    close(
        &[
            line["BASIC Object P"].parse().unwrap(),
            line["BASIC Object R"].parse().unwrap(),
        ],
        &[1.0, 0.5],
    );
    let levels = lines(&out.join("tables/table_basic_l_configurations.csv"));
    let salient = levels
        .iter()
        .map(|line| line["Salient IoU"].parse().unwrap());
    close(&salient.collect::<Vec<f64>>(), &[1.0, 0.5, 0.0]);

    // Each run is what `score` gives on the same files.
    let alone = dir.path().join("alone");
    let at = |name: &str| dir.path().join(name);
    let [gt, recon, gt_graphs, recon_graphs] = ["gt", "B b", "one/gt.txt", "two/B b.txt"].map(at);
    let mut score = vec![
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--gt-scene-graphs",
        arg(&gt_graphs),
    ];
    score.extend([
        "--recon-scene-graphs",
        arg(&recon_graphs),
        "--metrics",
        "basic_h_all",
        "--basic-synonyms",
        "off",
    ]);
    score.extend([
        "--basic-lemmas",
        "off",
        "--basic-soft",
        "off",
        "--basic-weights",
        "1:0:0",
        "--out",
        arg(&alone),
    ]);
    succeed(&score);
    let crossed = out.join("basic/05-one_x_two/B_b");
    for id in ["basic_object_f1", "basic_relation_f1", "basic_h"] {
        assert_eq!(values(&crossed, id), values(&alone, id), "{id}");
    }

    // The levels have their ranks above the bars; the grid has the stimulus that was asked for.
    let figure = fs::read_to_string(out.join("figures/figure_basic_levels.svg")).unwrap();
    for words in ["BASIC by level: one", "Relation", "3"] {
        assert!(figure.contains(&format!("\n{words}\n")), "{words}");
    }
    let grid = lines(&out.join("tables/figure_basic_grid.csv"));
    assert_eq!((grid.len(), grid[0]["Stimulus"].as_str()), (1, "1"));
    close(
        &SYSTEMS.map(|system| grid[0][system].parse().unwrap()),
        &[1.0, 4.0 / 6.0, 2.0 / 5.0],
    );
    assert!(out.join("figures/figure_basic_grid.png").exists());

    // A study that was stopped goes on to the same bytes.
    let before = files(&out);
    fs::remove_file(out.join("study.json")).unwrap();
    fs::remove_dir_all(out.join("basic/02-two")).unwrap();
    let first = out.join("basic/01-one/A/scores.parquet");
    let written = fs::metadata(&first).unwrap().modified().unwrap();
    succeed(&args);
    assert_eq!(
        fs::metadata(&first).unwrap().modified().unwrap(),
        written,
        "it is not computed again"
    );
    for ((name, then), (other, now)) in before.iter().zip(&files(&out)) {
        assert!(name == other && then == now, "{name} {other}");
    }
}

#[test]
fn placeholders_keep_their_daggers_where_configurations_are_crossed() {
    let dir = folder();
    let (path, out) = (data(dir.path()), dir.path().join("out"));
    let soft = "score.phrase_encoder = \"stand-in\"\nscore.options.basic_h = { synonyms = false, normalise = { lemmas = false } }\n";
    let basic = format!(
        "[basic]\ncross = [\"one\", \"two\"]\n{}{}",
        words("one", OBJECTS),
        words("two", soft)
    );
    write(&path, &config(&basic));
    succeed(&["study", "--config", arg(&path), "--out", arg(&out)]);
    let table = lines(&out.join("tables/figure_basic_h_configurations.csv"));
    let names: Vec<&str> = table
        .iter()
        .map(|line| line["Configuration"].as_str())
        .collect();
    assert_eq!(names, ["one", "two†", "one x two†", "two x one†"]);
    let page = fs::read_to_string(out.join("study.md")).unwrap();
    assert!(page.contains("† rests on a placeholder model"), "{page}");
    let run = json(&out.join("basic/03-one_x_two/C/run.json"));
    let of_h = |metric: &&Value| metric["id"] == "basic_h";
    let metrics = run["metrics"].as_array().unwrap();
    assert_eq!(metrics.iter().find(of_h).unwrap()["stand_in"], true);
    let summary = fs::read_to_string(out.join("basic/03-one_x_two/C/summary.md")).unwrap();
    assert!(summary.contains("BASIC-H ↑†"), "{summary}");
}

#[test]
fn what_is_wrong_with_a_configuration_of_basic_is_said_first() {
    let dir = folder();
    let (path, out) = (data(dir.path()), dir.path().join("out"));
    let cases = [
        ("[basic]\n".to_owned(), "[basic]: there is no configuration"),
        (
            words("one", "") + &words("one", ""),
            "basic.configurations \"one\": another one is called",
        ),
        (
            words("none", ""),
            "basic.configurations \"none\": inputs of \"A\": gt_scene_graphs",
        ),
        (
            words("one", "score.phrase_encodr = \"x\"\n"),
            "basic.configurations \"one\": score: unknown field `phrase_encodr`",
        ),
        (
            words("one", "score.options.basic_h.soft = \"hard\"\n"),
            "score: unknown variant `hard`",
        ),
        (
            words("one", "score.inputs = {}\n"),
            "score.inputs: inputs stand in `inputs`",
        ),
        (
            "[[basic.configurations]]\nname = \"\"\n".to_owned(),
            "name \"\": a name needs a letter or a digit",
        ),
        (
            "[[basic.configurations]]\nname = \"x\"\ninputs = { recon = \"A\" }\n".to_owned(),
            "recon: all configurations have",
        ),
        (
            "[basic]\ncross = [\"one\", \"two\"]\n".to_owned() + &words("one", ""),
            "basic.cross: \"two\" is none of the",
        ),
        (
            "[basic]\ncross = [\"one\"]\n".to_owned() + &words("one", ""),
            "crossed with none",
        ),
        (
            "[basic]\nstimulus = [\"0\"]\n".to_owned() + &words("one", ""),
            "unknown field `stimulus`",
        ),
    ];
    for (basic, said) in cases {
        write(&path, &config(&basic));
        let ran = neurogauge(&["study", "--config", arg(&path), "--out", arg(&out)]);
        assert_eq!(ran.code, 2, "{basic}\n{}", ran.stderr);
        ran.says(&["study.toml", said]);
        assert!(!out.join("runs").exists(), "nothing is scored first");
    }
    let basic = "[basic]\nstimuli = [\"7\"]\n".to_owned() + &words("one", OBJECTS);
    write(&path, &config(&basic));
    let ran = neurogauge(&["study", "--config", arg(&path), "--out", arg(&out)]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    ran.says(&["basic.stimuli: \"7\" is no stimulus of all of A, B b, C; the first is \"0\""]);
}
