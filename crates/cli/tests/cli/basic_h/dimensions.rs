//! BASIC-H by dimension: in the details, in `dimensions.csv`, and in the output.

use super::appendix_d3::{appendix_d3, score};
use super::parser::WORDS;
use crate::support::*;
use neurogauge::core::{Dimension, Direction, LabelList, LevelDetails};
use neurogauge::load_run;
use neurogauge::stats::{BootstrapOptions, PairedTest, compare_systems, estimate_ratio};

fn write_graphs(dir: &Folder, side: &str, graphs: &Value) {
    dir.write(&format!("{side}/scene_graphs.json"), graphs.to_string());
}

/// Two pairs whose elements are counted by hand below.
fn two_pairs() -> Folder {
    let dir = folder();
    let gt = json!({
        "1": {
            "objects": ["boat", "sea"],
            "attributes": {"boat": ["white", "large"]},
            "relations": [["boat", "on", "sea"]],
        },
        "2": {
            "objects": ["man", "umbrella", "handle"],
            "attributes": {"umbrella": ["red"]},
            "relations": [["man", "holding", "umbrella"], ["handle", "is part of", "umbrella"]],
        },
    });
    let recon = json!({
        "1": {
            "objects": ["boat", "beach"],
            "attributes": {"boat": ["white", "wooden"]},
            "relations": [["boat", "near", "beach"]],
        },
        "2": {
            "objects": ["man", "umbrella", "close-up"],
            "attributes": {"umbrella": ["red", "blurry"]},
            "relations": [["man", "holding", "umbrella"]],
        },
    });
    write_graphs(&dir, "gt", &gt);
    write_graphs(&dir, "recon", &recon);
    dir
}

/// Number of elements, recall and precision, for the two sides, and F1.
type Row<'a> = (&'a str, [usize; 2], [Option<f64>; 2], f64);

#[test]
fn counts_of_two_pairs_by_hand() {
    let dir = two_pairs();
    let (run, _) = score(&dir, WORDS);
    let expected: [Row<'_>; 9] = [
        ("scene", [1, 1], [Some(0.0), Some(0.0)], 0.0),
        // The reconstruction misses the handle.
        ("object", [4, 3], [Some(0.75), Some(1.0)], 1.5 / 1.75),
        ("colour", [2, 2], [Some(1.0), Some(1.0)], 1.0),
        ("material", [0, 1], [None, Some(0.0)], 0.0),
        ("size", [1, 0], [Some(0.0), None], 0.0),
        ("spatial", [1, 1], [Some(0.0), Some(0.0)], 0.0),
        ("part", [1, 0], [Some(0.0), None], 0.0),
        ("action", [1, 1], [Some(1.0), Some(1.0)], 1.0),
        // An object and an attribute.
        ("camera", [0, 2], [None, Some(0.0)], 0.0),
    ];
    let table = dir.read("run/dimensions.csv");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some(
            "dimension,n_reference,n_reconstruction,recall,recall_low,recall_high,precision,precision_low,precision_high,f1"
        )
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), expected.len(), "{table}");
    let number = |text: &str| text.parse::<f64>().ok();
    for (row, (dimension, [n_gt, n_recon], [recall, precision], f1)) in rows.iter().zip(expected) {
        assert_eq!(row[0], dimension);
        assert_eq!(row[1..3], [n_gt.to_string(), n_recon.to_string()]);
        assert_eq!((number(row[3]), number(row[6])), (recall, precision), "{dimension}");
        close(&[number(row[9]).unwrap()], &[f1]);
    }
    // 1 of 1 object in the first pair, 2 of 3 in the second.
    let recall = estimate_ratio(&[(1.0, 1.0), (2.0, 3.0)], &BootstrapOptions::default()).unwrap();
    assert_eq!(number(rows[1][4]).zip(number(rows[1][5])), recall.interval);

    let found = load_run(&run).unwrap();
    let attributes = &found.details().unwrap()[1].metrics["basic_h"]["attributes"];
    let red = &attributes.matched[0];
    assert_eq!(red.reference_dimension, Some(Dimension::Colour));
    assert_eq!(red.reconstruction_dimension, Some(Dimension::Colour));
    let blurry = &attributes.invented[0];
    assert_eq!(blurry.reconstruction_dimension, Some(Dimension::Camera));
    assert!(record(&run)["outputs"]["dimensions.csv"].is_string());
    assert_eq!(found.dimensions().unwrap().len(), expected.len());

    // Copies of a stimulus count as one item, so there is no interval.
    let copy = |side: &str| {
        let graphs = dir.read(format!("{side}/scene_graphs.json"));
        let mut graphs: Value = serde_json::from_str(&graphs).unwrap();
        graphs["cat_1"] = graphs["1"].take();
        graphs["cat_2"] = graphs["2"].take();
        graphs.as_object_mut().unwrap().retain(|_, graph| !graph.is_null());
        write_graphs(&dir, side, &graphs);
    };
    copy("gt");
    copy("recon");
    score(&dir, &format!("{WORDS} --stimulus-pattern {{stimulus}}_*"));
    contains(&dir.read("run/dimensions.csv"), &["\nobject,4,3,0.75,,,1.0,,,"]);
}

#[test]
fn the_table_is_printed_where_it_is_asked_for() {
    let dir = two_pairs();
    let words = format!("score --observations . --metrics basic_h --out run {WORDS}");
    let ran = dir.succeed(&format!("{words} --by-dimension")).stdout;
    let table = &ran[ran.find("BASIC-H by dimension").unwrap()..];
    assert_snapshot!(table, @"
    BASIC-H by dimension: run

    dimension                recall             precision     F1  n stimulus  n reconstruction
    scene                     0.000                 0.000  0.000           1                 1
    object     0.750 [0.023, 0.997]  1.000 [0.011, 1.000]  0.857           4                 3
    colour     1.000 [0.012, 1.000]  1.000 [0.012, 1.000]  1.000           2                 2
    material                      -                 0.000  0.000           0                 1
    size                      0.000                     -  0.000           1                 0
    spatial                   0.000                 0.000  0.000           1                 1
    part                      0.000                     -  0.000           1                 0
    action                    1.000                 1.000  1.000           1                 1
    camera                        -                 0.000  0.000           0                 2

    Sums over all pairs. Which element belongs to which dimension of BASIC's Table 1 is a rule of this toolkit (convention basic-dimensions).
    ");
    // A finished run is read again, and has the same table.
    contains(&dir.succeed(&format!("{words} --by-dimension --format csv")).stdout, &["\ndimension,recall,"]);
    let without = dir.succeed(&words);
    assert!(!without.stdout.contains("by dimension"), "{without}");

    dir.write("gt/captions.json", r#"{"1": "a boat", "2": "a man"}"#);
    dir.write("recon/captions.json", r#"{"1": "a ship", "2": "a man"}"#);
    let other = "score --observations . --out other --metrics bleu_1 --by-dimension";
    assert_snapshot!(dir.succeed(other).messages(), @"
    other: 2 pairs scored
    no BASIC-H by dimension: the run compares no scene graphs; score it with --metrics basic_h
    ");
}

/// The names in a list, with their dimensions.
fn named(level: &LevelDetails) -> Vec<(&str, Dimension)> {
    let entries = level.matched.iter().map(|one| (one.reference.as_deref(), one.reference_dimension));
    entries.map(|(name, of)| (name.unwrap(), of.unwrap())).collect()
}

#[test]
fn wordnet_decides_what_the_lists_leave() {
    let dir = folder();
    let coco = LabelList::coco();
    let of_wordnet =
        [("boat race", Dimension::Scene), ("wedding", Dimension::Scene), ("tennis game", Dimension::Scene)];
    let objects: Vec<&str> = coco.names().iter().map(String::as_str).chain(of_wordnet.map(|(name, _)| name)).collect();
    let attributes = [
        ("cerulean", Dimension::Colour),
        ("gargantuan", Dimension::Size),
        ("parked", Dimension::State),
        ("suede", Dimension::Material),
        ("beautiful", Dimension::OtherAttribute),
    ];
    let relations = [
        ("jump over", Dimension::Action),
        ("ride", Dimension::Action),
        ("in front of", Dimension::Spatial),
        ("visible in", Dimension::Spatial),
        ("has", Dimension::Part),
        ("for", Dimension::OtherRelation),
    ];
    let graph = json!({"1": {
        "objects": objects,
        "attributes": {"dog": attributes.map(|(word, _)| word)},
        "relations": relations.map(|(predicate, _)| ["dog", predicate, "cat"]),
    }});
    write_graphs(&dir, "gt", &graph);
    write_graphs(&dir, "recon", &graph);
    let (run, _) = score(&dir, &format!("--set basic_soft=off --wordnet {}", arg(&wordnet())));
    let levels = &load_run(&run).unwrap().details().unwrap()[0].metrics["basic_h"];
    let mut n_objects = 0;
    for (name, found) in named(&levels["objects"]) {
        let special = of_wordnet.iter().find(|(known, _)| *known == name);
        assert_eq!(found, special.map_or(Dimension::Object, |(_, dimension)| *dimension), "{name}");
        n_objects += 1;
    }
    assert_eq!(n_objects, objects.len());
    let sorted = |mut expected: Vec<(String, Dimension)>| {
        expected.sort();
        expected
    };
    let own = |level: &str| sorted(named(&levels[level]).into_iter().map(|(name, of)| (name.to_owned(), of)).collect());
    let expected = attributes.map(|(word, of)| (word.to_owned(), of));
    assert_eq!(own("attributes"), sorted(expected.to_vec()));
    let expected = relations.map(|(predicate, of)| (format!("dog {predicate} cat"), of));
    assert_eq!(own("relations"), sorted(expected.to_vec()));
}

#[test]
fn the_three_scores_follow_from_the_dimensions() {
    let dir = folder();
    appendix_d3(dir.path());
    let (run, _) = score(&dir, "--set basic_synonyms=off --set basic_lemmas=off --set phrase_encoder=placeholder");
    let run = load_run(&run).unwrap();
    // Every element of the stimuli has a dimension, with the same weight as in BASIC-H.
    let dimensions = run.dimensions().unwrap();
    let n: usize = dimensions.iter().map(|of| of.n.gt).sum();
    let mut expected = (0, 0.0);
    for pair in run.details().unwrap() {
        for level in pair.metrics["basic_h"].values() {
            expected.0 += level.matched.len() + level.missed.len();
            let matched = level.matched.iter().map(|one| one.similarity.unwrap_or(1.0));
            expected.1 += matched.chain(level.missed.iter().map(|one| one.similarity.unwrap_or(0.0))).sum::<f64>();
        }
    }
    let recalled = dimensions.iter().filter(|of| of.n.gt > 0);
    let recalled = recalled.map(|of| of.recall.value.clone().unwrap() * of.n.gt as f64);
    assert_eq!(n, expected.0);
    close(&[recalled.sum()], &[expected.1]);
}

/// Runs of two systems with six pairs of coloured boats; the first has five of the colours right, the second two.
fn two_systems() -> Folder {
    let dir = folder();
    for (system, right) in [("a", [1, 1, 1, 1, 1, 0]), ("b", [1, 0, 0, 0, 1, 0])] {
        let graphs = |colours: [&str; 6]| {
            let stems = colours.iter().enumerate();
            let of_pair = |(place, colour): (usize, &&str)| {
                (format!("{place}"), json!({"objects": ["boat"], "attributes": {"boat": [colour]}, "relations": []}))
            };
            Value::Object(stems.map(of_pair).collect())
        };
        write_graphs(&dir, &format!("{system}/gt"), &graphs(["red"; 6]));
        let made = right.map(|right| if right == 1 { "red" } else { "blue" });
        write_graphs(&dir, &format!("{system}/recon"), &graphs(made));
        dir.succeed(&format!("score --observations {system} --metrics basic_h --out run_{system} {WORDS}"));
    }
    dir
}

#[test]
fn systems_are_compared_by_dimension() {
    let dir = two_systems();
    let all = dir.succeed("compare run_a run_b --metrics basic_h --by-dimension --out compared -v").stdout;
    let [begin, end] = ["BASIC-H's F1 by", "\nDifferences on the shared"].map(|title| all.find(title).unwrap());
    assert_snapshot!(all[begin..end], @"
    BASIC-H's F1 by dimension

    dimension                 run_a                 run_b  pairs
    object     1.000 [0.610, 1.000]  1.000 [0.610, 1.000]      6
    colour     0.833 [0.436, 0.970]  0.333 [0.097, 0.700]      6

    F1 of the sums over all pairs with an element of the dimension, with 95% intervals over stimuli; higher is better. Which element belongs to which dimension is a rule of this toolkit (convention basic-dimensions).

    Differences by dimension

    dimension  system  minus         difference [95%]       p  p (Holm)   d_z  n
    object     run_a   run_b                   0.0000       -         -     -  6
    colour     run_a   run_b  0.5000 [0.0000, 1.0000]  0.2500    0.2500  0.91  6

    p and interval: sign-flip test of the pairs' differences, uncorrected; p (Holm): corrected for the only difference of this table
    d_z: the difference / the standard deviation of the pairs' differences; dimension_differences.csv (or --format csv) also has the share of pairs at which the first is better, and the smallest difference that so many pairs show with a power of 80%
    no interval: too few pairs to rule out any difference, or the same difference in all of them
    ");
    // What was asked for is printed without `-v`, too.
    let printed = dir.succeed("compare run_a run_b --metrics basic_h --by-dimension").stdout;
    let further = all[begin..end].find("\nDifferences by dimension").unwrap();
    contains(&printed, &[&all[begin..begin + further], "2 more tables with -v"]);
    // Both sides have equally many elements, one in each pair, so F1 is the share of right colours.
    let columns = [[1.0, 1.0, 1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]].map(|values| values.map(Ok));
    let systems = [vec![&columns[0][..]], vec![&columns[1][..]]];
    let test = (PairedTest::SignFlip, 1);
    let expected = compare_systems(&systems, Direction::Higher, test, &BootstrapOptions::default()).unwrap();
    let found = &dir.json("compared/compare.json")["by_dimension"];
    let colour = &found["dimensions"][1];
    assert_eq!((&colour["dimension"], &colour["n_pairs"]), (&json!("colour"), &json!(6)));
    for (found, expected) in colour["f1"].list().iter().zip(&expected.systems) {
        let ends = expected.estimate.interval.unwrap();
        let found = [&found["value"], &found["interval"][0], &found["interval"][1]].map(|value| value.number());
        close(&found, &[expected.estimate.value.clone().unwrap(), ends.0.max(0.0), ends.1.min(1.0)]);
    }
    let difference = &found["differences"][1];
    assert_eq!((&difference["metric"], &difference["dimension"]), (&json!("basic_h"), &json!("colour")));
    close(&[difference["difference"].number()], &[0.5]);
    // Three of six pairs differ, all in the same direction: 2 of 8 sign flips are at least as extreme.
    close(&[difference["p_value"].number()], &[0.25]);
    assert_eq!(expected.differences[0].p_value, Some(0.25));

    let rows = dir.read("compared/dimensions.csv");
    assert!(rows.starts_with("dimension,system,n,f1,f1_low,f1_high,stand_in\nobject,run_a,6,1.0,"), "{rows}");
    assert_eq!(rows.lines().count(), 5);
    contains(&dir.read("compared/dimension_differences.csv"), &["\ncolour,run_a,run_b,0.5,"]);
    // Files of an earlier comparison are removed.
    dir.succeed("compare run_a run_b --metrics basic_h --out compared --overwrite");
    assert!(!dir.has("compared/dimensions.csv"));
    assert!(dir.json("compared/compare.json").get("by_dimension").is_none());

    // The page of runs has a section by dimension.
    dir.succeed("report run_a run_b --out both.html");
    let page = dir.read("both.html");
    contains(&page, &["<section id=\"dimensions\"", "s F1 by dimension</h3>", "Differences by dimension"]);
    dir.succeed("report run_a --out one.html");
    assert!(dir.read("one.html").contains("BASIC-H by dimension: run_a"));
    // The message names a run without details of scene graphs.
    dir.remove("run_b/details.jsonl");
    assert_snapshot!(dir.run("compare run_a run_b --by-dimension"), @"exit 2, stderr: error: --by-dimension: run_b has no dimensions of scene graphs; expected runs of pairs, each with BASIC-H (--metrics basic_h)");
}
