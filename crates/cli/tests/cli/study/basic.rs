//! BASIC with several configurations: scores, ranks and the agreement of rankings, computed by hand.

use super::tables::lines;
use crate::support::study_data::files;
use crate::support::*;
use serde_json::json as value;

/// The contents of the stimuli in two configurations, and each system's reconstructions.
const ONE: [(&str, &str); 4] =
    [("gt", "boat, sea, sky, dock"), ("A", "boat, sea, sky, dock"), ("B b", "boat, sea"), ("C", "boat")];
const TWO: [(&str, &str); 4] = [("gt", "boat, sea, sky"), ("A", "boat"), ("B b", "boat, sea, sky"), ("C", "boat, sea")];
/// The last two systems are equal.
const THREE: [(&str, &str); 4] = [("gt", "boat, sea"), ("A", "boat, sea"), ("B b", "boat"), ("C", "sea")];
const SYSTEMS: [&str; 3] = ["A", "B b", "C"];

/// Images of three systems, with given graphs and masks.
fn data() -> Folder {
    let dir = folder();
    pictures(&dir.join("gt"), "gt", 2, 32, 4.0);
    for system in SYSTEMS {
        pictures(&dir.join(system), system, 2, 32, 30.0);
    }
    for (name, said) in [("one", ONE), ("two", TWO), ("three", THREE)] {
        for (of, objects) in said {
            let graph =
                |stem| format!("[{stem}]\nobjects: {objects}\nattributes: boat: white\nrelations: (boat, on, sea)\n\n");
            dir.write(&format!("{name}/{of}.txt"), [graph(0), graph(1)].concat());
        }
    }
    for (of, from, to) in [("gt", 0, 4), ("A", 0, 4), ("B b", 2, 4), ("C", 4, 8)] {
        for stem in ["0", "1"] {
            dir.write(&format!("masks/{of}/{stem}.json"), dog(from, to));
            dir.write(
                &format!("masks/categories/{stem}.json"),
                r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": []}], "background_elements": []}"#,
            );
        }
    }
    dir
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

const STUDY: &str = "study --config study.toml --out out";

/// Options for matching words only, and only those of objects.
const OBJECTS: &str = "score.options.basic_h = { synonyms = false, soft = \"off\", weights = [1.0, 0.0, 0.0], normalise = { \
                       lemmas = false } }\n";

fn config(configurations: &str) -> String {
    let mut text =
        "[inputs]\ngt = \"gt\"\n[score]\nmetrics = [\"pixcorr\"]\n[score.bootstrap]\nresamples = 50\n".to_owned();
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

/// Each system's values in a configuration's row of a table.
fn of_systems(table: &Path, configuration: &str, ending: &str) -> Vec<f64> {
    let lines = lines(table);
    let line = lines.iter().find(|line| line["Configuration"] == configuration);
    let line = line.unwrap_or_else(|| panic!("{configuration}: {lines:?}"));
    SYSTEMS.map(|system| line[&format!("{system}{ending}")].parse().unwrap()).to_vec()
}

#[test]
fn scores_ranks_and_tau_are_those_found_by_hand() {
    let dir = data();
    let out = dir.join("out");
    let masks = "[[basic.configurations]]\nname = \"masks\"\ninputs = { gt_masks = \"masks/gt\", recon_masks = \
                 \"masks/{system}\", gt_categories = \"masks/categories\", recon_categories = \"masks/categories\" }\n";
    let all = ["one", "two", "three"].map(|name| words(name, OBJECTS));
    let basic = "[basic]\ncross = [\"one\", \"two\"]\nstimuli = [\"1\"]\n";
    dir.write("study.toml", config(&format!("{basic}{}{masks}", all.concat())));
    dir.succeed(STUDY);

    // Each table is named after the paper that prints it.
    let page = dir.read("out/study.md");
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_snapshot!(headings.join("\n"), @"
    ## Systems by metrics: 3 systems on 2 shared pairs (BASIC Tables 2, 3 and S2)
    ## BASIC-H by configuration (BASIC Tables S9, S10 and S12)
    ## BASIC-H of each system by configuration (BASIC Table S11 and Figure 3)
    ## Rankings of systems by BASIC-H (BASIC Figure 3)
    ## BASIC-L by configuration (BASIC Table S13)
    ## BASIC-L of each system by configuration (BASIC Figure 3)
    ## BASIC by level: one (BASIC Figure S4)
    ## BASIC-H of single stimuli: one (BASIC Figure S2)
    ## Not here
    ");
    assert!(out.join("tables/table_basic_systems.csv").exists());

    // F1 is twice the number of shared objects over the number of all objects of both.
    let table = out.join("tables/figure_basic_h_configurations.csv");
    let expected = [
        ("one", [1.0, 4.0 / 6.0, 2.0 / 5.0], [1.0, 2.0, 3.0]),
        ("two", [2.0 / 4.0, 1.0, 4.0 / 5.0], [3.0, 1.0, 2.0]),
        ("three", [1.0, 2.0 / 3.0, 2.0 / 3.0], [1.0, 2.5, 2.5]),
        ("one x two", [0.4, 6.0 / 7.0, 4.0 / 6.0], [3.0, 1.0, 2.0]),
        ("two x one", [6.0 / 7.0, 0.8, 0.5], [1.0, 2.0, 3.0]),
    ];
    for (configuration, scores, ranks) in expected {
        close(&of_systems(&table, configuration, ""), &scores);
        close(&of_systems(&table, configuration, " rank"), &ranks);
    }
    assert_eq!(lines(&table).len(), expected.len());

    // Of three pairs of systems: 1 has the same order and 2 have not; 2 have the same order, and 1 is tied in one
    // ranking.
    let record = dir.json("out/study.json");
    let of = |metric: &str| {
        let mut rankings = record["basic"]["rankings"].list().iter();
        rankings.find(|ranking| ranking["metric"] == metric)
    };
    let rankings = of("basic_h").unwrap();
    let configurations = expected.map(|(configuration, ..)| configuration);
    assert_eq!(rankings["configurations"], value!(configurations));
    let tied = 2.0 / 6.0_f64.sqrt();
    let apart = -1.0 / 3.0;
    let tau = [
        [1.0, apart, tied, apart, 1.0],
        [apart, 1.0, -tied, 1.0, apart],
        [tied, -tied, 1.0, -tied, tied],
        [apart, 1.0, -tied, 1.0, apart],
        [1.0, apart, tied, apart, 1.0],
    ];
    for (found, expected) in rankings["kendall_tau_b"].list().iter().zip(&tau) {
        close(&found.list().iter().map(|n| n.number()).collect::<Vec<_>>(), expected);
    }
    let shown = lines(&out.join("tables/figure_basic_h_rankings.csv"));
    assert_eq!(shown[0]["Configuration"], "one");
    close(&[shown[0]["two"].parse().unwrap()], &[apart]);
    assert_eq!(of("basic_l"), None, "one configuration of masks has none to agree with");

    // A row for each configuration and system contains all parts.
    let parts = lines(&out.join("tables/table_basic_h_configurations.csv"));
    assert_eq!(parts.len(), expected.len() * SYSTEMS.len());
    let line = &parts[1];
    assert_eq!(line["System"], "B b");
    let columns = ["Rank", "BASIC Object P", "BASIC Object R"];
    close(&columns.map(|name| line[name].parse().unwrap()), &[2.0, 1.0, 0.5]);
    let levels = lines(&out.join("tables/table_basic_l_configurations.csv"));
    let salient = levels.iter().map(|line| line["Salient IoU"].parse().unwrap());
    close(&salient.collect::<Vec<f64>>(), &[1.0, 0.5, 0.0]);

    // Each run equals that of `score` for the same files.
    dir.succeed(
        "score gt 'B b' --gt scene-graphs=one/gt.txt --recon 'scene-graphs=two/B b.txt' --metrics basic_h_all \
         --set basic_synonyms=off --set basic_lemmas=off --set basic_soft=off --set basic_weights=1:0:0 --out alone",
    );
    for id in ["basic_object_f1", "basic_relation_f1", "basic_h"] {
        let of = |run: &str| dir.values(run, id);
        assert_eq!(of("out/basic/05-one_x_two/B_b"), of("alone"), "{id}");
    }

    // The levels have ranks above the bars; the grid has the requested stimulus.
    let figure = dir.read("out/figures/figure_basic_levels.svg");
    for words in ["BASIC by level: one", "Relation", "3"] {
        assert!(figure.contains(&format!("\n{words}\n")), "{words}");
    }
    let grid = lines(&out.join("tables/figure_basic_grid.csv"));
    assert_eq!((grid.len(), grid[0]["Stimulus"].as_str()), (1, "1"));
    close(&SYSTEMS.map(|system| grid[0][system].parse().unwrap()), &[1.0, 4.0 / 6.0, 2.0 / 5.0]);
    assert!(out.join("figures/figure_basic_grid.png").exists());

    // A stopped study resumes with the same bytes.
    let before = files(&out);
    fs::remove_file(out.join("study.json")).unwrap();
    fs::remove_dir_all(out.join("basic/02-two")).unwrap();
    let first = out.join("basic/01-one/A/scores.parquet");
    let written = || fs::metadata(&first).unwrap().modified().unwrap();
    let at_first = written();
    dir.succeed(STUDY);
    assert_eq!(written(), at_first, "it is not computed again");
    for ((name, then), (other, now)) in before.iter().zip(&files(&out)) {
        assert!(name == other && then == now, "{name} {other}");
    }
}

#[test]
fn basic_h_by_dimension_sets_systems_side_by_side() {
    let dir = data();
    let mut text = "[inputs]\ngt = \"gt\"\ngt_scene_graphs = \"three/gt.txt\"\n[score]\nmetrics = [\"basic_h\"]\n\
                    options.basic_h = { synonyms = false, soft = \"off\", normalise = { lemmas = false } }\n"
        .to_owned();
    for system in SYSTEMS {
        text += &format!(
            "[[systems]]\nname = \"{system}\"\nrecon = \"{system}\"\nrecon_scene_graphs = \"three/{system}.txt\"\n"
        );
    }
    dir.write("study.toml", text);
    dir.succeed(STUDY);
    assert!(dir.read("out/study.md").contains("## BASIC-H's F1 by dimension (BASIC Table 1)"));
    let differences = lines(&dir.join("out/tables/table_basic_dimension_differences.csv"));
    assert_eq!(differences.len(), 4 * SYSTEMS.len());
    assert_eq!(differences[0]["dimension"], "scene");
    // The sea belongs to the scene; B lacks it, and C lacks the boat.
    let table = lines(&dir.join("out/tables/table_basic_dimensions.csv"));
    let expected = [
        ("scene", [1.0, 0.0, 1.0]),
        ("object", [1.0, 1.0, 0.0]),
        ("colour", [1.0, 1.0, 1.0]),
        ("spatial", [1.0, 1.0, 1.0]),
    ];
    assert_eq!(table.len(), expected.len(), "{table:?}");
    for (line, (dimension, values)) in table.iter().zip(expected) {
        assert_eq!(line["dimension"], dimension);
        assert_eq!(SYSTEMS.map(|system| line[system].parse::<f64>().unwrap()), values, "{dimension}");
    }
}

#[test]
fn placeholders_keep_their_daggers_where_configurations_are_crossed() {
    let dir = data();
    let soft = "score.phrase_encoder = \"placeholder\"\nscore.options.basic_h = { synonyms = false, normalise = { lemmas = false } }\n";
    let basic = format!("[basic]\ncross = [\"one\", \"two\"]\n{}{}", words("one", OBJECTS), words("two", soft));
    dir.write("study.toml", config(&basic));
    dir.succeed(STUDY);
    let table = lines(&dir.join("out/tables/figure_basic_h_configurations.csv"));
    let names: Vec<&String> = table.iter().map(|line| &line["Configuration"]).collect();
    assert_eq!(names, ["one", "two†", "one x two†", "two x one†"]);
    contains(&dir.read("out/study.md"), &["† rests on a placeholder model"]);
    let run = dir.json("out/basic/03-one_x_two/C/run.json");
    let of_h = |metric: &&Value| metric["id"] == "basic_h";
    assert_eq!(run["metrics"].list().iter().find(of_h).unwrap()["stand_in"], true);
    contains(&dir.read("out/basic/03-one_x_two/C/summary.md"), &["BASIC-H ↑†"]);
}

#[test]
fn what_is_wrong_with_a_configuration_of_basic_is_said_first() {
    let dir = data();
    let configuration = "[[basic.configurations]]\n";
    let one = || words("one", "");
    let texts = [
        "[basic]\n".to_owned(),
        one() + &one(),
        words("none", ""),
        words("one", "score.phrase_encodr = \"x\"\n"),
        words("one", "score.options.basic_h.soft = \"hard\"\n"),
        words("one", "score.inputs = {}\n"),
        format!("{configuration}name = \"\"\n"),
        format!("{configuration}name = \"x\"\ninputs = {{ recon = \"A\" }}\n"),
        "[basic]\ncross = [\"one\", \"two\"]\n".to_owned() + &one(),
        "[basic]\ncross = [\"one\"]\n".to_owned() + &one(),
        "[basic]\nstimulus = [\"0\"]\n".to_owned() + &one(),
    ];
    assert_snapshot!(dir.said_of("study.toml", texts.map(|basic| config(&basic)), STUDY, "out/runs"), @r#"
    exit 2, stderr: error: study.toml: [basic]: expected one or more [[basic.configurations]] with name
    exit 2, stderr: error: study.toml: [[basic.configurations]]: "one" and "one" are the same in letters and digits; expected each name once
    exit 1, stderr: error: study.toml: basic.configurations "none": none/gt.txt: no such file or folder
    exit 2, stderr: error: study.toml: basic.configurations "one": score: unknown key `phrase_encodr`; expected one of `inputs`, `pairing`, `reading`, `region`, `metrics`, `labels`, `box_units`, `box_scale_px`, `image_size_px`, `text_encoder`, `text_instruction`, `phrase_encoder`, `graph_parser`, `captioner`, `detector`, `segmenter`, `vlm`, `perception`, `models`, `stimulus_pattern`, `cluster`, `null`, `samples`, `averaged`, `options`, `bootstrap`
    exit 2, stderr: error: study.toml: basic.configurations "one": score: unknown value `hard`; expected one of `per_side_maximum`, `one_to_one`, `off`
    exit 2, stderr: error: study.toml: basic.configurations "one": score: expected inputs in the `inputs` of the configuration
    exit 2, stderr: error: study.toml: [[basic.configurations]]: "" is no name; a name needs a letter or a digit
    exit 2, stderr: error: study.toml: basic.configurations "x": inputs: expected no gt and recon; the images are those of the systems
    exit 2, stderr: error: study.toml: [basic]: cross: "two" is none of the configurations (one)
    exit 2, stderr: error: study.toml: [basic]: cross: expected two or more; one is crossed with none
    exit 2, stderr: error: study.toml:17: unknown key `stimulus` (did you mean "stimuli"?)
    "#);
    let basic = "[basic]\nstimuli = [\"7\"]\n".to_owned() + &words("one", OBJECTS);
    dir.write("study.toml", config(&basic));
    assert_snapshot!(dir.run(STUDY), @r#"
    exit 2, stderr:
    note: system 1 of 3: A
    note: system 2 of 3: B b
    note: system 3 of 3: C
    note: A, BASIC 1 of 1: one
    note: B b, BASIC 1 of 1: one
    note: C, BASIC 1 of 1: one
    error: basic.stimuli: "7" is no stimulus of all of A, B b, C; the first is "0"
    "#);
}

/// Words and masks of three systems, as a study of `metrics`; `more` adds lines to each system.
fn words_and_masks(dir: &Folder, metrics: &str, more: impl Fn(&str) -> String) {
    let categories = r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": ["head"]}], "background_elements": []}"#;
    for (of, to) in [("gt", 4), ("A", 4), ("B b", 6), ("C", 8)] {
        for stem in ["0", "1"] {
            dir.write(&format!("parts/{of}/{stem}.json"), masks(&[("dog", 0, to), ("head", 0, to / 2)]));
            dir.write(&format!("parts/categories/{stem}.json"), categories);
        }
    }
    let mut text = format!(
        "[inputs]\ngt = \"gt\"\ngt_scene_graphs = \"one/gt.txt\"\ngt_masks = \"parts/gt\"\ngt_categories = \"parts/categories\"\n\
         [score]\nmetrics = [{metrics}]\noptions.basic_h = {{ synonyms = false, soft = \"off\", normalise = {{ lemmas = false }} }}\n"
    );
    for system in SYSTEMS {
        let graphs = format!("recon_scene_graphs = \"one/{system}.txt\"");
        let masks = format!("recon_masks = \"parts/{system}\"\nrecon_categories = \"parts/categories\"");
        let more = more(system);
        text += &format!("[[systems]]\nname = \"{system}\"\nrecon = \"{system}\"\n{graphs}\n{masks}\n{more}");
    }
    dir.write("study.toml", text);
}

#[test]
fn meaning_against_structure_is_a_figure() {
    let dir = data();
    words_and_masks(&dir, "\"basic_h\", \"basic_l\"", |_| String::new());
    dir.succeed(STUDY);
    assert!(dir.read("out/study.md").contains("## Meaning against structure (BASIC Figure 2)"));
    let table = lines(&dir.join("out/tables/figure_basic_h_against_basic_l.csv"));
    let number = |line: &HashMap<String, String>, column: &str| line[column].parse::<f64>().unwrap();
    // The whole overlaps in 4 of 4, 6 and 8 columns, the head in 2 of 2, 3 and 4; the same at every level.
    let structure: Vec<f64> = table.iter().map(|line| number(line, "BASIC-L")).collect();
    close(&structure, &[1.0, 4.0 / 6.0, 0.5]);
    for (line, system) in table.iter().zip(SYSTEMS) {
        assert_eq!(line["System"], system);
        let mean = values(&dir.join(format!("out/runs/{}", system.replace(' ', "_"))), "basic_h");
        close(&[number(line, "BASIC-H")], &[mean.iter().sum::<f64>() / 2.0]);
    }
    assert!(dir.read("out/figures/figure_basic_h_against_basic_l.svg").contains("B b"));

    words_and_masks(&dir, "\"basic_h\"", |_| String::new());
    dir.succeed("study --config study.toml --out words");
    let absent = dir.json("words/study.json")["absent"].clone();
    let absent = absent.list().iter();
    let needs: Vec<&Value> = absent.filter(|of| of["paper"] == "BASIC Figure 2").map(|of| &of["needs"]).collect();
    assert_eq!(needs, ["basic_l and basic_h of the same systems: masks, and captions or scene graphs"]);
}

#[test]
fn methods_have_a_table_over_data_sets() {
    let dir = data();
    let dataset = |system: &str| match system {
        "A" => "method = \"M\"\ndataset = \"NSD\"\n".to_owned(),
        "B b" => "method = \"other\"\ndataset = \"NSD\"\n".to_owned(),
        _ => "method = \"M\"\ndataset = \"THINGS\"\n".to_owned(),
    };
    words_and_masks(&dir, "\"basic_h\", \"basic_l\"", dataset);
    dir.succeed(STUDY);
    let table = lines(&dir.join("out/tables/table_methods_by_datasets.csv"));
    assert_eq!(table.len(), 2);
    assert_eq!([&table[0]["Method"], &table[1]["Method"]], ["M", "other"]);
    let number = |place: usize, column: &str| table[place][column].parse::<f64>().unwrap();
    close(
        &[number(0, "NSD: BASIC-L ↑"), number(1, "NSD: BASIC-L ↑"), number(0, "THINGS: BASIC-L ↑")],
        &[1.0, 4.0 / 6.0, 0.5],
    );
    assert_eq!(table[1]["THINGS: BASIC-H ↑"], "", "it was not scored there");
    let page = dir.read("out/study.md");
    assert!(page.contains("## Methods by data sets: NSD, THINGS (BASIC Tables 2, 3 and S2)"));
    // Differences between data sets are not tested, so nothing is marked.
    contains(&page, &["| M      | 1.000 ", "Which method is best is not tested."]);
    // Systems with different data sets are not compared.
    assert!(dir.has("out/tables/table_basic_systems.csv"));
    assert!(dir.has("out/tables/table_basic_systems_C.csv"));

    words_and_masks(&dir, "\"basic_h\"", |_| "method = \"M\"\ndataset = \"NSD\"\n".to_owned());
    assert_snapshot!(dir.run("study --config study.toml --out twice"), @r#"exit 2, stderr: error: study.toml: data set "NSD": "M" is there twice; expected one system of each method and data set"#);
}
