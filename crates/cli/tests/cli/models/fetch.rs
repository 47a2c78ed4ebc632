//! `neurogauge models fetch` of sets and plans, and `neurogauge cite`.

use crate::support::image_pairs::ImagePairs;
use crate::support::{arg, folder, refused, succeed};
use biblatex::{Bibliography, ChunksExt};

#[test]
fn all_that_is_missing_is_listed_at_once() {
    let ran = refused(
        &["models", "fetch", "nsd8", "--offline"],
        1,
        &[
            "5 of 5 are not on this machine",
            "2 of a size that is not published",
            "alexnet          244 MB",
            "swav_resnet50    size not published",
            "clip_vit_l_14    933 MB",
        ],
    );
    // The output says for each which files to put where.
    for id in [
        "alexnet",
        "inception_v3",
        "clip_vit_l_14",
        "efficientnet_b1",
        "swav_resnet50",
    ] {
        ran.says(&[&format!("the weights of {id} are not on this machine")]);
    }
    refused(
        &["models", "fetch", "seed", "efficientnet_b1", "--offline"],
        1,
        &[
            "4 of 4 are not",
            "git_large_coco",
            "mm_grounding_dino_swin_l",
            "all-MiniLM-L6-v2",
        ],
    );
    refused(
        &["models", "fetch", "nowhere/plan.json"],
        2,
        &["there is no such plan or run"],
    );
    refused(
        &["models", "fetch", "nsd9"],
        2,
        &["\"nsd9\" (did you mean \"nsd8\"?)", "nsd8, seed, basic"],
    );
    // One name is offered, and not the list of all.
    let said = refused(
        &["models", "fetch", "clipp"],
        2,
        &["(did you mean \"clip\"?)"],
    );
    assert!(!said.stderr.contains("resnet18"), "{}", said.stderr);
    refused(
        &["models", "fetch", "clip-vit"],
        2,
        &["(did you mean \"clip_vit_"],
    );
    refused(
        &["models", "fetch", "clip", "--offline"],
        1,
        &["clip_vit_l_14"],
    );
}

#[test]
fn a_plan_and_a_run_name_their_models() {
    let dir = folder();
    let images = ImagePairs::new(dir.path(), &["a", "b"]);
    succeed(&images.args(&[]));
    let run = arg(&images.run);
    refused(
        &["models", "fetch", run, "--offline"],
        1,
        &[
            "alexnet",
            "efficientnet_b1",
            "5 of 5 are not on this machine",
        ],
    );

    let cited = succeed(&["cite", run, run]).stdout;
    let keys: Vec<&str> = cited.lines().filter(|line| line.starts_with('@')).collect();
    assert_eq!(
        keys,
        [
            "@software{neurogauge,",
            "@inproceedings{scotti2024mindeye2,",
            "@article{wang2004image,"
        ]
    );
    let bibliography = Bibliography::parse(&cited).unwrap();
    let ssim = bibliography.get("wang2004image").unwrap();
    assert_eq!(ssim.author().unwrap().len(), 4);
    assert_eq!(ssim.doi().unwrap(), "10.1109/TIP.2003.819861");
    assert_eq!(ssim.get("pages").unwrap().format_verbatim(), "600–612");
    let mindeye2 = bibliography.get("scotti2024mindeye2").unwrap();
    assert_eq!(mindeye2.author().unwrap()[0].name, "Scotti");
    assert!(mindeye2.get("booktitle").is_some());
    refused(&["cite", arg(dir.path())], 2, &["no record of a result"]);
}
