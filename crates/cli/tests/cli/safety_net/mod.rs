//! Runs with placeholder models, compared with hashes of their earlier output.
//!
//! `hashes.json` is a regression snapshot: it records the output of our own code at one time, not the right output. Goldens
//! record the right output. A change that is meant to change a number or an observation replaces its entries.

mod dataset;
mod snapshot;

use crate::support::arguments::{score_images, score_observations};
use crate::support::{arg, folder, write};
use dataset::Dataset;
use snapshot::Snapshot;

const WORDS: [&str; 4] = ["--basic-synonyms", "off", "--basic-lemmas", "off"];
const IMAGES: [&str; 4] = ["--image-models", "stand-in", "--pixel-size", "48"];

#[test]
fn what_placeholder_models_make_is_as_it_was() {
    let dir = folder();
    let data = Dataset::new(dir.path());
    let mut found = Snapshot::new(dir.path());
    let (gt, recon, pool) = (data.path("gt"), data.path("recon"), data.path("pool"));
    let of_images = |options: &[&str]| {
        let out = data.path("OUT");
        let args = score_images(&gt, &recon, &out, &[&IMAGES[..], options].concat())
            .into_iter()
            .map(str::to_owned);
        args.collect::<Vec<String>>()
    };
    let observations = data.path("observations");
    let of_observations = |options: &[&str]| {
        let out = data.path("OUT");
        let args = score_observations(&observations, &out, options).into_iter();
        args.map(str::to_owned).collect::<Vec<String>>()
    };

    found.run("images", &of_images(&[]));
    let nsd8 = ["--metrics", "nsd8", "--preset", "nsd8-mindeye2"];
    found.run(
        "nsd8",
        &of_images(&[&nsd8[..], &["--pool", arg(&pool)]].concat()),
    );
    let draws = [
        "--n-way", "3", "--top-k", "2", "--draws", "20", "--seed", "7",
    ];
    let ties = [
        "--identification-ties",
        "half",
        "--identification-direction",
        "stimulus",
    ];
    found.run(
        "identification",
        &of_images(&[&["--metrics", "clip,swav,alexnet2"], &draws[..], &ties].concat()),
    );

    let captioner = [
        "--captioner",
        "stand-in-captioner",
        "--text-encoder",
        "stand-in",
    ];
    found.run(
        "captioner",
        &of_images(
            &[
                &["--metrics", "cap_sim"],
                &captioner[..],
                &["--caption-tokens", "9"],
            ]
            .concat(),
        ),
    );
    let detector = ["--detector", "stand-in-detector"];
    found.run(
        "detector",
        &of_images(
            &[
                &["--metrics", "object_f1"],
                &detector[..],
                &["--object-variant", "location"],
            ]
            .concat(),
        ),
    );
    // SEED's EffNet before SEED had its own preparation of images.
    let metrics = ["--metrics", "seed,snm,sdm", "--export-layout", "official"];
    let metrics = [&metrics[..], &["--preset", "nsd8-mindeye2"]].concat();
    found.run(
        "both",
        &of_images(&[&metrics[..], &captioner, &detector].concat()),
    );

    let texts = [
        data.path("several_captions.json"),
        data.path("observations/recon/captions.json"),
    ];
    let given = [
        "score",
        "--gt-captions",
        arg(&texts[0]),
        "--recon-captions",
        arg(&texts[1]),
    ];
    let options = ["--references", "max", "--text-encoder", "stand-in"];
    found.run(
        "captions",
        &[&given[..], &options, &["--out", "OUT"]].concat(),
    );
    let encoders = ["--text-encoder", "stand-in", "--phrase-encoder", "stand-in"];
    let all = ["--export-layout", "official"];
    found.run(
        "observations",
        &of_observations(&[&encoders[..], &WORDS, &all].concat()),
    );
    let seeds = data.path("observations_run/evaluations/observations_run");
    let args = [
        "score",
        "--observations",
        arg(&seeds),
        "--text-encoder",
        "stand-in",
        "--out",
        "OUT",
    ];
    found.run("official_layout", &args);
    let graphs = [
        "--metrics",
        "basic_h_all",
        "--phrase-encoder",
        "stand-in",
        "--preset",
        "capture",
    ];
    found.run(
        "scene_graphs",
        &of_observations(&[&graphs[..], &WORDS].concat()),
    );
    let masks = [
        "--metrics",
        "basic_l_all",
        "--mask-matching",
        "greedy",
        "--mask-empty",
        "zero",
    ];
    found.run("masks", &of_observations(&masks));
    let names = ["--metrics", "object_f1_vlm,object_f1", "--preset", "paper"];
    found.run("categories", &of_observations(&names));
    let features = [
        data.path("observations/gt/features"),
        data.path("observations/recon/features"),
    ];
    let given = [
        "score",
        "--gt-features",
        arg(&features[0]),
        "--recon-features",
        arg(&features[1]),
    ];
    found.run("features", &[&given[..], &["--out", "OUT"]].concat());

    let checkpoint = data.parser();
    let parser = [
        "--parser",
        "t5",
        "--checkpoint",
        &checkpoint,
        "--parser-tokens",
        "12",
        "--parser-beams",
        "2",
    ];
    let metrics = [
        "--metrics",
        "basic_h_all",
        "--basic-soft",
        "off",
        "--captioner",
        "stand-in-captioner",
    ];
    found.run(
        "parser",
        &of_images(&[&metrics[..], &parser, &WORDS].concat()),
    );

    let perceive = ["perceive", "--images", arg(&gt), "--out", "OUT", "--with"];
    let with = "stand-in:grid4,stand-in:grid16,stand-in-captioner,stand-in-detector";
    found.run(
        "perceive",
        &[&perceive[..], &[with, "--vis", "--max-detections", "20"]].concat(),
    );
    let with = "stand-in-captioner,stand-in-detector";
    found.run(
        "perceive_official",
        &[&perceive[..], &[with, "--layout", "official"]].concat(),
    );
    let perceive = [
        "perceive",
        "--captions",
        arg(&texts[0]),
        "--out",
        "OUT",
        "--with",
        "factual_t5",
    ];
    found.run("perceive_parser", &[&perceive[..], &parser[2..]].concat());

    let systems = [&gt, &recon, &pool]
        .map(|images| format!("{}={}", images.file_name().unwrap().display(), arg(images)));
    let [_, a, b] = &systems;
    write(
        &data.path("ratings.csv"),
        "item,x,y\n1,1,2\n2,3,3\n10,2,4\nb,5,4\na,1,1\n",
    );
    let ratings = format!("recon={}", arg(&data.path("ratings.csv")));
    let study = [
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        a,
        "--recon",
        b,
        "--human",
        &ratings,
        "--out",
        "OUT",
    ];
    let options = [
        &[
            "--metrics",
            "effnet,swav,cap_sim",
            "--image-models",
            "stand-in",
        ],
        &captioner[..],
    ]
    .concat();
    found.run("study", &[&study[..], &options].concat());

    found.check();
}
