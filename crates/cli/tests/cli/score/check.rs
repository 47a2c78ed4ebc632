//! `neurogauge check`.

use crate::support::*;

/// Exit code, findings as severity and code, and the record.
fn found(dir: &Folder, options: &str) -> (i32, Vec<String>, Value) {
    let ran = dir.run(&format!("check --json {options}"));
    (ran.code, severities(&ran.json()["findings"]), ran.json())
}

/// Exit codes of `check` and of `score`, and the findings.
fn codes(dir: &Folder, options: &str) -> (i32, i32, Vec<String>) {
    let (code, findings, _) = found(dir, &format!("gt recon {options}"));
    (code, dir.run(&format!("score gt recon --out run --overwrite {options}")).code, findings)
}

#[test]
fn sound_images_are_summed_up() {
    let dir = images(&["1", "2", "3"]);
    assert_snapshot!(dir.succeed("check --gt gt --recon recon"), @"
    exit 0, stdout:
    3 pairs of images

                       gt                recon
    from               gt                recon
    images             3                 3
    different images   3                 3
    without a partner  0                 0
    stems, in order    1 to 3            1 to 3
    sizes, px          48 x 48           48 x 48
    values             26 to 229         0 to 255
    stored as          PNG, RGB, 8 bits  PNG, RGB, 8 bits
    grey               0                 0
    of one colour      0                 0
    with transparency  0                 0

    no problems found
    read: images: 3 of 3 by name, files
    ");
    let (code, findings, json) = found(&dir, "gt recon");
    assert_eq!((code, findings), (0, vec![]));
    assert_eq!(json["n_pairs"], 3);
    assert_eq!(json["recon"]["sizes_px"], serde_json::json!([[[48, 48], 3]]));
    assert_snapshot!(dir.refusals("check", &["gt", "gt none"], "none"), @"
    gt
      exit 2, stderr:
      error: 2 values required for '[GT] [RECON]' but 1 was provided

      Usage: neurogauge check [OPTIONS] [GT] [RECON]
    gt none
      exit 1, stderr: error: none: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    ");
}

#[test]
fn what_stops_score_is_a_problem_here_and_score_agrees() {
    let dir = images(&["1", "2", "3"]);
    write_png(&dir.join("recon/2.png"), &Image::new(96, 24, picture("2", 48, 4.0).into_data()).unwrap()).unwrap();
    let stops = |findings: &[&str]| (1, 1, findings.iter().map(|&own| own.to_owned()).collect());
    assert_eq!(codes(&dir, ""), stops(&["problem shapes_differ", "note several_sizes"]));
    let said = dir.run("check gt recon").to_string();
    assert_snapshot!(lines_with(&said, &["sizes", "problem"]), @"
    sizes, px          48 x 48           48 x 48 (2), 96 x 24 (1)
    problem: gt and recon: 1 of 3 pairs have images of different proportions: 2 (48 x 48 px and 96 x 24 px); PixCorr, SSIM, PSNR and LPIPS need one shape: crop or pad one side, ask for other metrics, or let both be squashed (proportions)
    note: recon images: they have 2 sizes: 48 x 48 px (2), 96 x 24 px (1); each is resized by another factor
    stderr: error: `neurogauge score` would end with an error: 1 of the findings above is a problem
    ");

    dir.write("recon/2.png", "no image");
    assert_eq!(codes(&dir, ""), stops(&["problem unreadable"]));

    dir.remove("recon/2.png");
    assert_eq!(codes(&dir, ""), stops(&["problem stems"]));
    let (code, scored, findings) = codes(&dir, "--pairs shared");
    assert_eq!((code, scored), (0, 0));
    assert_eq!(findings, ["warning without_partner"]);

    fs::rename(dir.join("recon/1.png"), dir.join("recon/1_r.png")).unwrap();
    fs::rename(dir.join("recon/3.png"), dir.join("recon/3_r.png")).unwrap();
    let (code, _, json) = found(&dir, "gt recon");
    let advice = json["findings"][0]["advice"].text();
    assert_eq!((code, advice), (1, "--match '{stem}_r' pairs 2 of the reconstructions"));
    assert_eq!(found(&dir, "gt recon --pairs shared --match {stem}_r").0, 0);
}

/// The images show that the stack is in natural order; `image_reading` tests stacks that are not.
#[test]
fn a_stack_beside_names_that_sort_in_two_ways_is_looked_at() {
    let stems = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
    let dir = images(&stems);
    let pixels: Vec<f32> = (stems.iter())
        .flat_map(|stem| read_rgb8(&dir.join(format!("recon/{stem}.png"))).unwrap().into_data())
        .map(|level| f32::from(level) / 255.0)
        .collect();
    write_f32(&dir.join("recon.npy"), &[11, 48, 48, 3], &pixels).unwrap();
    let (code, findings, _) = found(&dir, "gt recon.npy");
    assert_eq!((code, findings), (0, vec![]));
}
