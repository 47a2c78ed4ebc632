//! `neurogauge score shapes`: results computed by hand, and bad input.

use crate::support::*;

/// An equal pair, and one in which every point is moved by 2.
fn shapes() -> Folder {
    let dir = folder();
    for name in ["gt", "mine"] {
        fs::create_dir(dir.join(name)).unwrap();
        dir.write(&format!("{name}/chair.obj"), "v 0 0 0\nv 8 0 0\nv 0 8 0\nf 1 2 3\n");
    }
    dir.write("gt/lamp.obj", "v 0 0 0\nv 9 0 0\n");
    let ply =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    dir.write("mine/lamp.ply", format!("{ply}0 0 2\n9 0 2\n"));
    dir
}

const SHAPES: &str = "score shapes gt mine --out out --overwrite";

#[test]
fn distances_are_those_found_by_hand() {
    let dir = shapes();
    let values = |options: &str| {
        dir.succeed(&format!("{SHAPES} {options}"));
        let record = dir.json("out/run.json");
        [0, 1].map(|measure| record["rows"][0]["measures"][measure]["value"].as_f64())
    };
    // Chamfer distances are 0 and 2² + 2², earth mover's distances 0 and 2.
    assert_eq!(values(""), [Some(4.0), Some(1.0)]);
    assert_eq!(values("--chamfer euclidean"), [Some(1.0), Some(1.0)]);
    assert_eq!(values("--scale unit-sphere"), [Some(0.0), Some(0.0)]);
    let stdout = dir.succeed(SHAPES).stdout;
    contains(&stdout, &["Decoded shapes: 2 shapes", "mine", "4.0000", "1.0000", "95% intervals for new shapes"]);

    // Drawn points depend on the seed, but not on the threads.
    dir.write("gt/lamp.obj", "v 0 0 0\nv 9 0 0\nv 0 1 0\nf 1 2 3\n");
    let scores = |options: &str| {
        dir.succeed(&format!("{SHAPES} --points 50 {options}"));
        dir.json("out/run.json")["rows"].clone()[0]["measures"][0]["value"].as_f64()
    };
    // My lamp has no faces, and only two points.
    let first = scores("");
    assert!(first.unwrap() > 0.0);
    assert_eq!(first, scores("--threads 1"));
    assert_ne!(first, scores("--seed 7"));
    let findings = dir.json("out/run.json")["findings"].to_string();
    contains(&findings, &["Chamfer of 1 shapes is undefined (shapes with fewer points than --points"]);
}

#[test]
fn bad_shapes_are_refused_by_name() {
    let dir = shapes();
    let refused = |args: &str, words: &str| {
        let said = format!("{}", dir.run(args));
        assert!(said.contains("exit ") && said.contains(words), "{words}: {said}");
    };
    refused("score shapes gt mine gt/../mine --out out2", "are both called \"mine\"");
    dir.write("mine/lamp.ply", "ply\n");
    refused(SHAPES, "mine/lamp.ply: its header has no line end_header");
    dir.remove("mine/lamp.ply");
    refused(SHAPES, "lamp");
    refused("score shapes out mine --out out2", "out: listing failed");
}
