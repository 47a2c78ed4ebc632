//! Every input of a command says in the record what it was taken for.

use crate::support::*;
use std::collections::BTreeSet;

/// The options that name inputs, and the beginning of what their findings are about.
const INPUTS: [(&str, &str); 66] = [
    ("score <GT> <RECON>", "images"),
    ("score --gt", "images"),
    ("score --recon", "images"),
    ("score --observations", "captions"),
    ("score --gt captions", "captions"),
    ("score --recon captions", "captions"),
    ("score --gt detections", "detections"),
    ("score --recon detections", "detections"),
    ("score --gt vlm-categories", "VLM categories"),
    ("score --recon vlm-categories", "VLM categories"),
    ("score --gt image-texts", "texts in images"),
    ("score --recon image-texts", "texts in images"),
    ("score --gt masks", "masks"),
    ("score --recon masks", "masks"),
    ("score --gt categories", "gt/categories"),
    ("score --recon categories", "recon/categories"),
    ("score --gt features", "features"),
    ("score --recon features", "features"),
    ("score --gt scene-graphs", "scene graphs"),
    ("score --recon scene-graphs", "scene graphs"),
    ("score --recon vqa-scores", "VQA scores"),
    ("score --pool", "pool features"),
    ("score --trials", "trials"),
    ("score --wordnet", "wordnet"),
    ("score masks <GT>", "masks"),
    ("score masks <RECON>", "masks"),
    ("score sets <GT>", "features"),
    ("score sets <RECON>", "features"),
    ("score captions <GT>", "captions"),
    ("score captions <RECON>", "captions"),
    ("score captions --image-captions", "captions of image"),
    ("score captions --image-embeddings", "embeddings"),
    ("score captions --caption-embeddings", "embeddings"),
    ("score captions --reference-embeddings", "embeddings"),
    ("score boxes <GT>", "boxes"),
    ("score boxes <RECON>", "boxes"),
    ("score shapes <GT>", "shapes"),
    ("score shapes <RECON>", "shapes"),
    ("score embeddings <GT>", "embeddings"),
    ("score embeddings <RECON>", "embeddings"),
    ("score embeddings --trials", "trials"),
    ("meta --human", "r.csv"),
    ("meta --metrics", "m.csv"),
    ("meta --items", "ids.txt"),
    ("meta --worst-groups", "groups.csv"),
    ("meta --classes", "classes.csv"),
    ("audit --train", "train"),
    ("audit --test", "test"),
    ("audit --recon", "decoded"),
    ("audit --decoded", "decoded"),
    ("audit --clusters", "clusters"),
    ("audit --random-fold-scores", "scores of random folds"),
    ("audit --cluster-fold-scores", "scores of held-out clusters"),
    ("audit --train-captions", "train_captions"),
    ("audit --decoded-captions", "decoded_captions"),
    ("audit --caption-pictures", "caption_pictures"),
    ("audit --sample-scores", "scores of samples"),
    ("audit --chosen", "chosen samples"),
    ("align --ceiling", "ceilings"),
    ("survey read <FILE>", "answers"),
    ("perceive --images", "images"),
    ("perceive --captions", "captions"),
    ("perceive --categories", "categories"),
    ("perceive --boxes", "boxes"),
    ("perceive --punkt", "punkt"),
    ("perceive --wordnet", "wordnet"),
];

/// Options that name no data, or whose data other options or commands name: results, weights, settings, texts, and
/// inputs that go on to `score`, `meta` or `perceive`.
const OTHERS: [&str; 34] = [
    "score --config",
    "score --punkt",
    "score --tagger",
    "score --chosen-samples",
    "score --from-run",
    "score --lpips-heads",
    "score captions --wordnet",
    "meta --stimuli",
    "meta --gt",
    "meta --recon",
    "study --config",
    "study --data",
    "study --gt",
    "study --recon",
    "study --observations",
    "study --run",
    "study --human",
    "align --config",
    "align --nsd",
    "align --stimuli",
    "check <GT> <RECON>",
    "check --gt",
    "check --recon",
    "check --observations",
    "check --wordnet",
    "check --punkt",
    "check --tagger",
    "check --chosen-samples",
    "check --pool",
    "multiverse <STIMULI>",
    "multiverse <NAME=RECON>",
    "gallery --gt",
    "gallery --recon",
    "gallery --caption-file",
];

/// Places for results, and options of commands that make or serve questionnaires or that work on results.
fn is_of_questionnaires_or_results(option: &str) -> bool {
    let starts = "survey make,survey collect,survey power,survey read --,cluster ,report ,board ,list ,cite ,demo ,help ,compare ";
    option.ends_with(" --out") || starts.split(',').any(|start| option.starts_with(start))
}

/// Runs a command, whose record must say what these inputs were taken for.
#[track_caller]
fn says(dir: &Folder, command: &str, record: &str, of: &str) -> BTreeSet<&'static str> {
    dir.succeed(command);
    among(&dir.json(record), command, of)
}

/// Reads from a record which inputs have a `taken_for` finding, and checks that they are the expected ones.
#[track_caller]
fn among(record: &Value, command: &str, of: &str) -> BTreeSet<&'static str> {
    let findings = record["findings"].list().iter().filter(|finding| finding["code"] == "taken_for");
    all_of(&findings.map(|finding| finding["subject"].text()).collect::<Vec<_>>(), command, of)
}

/// The same of a command without a record, which says it in notes.
#[track_caller]
fn tells(dir: &Folder, command: &str, of: &str) -> BTreeSet<&'static str> {
    let messages = dir.succeed(command).messages();
    all_of(&messages.lines().filter_map(|line| line.strip_prefix("note: ")).collect::<Vec<_>>(), command, of)
}

#[track_caller]
fn all_of(subjects: &[&str], command: &str, of: &str) -> BTreeSet<&'static str> {
    let words: Vec<&str> = of.split(", ").collect();
    let options = INPUTS.iter().filter(|(option, _)| words.contains(option));
    options
        .map(|(option, subject)| {
            assert!(subjects.iter().any(|found| found.starts_with(subject)), "{command}: {option}: {subjects:?}");
            *option
        })
        .collect()
}

fn array(dir: &Folder, name: &str, shape: &[u64]) {
    let values: Vec<f32> = (0..shape.iter().product::<u64>())
        .map(|place| Synthetic::new(name, 1).uniform(place) - 0.5)
        .collect();
    fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
    write_f32(&dir.join(name), shape, &values).unwrap();
}

/// Features with the ids of their rows.
fn features(dir: &Folder, name: &str, ids: &[String]) {
    array(dir, &format!("{name}/f.npy"), &[ids.len() as u64, 6]);
    dir.write(&format!("{name}/ids.json"), json!(ids).to_string());
}

#[test]
fn every_input_says_what_it_was_taken_for() {
    let mut said = BTreeSet::new();
    let dir = images(&STEMS);
    small_dataset(dir.path());
    let by_stem = |value: Value| json!({"1": value, "2": value, "10": value}).to_string();
    for side in ["gt", "recon"] {
        dir.write(&format!("{side}/vlm_categories.json"), by_stem(json!(["dog"])));
        dir.write(&format!("{side}/image_texts.json"), by_stem(json!(["EXIT"])));
        for stem in STEMS {
            dir.write(&format!("{side}/masks/{stem}.json"), masks(&[("dog", 0, 5)]));
        }
        let things = json!({"foreground_objects": [{"object": "dog", "parts": []}], "background_elements": []});
        dir.write(&format!("{side}/categories.json"), by_stem(things));
    }
    dir.write("recon/vqa_scores.json", by_stem(json!(0.5)));
    said.extend(says(
        &dir,
        "score gt recon --observations . --labels coco_gender --set text_encoder=placeholder --set box_units=pixels --out run --metrics \
         pixcorr,object_f1,object_f1_vlm,text_recall,cap_sim,effnet,vqa_score,mask_matching_ratio",
        "run/run.json",
        "score <GT> <RECON>, score --gt, score --recon, score --observations, score --gt captions, score --recon captions, \
         score --gt detections, score --recon detections, score --gt features, score --recon features, \
         score --gt vlm-categories, score --recon vlm-categories, score --gt image-texts, score --recon image-texts, \
         score --gt masks, score --recon masks, score --gt categories, score --recon categories, score --recon vqa-scores",
    ));
    let perceive = "perceive --images gt --masks placeholder-segmenter";
    let asked =
        format!("{perceive} --out seen --set mask_detector=placeholder-detector --categories gt/categories.json");
    said.extend(tells(&dir, &asked, "perceive --images, perceive --categories"));
    dir.succeed("perceive --images gt --with placeholder-detector --out found");
    let given = format!("{perceive} --out given --boxes found/detections");
    said.extend(tells(&dir, &given, "perceive --boxes"));
    dir.succeed(&given).says(&["note: found/detections.recipe.json: how the detections were made"]);
    for side in ["gt", "recon"] {
        let graph = json!({"objects": ["dog"], "attributes": {}, "relations": []});
        dir.write(&format!("{side}.json"), by_stem(graph));
    }
    let graphs = "score --gt scene-graphs=gt.json --recon scene-graphs=recon.json --set basic_soft=off --metrics basic_object_f1";
    said.extend(says(
        &dir,
        &format!("{graphs} --wordnet {} --out graphs", arg(&wordnet())),
        "graphs/run.json",
        "score --gt scene-graphs, score --recon scene-graphs, score --wordnet",
    ));

    let dir = folder();
    let captions = json!({"1": "a dog", "2": "a cat on a sofa"}).to_string();
    dir.write("captions.json", &captions);
    dir.write("decoded.csv", "image,caption\n1,a dog\n2,a cat\n");
    dir.write("image.json", captions);
    for name in ["image", "caption"] {
        array(&dir, &format!("{name}.npy"), &[2, 6]);
    }
    array(&dir, "reference.npy", &[2, 1, 6]);
    said.extend(says(
        &dir,
        "score captions captions.json decoded.csv --image-captions image.json --image-embeddings image.npy --caption-embeddings \
         caption.npy --reference-embeddings reference.npy --out captions",
        "captions/run.json",
        "score captions <GT>, score captions <RECON>, score captions --image-captions, score captions --image-embeddings, \
         score captions --caption-embeddings, score captions --reference-embeddings",
    ));
    let boxes = json!({"1": {"dog": [[0, 0, 0.5, 0.5]]}}).to_string();
    dir.write("boxes.json", &boxes);
    let of_boxes = "score boxes <GT>, score boxes <RECON>";
    said.extend(says(&dir, "score boxes boxes.json boxes.json --out boxes", "boxes/run.json", of_boxes));
    for side in ["seen", "decoded"] {
        dir.write(&format!("{side}/a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }
    let polygon = json!([[5, 5, 25, 5, 25, 25, 5, 25]]);
    let object = json!({"id": 1, "image_id": 1, "category_id": 1, "segmentation": polygon, "score": 0.9, "area": 400});
    let image = json!({"id": 1, "width": 80, "height": 60});
    let instances = json!({"images": [image], "categories": [{"id": 1, "name": "cat"}], "annotations": [object]});
    dir.write("instances.json", instances.to_string());
    dir.write("results.json", json!([object]).to_string());
    let command = "score masks instances.json results.json --format json";
    said.extend(among(&dir.succeed(command).json(), command, "score masks <GT>, score masks <RECON>"));
    let of_shapes = "score shapes <GT>, score shapes <RECON>";
    said.extend(says(&dir, "score shapes seen decoded --out shapes", "shapes/run.json", of_shapes));
    array(&dir, "trials.npy", &[6, 6]);
    array(&dir, "images.npy", &[3, 6]);
    dir.write("trials.txt", "0\n1\n2\n0\n1\n2\n");
    let embeddings = "score embeddings images.npy";
    said.extend(says(
        &dir,
        &format!("{embeddings} images.npy --candidates 2 --repeats 2 --out rows"),
        "rows/retrieval.json",
        "score embeddings <GT>, score embeddings <RECON>",
    ));
    said.extend(says(
        &dir,
        &format!("{embeddings} trials.npy --trials trials.txt --candidates 2 --repeats 2 --out trials"),
        "trials/retrieval.json",
        "score embeddings --trials",
    ));

    let names = |prefix: &str, n: usize| (0..n).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
    for (folder, ids) in
        [("pool", names("p", 9)), ("gt", names("s", 4)), ("recon", names("t", 8)), ("means", names("s", 4))]
    {
        array(&dir, &format!("{folder}/clip.npy"), &[ids.len() as u64, 6]);
        dir.write(&format!("{folder}/ids.json"), json!(ids).to_string());
    }
    dir.write(
        "trials.csv",
        format!("trial,image\n{}", (0..8).map(|at| format!("t{at},s{}\n", at % 4)).collect::<String>()),
    );
    dir.write("alike.csv", "item,cluster\ns0,a\ns1,a\ns2,b\ns3,b\n");
    let score = "score --gt features=gt --metrics clip --recon";
    let by_trial = format!("{score} features=recon --trials trials.csv --set cluster=alike.csv --out by-trial");
    said.extend(says(&dir, &by_trial, "by-trial/run.json", "score --trials"));
    contains(&dir.read("by-trial/run.json"), &["4 of 4 by name, columns item, cluster"]);
    let of_pool = format!("{score} features=means --pool pool --out of-pool");
    said.extend(says(&dir, &of_pool, "of-pool/run.json", "score --pool"));
    let sets = "score sets gt/clip.npy means/clip.npy --out sets";
    said.extend(says(&dir, sets, "sets/run.json", "score sets <GT>, score sets <RECON>"));

    let items: Vec<String> = (1..=8).map(|item| format!("s{item}")).collect();
    let table = |header: &str, cells: &dyn Fn(usize) -> String| {
        let lines = items.iter().enumerate().map(|(at, item)| format!("{item},{}\n", cells(at)));
        format!("{header}\n{}", lines.collect::<String>())
    };
    dir.write("r.csv", table("item,ann,bob", &|at| format!("{},{}", at % 5 + 1, (at + 1) % 5 + 1)));
    dir.write("m.csv", table("item,near,far", &|at| format!("{},{}", at % 5, at * 7 % 8)));
    dir.write("groups.csv", table("item,group", &|at| (if at < 4 { "x" } else { "y" }).to_owned()));
    dir.write("classes.csv", table("item,gt_label,recon_label", &|at| format!("c{},c{}", at % 3, at % 2)));
    let meta = "meta --metrics m.csv --higher-is-better near,far --no-figures --resamples 10";
    said.extend(says(
        &dir,
        &format!("{meta} --human r.csv --classes classes.csv --worst-groups groups.csv --out meta"),
        "meta/meta.json",
        "meta --human, meta --metrics, meta --worst-groups, meta --classes",
    ));
    array(&dir, "ratings.npy", &[8, 3]);
    dir.write("ids.txt", items.join("\n"));
    let command = format!("{meta} --human ratings.npy --items ids.txt --out named");
    said.extend(says(&dir, &command, "named/meta.json", "meta --items"));

    let (train, test) = (names("t", 12), names("s", 6));
    for (name, ids) in [("train", &train), ("test", &test), ("recon", &test), ("words", &train), ("said", &test)] {
        features(&dir, name, ids);
    }
    let clusters = train.iter().chain(&test).enumerate().map(|(at, item)| format!("{item},k{}\n", at % 3));
    dir.write("clusters.csv", format!("item,cluster\n{}", clusters.collect::<String>()));
    let scores = |seed: usize| {
        let lines = train.iter().enumerate().map(|(at, item)| format!("{item},{}\n", (at * seed) % 5));
        format!("item,acc\n{}", lines.collect::<String>())
    };
    dir.write("random.csv", scores(3));
    dir.write("held.csv", scores(2));
    let samples = test.iter().flat_map(|item| (0..2).map(move |sample| format!("{item}_{sample},0.{sample}\n")));
    dir.write("samples.csv", format!("item,pixcorr\n{}", samples.collect::<String>()));
    let chosen = test.iter().map(|item| format!("{item},1\n")).collect::<String>();
    dir.write("chosen.csv", format!("item,label\n{chosen}"));
    let audit = "audit --train train/f.npy --test test/f.npy --no-figures --resamples 10";
    said.extend(says(
        &dir,
        &format!(
            "{audit} --recon recon/f.npy --clusters clusters.csv --random-fold-scores random.csv --cluster-fold-scores held.csv \
             --train-captions words/f.npy --decoded-captions said/f.npy --caption-pictures recon/f.npy --sample-scores samples.csv \
             --chosen chosen.csv --out audit"
        ),
        "audit/audit.json",
        "audit --train, audit --test, audit --recon, audit --clusters, audit --random-fold-scores, audit --cluster-fold-scores, \
         audit --train-captions, audit --decoded-captions, audit --caption-pictures, audit --sample-scores, audit --chosen",
    ));
    let command = format!("{audit} --decoded recon/f.npy --clusters 2 --out decoded-audit");
    said.extend(says(&dir, &command, "decoded-audit/audit.json", "audit --decoded"));

    // Ceilings (align/encoding.rs), a survey (survey/crowd.rs) and a parser (basic_h/parsed_captions.rs) say the same
    // where they are made.
    let others = [
        "align --ceiling",
        "survey read <FILE>",
        "perceive --captions",
        "perceive --punkt",
        "perceive --wordnet",
    ];
    for (option, _) in INPUTS {
        assert!(said.contains(option) || others.contains(&option), "{option}");
    }
}

#[test]
fn every_option_that_names_a_file_is_known_here() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/reference/command-line.md");
    let page = fs::read_to_string(page).unwrap();
    let mut command = None;
    let mut found = BTreeSet::new();
    for line in page.lines() {
        if line.starts_with('#') {
            command = line.split('`').nth(1).and_then(|words| words.strip_prefix("neurogauge "));
        }
        let (Some(command), Some(option)) = (command, line.strip_prefix("- `").and_then(|rest| rest.split('`').next()))
        else {
            continue;
        };
        let (name, value) = match option.split_once(" <").filter(|_| option.starts_with('-')) {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (option.to_owned(), option.to_owned()),
        };
        let (name, value) = match name.split_once("=<") {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (name, value),
        };
        let kinds = ["PATH", "FILE", "DIR", "RUN", "<GT>", "RECON", "STIMULI", "FOLDER"];
        if kinds.iter().any(|kind| value.contains(kind)) {
            found.insert(format!("{command} {name}"));
        }
    }
    let known = |option: &str| INPUTS.iter().any(|(input, _)| *input == option) || OTHERS.contains(&option);
    let unknown: Vec<&String> =
        found.iter().filter(|option| !known(option) && !is_of_questionnaires_or_results(option)).collect();
    assert!(unknown.is_empty(), "say in `INPUTS` what these inputs are taken for: {unknown:?}");
    let gone: Vec<&str> = INPUTS.iter().map(|(input, _)| *input).filter(|input| !found.contains(*input)).collect();
    assert!(gone.is_empty() && found.len() > 80, "{gone:?}");
}
