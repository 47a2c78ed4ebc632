//! A caption parser's inputs, and the messages when one is missing.

use super::parser::{Setting, both_sides, score};
use crate::support::arguments::score_observations;
use crate::support::{arg, refused, write};
use std::fs;
use std::path::Path;

#[test]
fn what_is_lacking_is_said() {
    let setting = Setting::new();
    let (captions, out, nowhere) = (
        setting.path("captions.json"),
        setting.path("other"),
        setting.path("nowhere"),
    );
    fs::create_dir(&nowhere).unwrap();
    let perceive = |options: &[&str], code, parts: &[&str]| {
        refused(
            &[&["perceive", "--out", arg(&out)], options].concat(),
            code,
            parts,
        );
    };
    let of_captions = ["--captions", arg(&captions)];
    let offline = [
        "--with",
        "factual_t5",
        "--offline",
        "--weights",
        arg(&nowhere),
    ];
    perceive(
        &[&of_captions[..], &offline].concat(),
        1,
        &[
            "flan-t5-base-VG-factual-sg",
            "model.safetensors",
            "--checkpoint factual_t5=FILE",
            "scene graphs may come from files",
            "--gt-scene-graphs",
        ],
    );
    assert!(!out.exists());
    perceive(&offline, 2, &["--images"]);
    let images = ["--images", "nowhere"];
    perceive(
        &[&images[..], &offline].concat(),
        2,
        &[
            "a parser reads captions",
            "--captions FILE",
            "--with git_large_coco,factual_t5",
        ],
    );
    perceive(
        &[&of_captions[..], &["--with", "alexnet"]].concat(),
        2,
        &["only a parser reads captions", "--with factual_t5"],
    );
    perceive(
        &[&of_captions[..], &["--with", "factual_t5,alexnet"]].concat(),
        2,
        &["--with alexnet", "--images"],
    );
    perceive(
        &[&of_captions[..], &["--with", "factual_t5:encoder"]].concat(),
        2,
        &["a parser has no layers"],
    );
    let checkpoint = setting.checkpoint();
    let with = ["--with", "factual_t5", "--checkpoint", &checkpoint];
    perceive(
        &[&["--captions", "absent.json"], &with[..]].concat(),
        1,
        &["absent.json"],
    );
    perceive(
        &[&of_captions[..], &with, &["--punkt", arg(&nowhere)]].concat(),
        1,
        &["abbrev_types.txt", "Punkt"],
    );
    write(
        &out.join("scene_graphs.json"),
        r#"{"1": {"objects": ["mine"]}}"#,
    );
    perceive(
        &[&of_captions[..], &with].concat(),
        1,
        &[
            "scene_graphs.json",
            "scene_graphs.recipe.json",
            "not replaced",
        ],
    );

    let refuse = |options: &[&str], code, parts: &[&str]| {
        let ran = score(&setting, "run", options);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        ran.says(parts);
    };
    for side in ["gt", "recon"] {
        fs::create_dir(setting.path(side)).unwrap();
    }
    refuse(
        &["--parser", "t5"],
        2,
        &[
            "--parser t5 needs captions of both sides",
            "--captioner MODEL",
        ],
    );
    both_sides(&setting);
    refuse(
        &[],
        2,
        &[
            "scene graphs of both sides",
            "captions of both sides and --parser t5",
        ],
    );
    refuse(
        &["--parser-beams", "3"],
        2,
        &["scene graphs come from files here"],
    );
    let graphs = out.join("scene_graphs.json");
    refuse(
        &[
            "--parser",
            "t5",
            "--gt-scene-graphs",
            arg(&graphs),
            "--recon-scene-graphs",
            arg(&graphs),
        ],
        2,
        &["there are scene graphs already", "leave one of them out"],
    );
    let run = setting.path("run");
    let args = score_observations(setting.dir.path(), &run, &["--parser", "t5"]);
    let args = [
        &args[..],
        &[
            "--metrics",
            "basic_h",
            "--offline",
            "--weights",
            arg(&nowhere),
        ],
    ]
    .concat();
    refused(
        &args,
        1,
        &["model.safetensors", "scene graphs may come from files"],
    );
}

#[test]
fn a_path_that_is_no_parser_is_refused() {
    let setting = Setting::new();
    let bad = setting.path("parser/bad.safetensors");
    fs::write(&bad, b"nothing").unwrap();
    let captions = setting.path("captions.json");
    let out = setting.path("out");
    let refused_for = |file: &Path, part: &str| {
        let checkpoint = format!("factual_t5={}", arg(file));
        let args = [
            "perceive",
            "--captions",
            arg(&captions),
            "--with",
            "factual_t5",
            "--checkpoint",
            &checkpoint,
            "--out",
            arg(&out),
        ];
        refused(&args, 1, &[part]);
    };
    refused_for(&bad, "bad.safetensors");
    let absent = Path::new("/nonexistent/model.safetensors");
    refused_for(absent, arg(absent));
}
