//! `neurogauge multiverse` and `neurogauge list presets`: their tables and files, and what they refuse.

use crate::support::*;

const SIDE: usize = 48;
const N: usize = 5;

/// 8-bit images: steps of grey and colour, blended with noise by eighths.
fn images(noise_eighths: usize) -> Vec<u8> {
    let noise = Synthetic::new("multiverse images", 0);
    let value = |i: usize| {
        let (image, y, x) = (i / (SIDE * SIDE * 3), i / (SIDE * 3) % SIDE, i / 3 % SIDE);
        let step = (x * (image + 2) + y * (image + 1) + 60 * (i % 3)) % 256;
        let blend = (8 - noise_eighths) * step + noise_eighths * usize::from(noise.byte(i as u64));
        (blend / 8) as u8
    };
    (0..N * SIDE * SIDE * 3).map(value).collect()
}

fn systems() -> Folder {
    let dir = folder();
    systems_into(&dir);
    dir
}

fn systems_into(dir: &Folder) {
    for (name, noise) in [("gt", 0), ("near", 1), ("far", 5)] {
        write_stack(dir, name, &images(noise), SIDE);
    }
}

fn write_stack(dir: &Folder, name: &str, values: &[u8], side: usize) {
    let shape = [N as u64, side as u64, side as u64, 3];
    let values: Vec<f32> = values.iter().map(|v| f32::from(*v) / 255.0).collect();
    write_f32(&dir.join(format!("{name}.npy")), &shape, &values).unwrap();
}

/// A regression snapshot: other tests compare presets with released code, and effects with statsmodels.
#[test]
fn every_convention_has_an_estimate() {
    let dir = systems();
    assert_snapshot!(dir.run("multiverse gt.npy near=near.npy far=far.npy --metrics ssim --published 0.5 --out m"), @"
    exit 0, stdout:
    SSIM under 6 conventions: near 0.735 to 0.966, far 0.114 to 0.607. Whether the order of systems depends on the convention cannot be decided with 5 pairs.

    SSIM under 6 conventions [95%]

    convention                                            near                   far  decides
    mindvideo, cinebrain                  0.735 [0.561, 0.909]  0.114 [0.043, 0.185]  first_size none; pixel_size own; ssim colour
    neurons                               0.745 [0.643, 0.847]  0.121 [0.078, 0.165]  first_size none; pixel_size own; ssim columns
    no preset, mindbridge                 0.955 [0.954, 0.956]  0.511 [0.505, 0.516]  first_size none; pixel_size 425; proportions kept; filter bilinear; antialias off; pixel_arithmetic float; ssim grey
    mindeye1, mindeye2, atm, neuropictor  0.958 [0.957, 0.959]  0.526 [0.520, 0.531]  first_size 256; pixel_size 425; proportions squashed; filter bilinear; antialias off; pixel_arithmetic float; ssim grey
    mirage                                0.966 [0.966, 0.967]  0.576 [0.569, 0.584]  first_size none; pixel_size 512; proportions kept; filter bilinear; antialias off; pixel_arithmetic float; ssim grey
    brain-diffuser                        0.960 [0.959, 0.961]  0.607 [0.596, 0.618]  first_size none; pixel_size 425; proportions squashed; filter bicubic; antialias on; pixel_arithmetic eight-bit; ssim columns

    2 more tables in m/multiverse.md (-v prints more)
    stderr: m: 1 metric of 2 systems under up to 6 conventions
    ");
    contains(
        &dir.read("m/multiverse.md"),
        &[
            "| system       | 67.8%               | far: 0.409                  | near: 0.887           |",
            "| convention   | 28.9%               | mindvideo, cinebrain: 0.425 | brain-diffuser: 0.784 |",
            "| ssim   | near   | mindvideo, cinebrain                 | 0.735 | +3.8                 |",
        ],
    );
    for file in ["multiverse.json", "multiverse.md", "multiverse.csv"] {
        assert!(dir.join("m").join(file).is_file(), "{file}");
    }
    assert!(dir.join("m/figures/specification_curve_ssim.svg").is_file());
    assert!(dir.join("m/runs/brain-diffuser/near/run.json").is_file());
    assert!(check_outcomes(&dir.join("m")) > 12);

    // A page shows the multiverse.
    let section = |page: &str| between(&dir.read(page), "<section id=\"multiverse\"", "</section>").to_owned();
    dir.succeed("report m/runs/no_preset/near m/runs/no_preset/far --multiverse m --out page.html");
    let shown = section("page.html");
    let parts = [
        "The same pairs under every convention",
        "<th scope=\"row\">mindeye1, mindeye2, atm, neuropictor</th>",
        "what the choices make of the spread",
        "Whether the order of systems depends on the convention cannot be decided with 5 pairs.",
        "alt=\"SSIM under every convention, sorted, and what each convention decides\"",
    ];
    contains(&shown, &parts);
    assert!(dir.read("page.html").contains("--multiverse m"));
    dir.succeed("report --multiverse m --out alone.html");
    assert_eq!(section("alone.html"), shown);
    assert!(dir.read("alone.html").contains("<title>m: the same pairs under every convention</title>"));
    assert_snapshot!(dir.run("report --multiverse nowhere --out no.html"), @"exit 1, stderr: error: nowhere/multiverse.md: not found; expected a folder that `neurogauge multiverse` wrote");
}

#[test]
fn all_combinations_of_options_have_main_effects() {
    let dir = systems();
    let command = "multiverse gt.npy near=near.npy --metrics ssim,alexnet2 --set image_models=placeholder --over options --no-figures --out m";
    dir.succeed(command);
    let record = dir.json("m/multiverse.json");
    let metrics = record["metrics"].list();
    let n = |metric: usize| metrics[metric]["conventions"].list().len();
    assert_eq!((n(0), n(1)), (2 * 3 * 2 * 3, 2 * 2 * 2));
    let factors = |metric: usize| -> Vec<&str> {
        let effects = metrics[metric]["effects"].list().iter();
        effects.map(|effect| effect["factor"].text()).collect()
    };
    let mut of_ssim = factors(0);
    of_ssim.sort_unstable();
    assert_eq!(of_ssim, ["antialias", "first_size", "interactions", "pixel_size", "ssim"]);
    // Finished runs are read again, with the same result.
    let before = dir.read("m/multiverse.json");
    dir.succeed(command);
    assert_eq!(dir.read("m/multiverse.json"), before);
}

/// Collects the files with results below a folder, with their contents.
fn results(folder: &Path, below: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        let is_of_the_way = ["plan.json", "journal.jsonl", ".lock"].map(|end| name.ends_with(end));
        if name == "shards" || is_of_the_way.contains(&true) {
            continue;
        }
        match path.is_dir() {
            true => results(folder, &path, found),
            false => found.push((name, fs::read(&path).unwrap())),
        }
    }
    found.sort();
}

#[test]
fn parts_in_any_order_give_the_bytes_of_one_call() {
    let dir = systems();
    let call = "multiverse gt.npy near=near.npy far=far.npy --metrics ssim,alexnet2 --set image_models=placeholder";
    let run = |line: &str, cache: &str| {
        let ran = dir.run_with_cache(line, cache);
        assert_eq!(ran.code, 0, "{line}\n{ran}");
        ran
    };
    run(&format!("{call} --out whole"), "cache-whole");
    let of = |name: &str| {
        let mut found = Vec::new();
        results(&dir.join(name), &dir.join(name), &mut found);
        found
    };
    let whole = of("whole");
    assert!(whole.iter().any(|(name, _)| name == "multiverse.json"));
    let planned = run(&format!("cluster plan {call} --out parts"), "cache-parts");
    assert_snapshot!(planned, @"
    exit 0, stdout:
    score 2 systems under 7 conventions
      no preset: ssim, alexnet2
      mindeye1, mindeye2, atm, neuropictor: ssim, alexnet2
      mindbridge: ssim, alexnet2
      brain-diffuser: ssim, alexnet2
      mirage: ssim, alexnet2
      mindvideo, cinebrain: ssim
      neurons: ssim
    stderr: parts: planned; `neurogauge cluster work parts --shard I/N` does a shard, `neurogauge cluster finish parts` the rest
    ");
    for shard in ["2/3", "0/3", "2/3"] {
        run(&format!("cluster work parts --shard {shard}"), "cache-parts");
    }
    contains(&run("cluster status parts", "cache-parts").stdout, &["2 done"]);
    // The call that finishes computes what is missing.
    run("cluster finish parts", "cache-parts");
    assert!(of("parts") == whole);
    assert_snapshot!(dir.run_with_cache("cluster work whole --shard 0/2", "cache-whole"), @"exit 1, stderr: error: whole/plan.json: not found; expected a folder with a plan.json, and a request.json of an alignment (written by `neurogauge cluster plan`)");
}

#[test]
fn identification_of_mirage_is_too_low_by_one() {
    let dir = systems();
    let run = |preset: &str| {
        let out = format!("out-{preset}");
        dir.succeed(&format!(
            "score gt.npy gt.npy --metrics alexnet2 --set image_models=placeholder --preset {preset} --out {out}"
        ));
        let entry = &dir.json(format!("{out}/summary.json"))["alexnet2"];
        let ends = entry["interval"].list();
        (entry["value"].number(), [ends[0].number(), ends[1].number()])
    };
    let ((mindbridge, of_mindbridge), (mirage, of_mirage)) = (run("mindbridge"), run("mirage"));
    assert_eq!((mindbridge, mirage), (1.0, 0.75));
    // The interval is the same, but lower.
    for (before, after) in of_mindbridge.iter().zip(of_mirage) {
        assert!((before - 0.25 - after).abs() < 1e-12);
    }

    // With four others, only Mirage can have a share of -0.25.
    for (preset, is_possible) in [("mirage", true), ("mindbridge", false)] {
        let run = format!("out-{preset}");
        let mut table = scores(&dir.join(&run));
        table.columns[0].1[0] = Ok(-0.25);
        scores_parquet::write(&dir.join(&run).join("scores.parquet"), &table).unwrap();
        let mut record = dir.json(format!("{run}/run.json"));
        record["outputs"] = serde_json::json!({});
        dir.write(&format!("{run}/run.json"), record.to_string());
        let ran = dir.run(&format!("report {run} --out {run}.html")).to_string();
        assert_eq!(ran.contains("the range of the metric"), !is_possible, "{ran}");
        assert_eq!(ran.contains("exit 0"), is_possible, "{ran}");
    }
}

#[test]
fn what_cannot_be_compared_is_left_out_or_refused() {
    let dir = systems();
    let small: Vec<u8> = images(0)[..N * 32 * 32 * 3].to_vec();
    write_stack(&dir, "small", &small, 32);
    let ran = dir.run("multiverse gt.npy small=small.npy --metrics pixcorr,psnr --out m --no-figures --format csv");
    assert_snapshot!(ran.stdout, @r#"
    metric,convention,choices,system,value,low,high,standard_error,n,run,stand_in
    pixcorr,brain-diffuser,first_size none; pixel_size 425; proportions squashed; filter bicubic; antialias on; pixel_arithmetic eight-bit,small,0.17112361179716457,-0.2822109074560127,0.6244581310503419,0.16327876189753862,5,runs/brain-diffuser/small,false
    pixcorr,"no preset, mindbridge",first_size none; pixel_size 425; proportions kept; filter bilinear; antialias off; pixel_arithmetic float,small,0.17429156940042514,-0.2926955353821108,0.6412786741829611,0.16819605181758768,5,runs/no_preset/small,false
    pixcorr,mirage,first_size none; pixel_size 512; proportions kept; filter bilinear; antialias off; pixel_arithmetic float,small,0.17429794209729593,-0.29275566497212596,0.6413515491667179,0.16822000413228014,5,runs/mirage/small,false
    pixcorr,"mindeye1, mindeye2, atm, neuropictor",first_size 256; pixel_size 425; proportions squashed; filter bilinear; antialias off; pixel_arithmetic float,small,0.17443274742713483,-0.2932702311641893,0.642135726018459,0.1684538900897898,5,runs/mindeye1__mindeye2__atm__neuropictor/small,false
    psnr,no preset,first_size none; pixel_size 425; proportions kept; filter bilinear; antialias off; pixel_arithmetic float,small,10.684179474842466,6.109816729339871,15.258542220345062,1.6475610257659739,5,runs/no_preset/small,false
    "#);
    ran.says(&[
        "warning: neurons: left out: the stimulus of pair \"0\" is 48 x 48 px and the reconstruction 32 x 32 px (48 x 48 px and \
         32 x 32 px after resizing); this convention needs the same shape for psnr: crop or pad one side.",
        "m: 2 metrics of 1 system under up to 4 conventions",
    ]);
    assert_snapshot!(dir.run("multiverse gt.npy a=near.npy --metrics object_f1 --out n"), @"exit 2, stderr: error: --metrics object_f1: nothing decides how it is computed; expected metrics of pixels or of image models, such as nsd8, or Cap-Sim and ROUGE");
    assert_snapshot!(dir.run("score gt.npy near.npy --metrics alexnet2 --set image_models=placeholder --set identification_subtract_own=on --set n_way=3 --out n"), @"exit 2, stderr: error: alexnet2: subtracting the own one is 3 ways, top 1, Exact; expected two ways, top 1, exact: no released code does it elsewhere");

    // The same in shards.
    dir.succeed("cluster plan multiverse gt.npy small=small.npy --metrics pixcorr,psnr --out parts");
    dir.succeed("cluster work parts --shard 0/1");
    dir.succeed("cluster finish parts --all-shards").says(&["warning: neurons: left out"]);
}

#[test]
fn presets_are_listed_with_their_code() {
    let dir = folder();
    // The text of three presets; all have a name, code and a commit.
    let list = dir.succeed("list presets").stdout;
    let of = |names: &[&str]| {
        let presets = list.split("\n\n").filter(|preset| names.contains(&preset.lines().next().unwrap()));
        presets.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(of(&["mindeye2", "cinebrain", "capture"]), @r#"
    mindeye2
      code     MedARC-AI/MindEyeV2 c184718820, src/final_evaluations.ipynb
      checked  run by reference/released_code.py, and equal
      decides  as mindeye1
      metrics  pixcorr, ssim, alexnet2, alexnet5, inception, clip, effnet, swav
      note     scores 0.75 reconstruction + 0.25 blurry reconstruction; this preset scores the images that it is given
    cinebrain
      code     yanweifu-sii/CineBrain f8b8ab2f21, get_metric.py
      checked  read in part: models/eval_metrics.py, which it calls, is not in the repository
      decides  as mindvideo, with 2 ways too: it calls that file's functions by the same names, with several numbers of ways at once
      metrics  ssim, n_way_accuracy_2, n_way_accuracy_50
      note     compares the first 33 frames of each prediction with all frames of the stimulus; this preset scores the frames that it is given. Which SSIM it computes, and how many classes count as right, are unknown without the missing file
    capture
      code     capture_metric on PyPI 0.1.13, capture_metric/capture.py
      checked  run by reference/basic_h.py, and equal
      decides  BASIC-H: greedy matching, containment of substrings, weights 5:5:2
      metrics  basic_h
    "#);
    // `seed` is another name for `official`.
    let run = |preset: &str| {
        let line = format!(
            "score gt.npy gt.npy --metrics effnet_official --set image_models=placeholder --preset {preset} --out {preset}"
        );
        systems_into(&dir);
        dir.succeed(&line);
        dir.read(format!("{preset}/summary.json"))
    };
    assert_eq!(run("seed"), run("official"));
    let all = dir.succeed("list presets --format json").json();
    assert_eq!((all.list().len(), list.split("\n\n").count()), (13, 13));
    assert!(all.list().iter().all(|preset| preset["commit"] != ""));
}

/// The words of the second caption only differ in their endings.
#[test]
fn captions_have_conventions_too() {
    let dir = folder();
    for (file, captions) in [
        ("gt.json", r#"{"a": "dogs running", "b": "a red kite"}"#),
        ("near.json", r#"{"a": "a dog runs", "b": "a red kite"}"#),
        ("far.json", r#"{"a": "dogs running", "b": "some boats"}"#),
    ] {
        fs::write(dir.join(file), captions).unwrap();
    }
    let systems = "multiverse gt.json near=near.json far=far.json --out m";
    assert_snapshot!(dir.run(&format!("{systems} --metrics rouge_1 --over options --no-figures")), @"
    exit 0, stdout:
    ROUGE-1 under 2 conventions: near 0.500 to 0.900, far 0.500 to 0.500. Whether the order of systems depends on the convention cannot be decided with 2 pairs.

    ROUGE-1 under 2 conventions [95%]

    convention                          near                   far
    rouge_stemming=off  0.500 [0.095, 0.905]  0.500 [0.095, 0.905]
    rouge_stemming=on   0.900 [0.000, 1.000]  0.500 [0.095, 0.905]

    1 more table in m/multiverse.md (-v prints more)
    stderr: m: 1 metric of 2 systems under up to 2 conventions
    ");
    contains(
        &dir.read("m/multiverse.md"),
        &[
            "| 33.3%               | off: 0.500 | on: 0.700   |",
            "| 33.3%               | far: 0.500 | near: 0.700 |",
        ],
    );
    assert_snapshot!(dir.run(&format!("{systems} --metrics rouge_1")), @"exit 2, stderr: error: --metrics rouge_1: no preset decides how captions are compared; expected --over options");
    assert_snapshot!(dir.run(&format!("{systems} --metrics rouge_1,ssim --over options")), @"exit 2, stderr: error: --metrics: ssim and rouge_1 read images and captions; expected metrics of one of them, and a call for each");
    assert_snapshot!(dir.run(&format!("{systems} --metrics ssim,lpips_alex --over options")), @"exit 2, stderr: error: --metrics lpips_alex: none of the conventions of --over options is about it; expected --over presets");
}

#[test]
fn systems_whose_runs_would_share_a_folder_are_refused() {
    let dir = systems();
    let table = r#"
    'A B=near.npy' A_B=far.npy
      exit 2, stderr: error: system "A_B": another system is called "A B"; their folders would be the same
    near=near.npy ..=far.npy
      exit 2, stderr: error: system "..": a name needs a letter or a digit
    near=near.npy near=far.npy
      exit 2, stderr: error: two systems are called near; give each its own NAME=RECON
    "#;
    for command in ["multiverse", "cluster plan multiverse"] {
        dir.refuses(&format!("{command} gt.npy --metrics ssim --out m"), "m", table);
    }
}

#[test]
fn finish_refuses_reconstructions_that_were_not_planned() {
    let dir = systems();
    for (out, more) in [("m", ""), ("other", "--overwrite")] {
        dir.succeed(&format!("cluster plan multiverse gt.npy near=near.npy --metrics ssim --out {out} {more}"));
        dir.succeed(&format!("cluster work {out} --shard 0/1"));
    }
    write_stack(&dir, "near", &images(2), SIDE);
    assert_snapshot!(dir.run("cluster finish m"), @"exit 5, stderr: error: m/runs/no_preset/near: the inputs, models or settings are not those that were planned (fingerprint [HASH] instead of [HASH]); restore them, or plan again with `neurogauge cluster plan`");
    assert_eq!(dir.run("cluster finish other").code, 5);
}
