//! Every kind of observation for five pairs, and a pool.

use crate::support::*;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];
const CATEGORIES: [&str; 6] = ["person", "dog", "cat", "car", "boat", "chair"];

pub(crate) struct Dataset {
    root: PathBuf,
}

impl Dataset {
    pub(crate) fn new(root: &Path) -> Dataset {
        image_folders(root, &STEMS);
        for (index, stem) in STEMS.iter().enumerate() {
            let image = picture(&format!("p{stem}"), 48, 30.0 + 20.0 * index as f32);
            write_png(&root.join("pool").join(format!("{stem}.png")), &image).unwrap();
        }
        for (side, shift) in [("gt", 0), ("recon", 1)] {
            observations(&root.join("observations").join(side), shift);
        }
        let several = STEMS.map(|stem| (stem.to_owned(), json!([caption(stem, 0), caption(stem, 2)])));
        write(&root.join("several_captions.json"), &Value::Object(several.into_iter().collect()).to_string());
        Dataset { root: root.to_owned() }
    }

    /// A synthetic parser of captions, as a value of `--checkpoint`.
    pub(crate) fn parser(&self) -> String {
        let parser = write_parser(&self.root.join("parser"), |_, _| {});
        format!("factual_t5={}", arg(&parser))
    }
}

fn caption(stem: &str, shift: usize) -> String {
    let place = STEMS.iter().position(|known| *known == stem).unwrap();
    let category = |step: usize| CATEGORIES[(place + shift * step) % CATEGORIES.len()];
    format!("a red {} beside a {}", category(1), category(2))
}

fn observations(side: &Path, shift: usize) {
    let mut captions = Vec::new();
    let mut graphs = Map::new();
    let mut names = Map::new();
    for (place, stem) in STEMS.iter().enumerate() {
        let [first, second] = [place, place + shift].map(|place| CATEGORIES[place % CATEGORIES.len()]);
        let tree = &["tall", "green"][shift..];
        let relation = ["near", "beside"][shift];
        let corner = 5.0 * (place + shift) as f64;
        let objects = [
            (first, 0.95 - 0.1 * shift as f64, [corner, 0.0, 40.0 + corner, 60.0]),
            (second, 0.4, [0.0, corner, 30.0, 70.0]),
            ("dog", 0.31 + 0.1 * place as f64, [0.0, 0.0, 90.0, 80.0]),
        ];
        write_detections(side, stem, &objects);
        captions.push((*stem, caption(stem, shift)));
        graphs.insert(
            (*stem).to_owned(),
            json!({
                "objects": [first, second, "tree"],
                "attributes": {first: ["red"], "tree": tree},
                "relations": [[first, relation, second]],
            }),
        );
        names.insert((*stem).to_owned(), json!(format!("{first}, {second}")));
        let from = 2 * shift as u32 + place as u32 % 2;
        write(
            &side.join(format!("masks/{stem}.json")),
            &masks(&[(first, 0, 4 + from), ("sky", 8, 10), ("head", from, 3)]),
        );
        let answer = json!({
            "foreground_objects": [{"object": first, "semantic_category": "thing", "parts": ["head"]}],
            "background_elements": [{"element": "sky", "semantic_category": "natural"}],
        });
        write(&side.join(format!("categories/{stem}.json")), &answer.to_string());
    }
    let captions: Vec<(&str, &str)> = captions.iter().map(|(stem, text)| (*stem, text.as_str())).collect();
    write_captions(side, &captions);
    write(&side.join("scene_graphs.json"), &Value::Object(graphs).to_string());
    write(&side.join("vlm_categories.json"), &Value::Object(names).to_string());
    let shift = shift as f32;
    let row = |place: f32| [place + shift, 2.0 - place * shift, 0.5 * place * place];
    let rows: Vec<(&str, [f32; 3])> =
        STEMS.iter().zip(1_u8..).map(|(stem, place)| (*stem, row(f32::from(place)))).collect();
    for model in ["efficientnet_b1", "swav_resnet50", "clip"] {
        write_features(side, model, &rows);
    }
}
