//! A paper's study with the data at hand, in the layouts in which they are released.

use super::tables::lines;
use crate::support::alignments::archive;
use crate::support::*;

/// The names that the release gives to the scores, and whether higher is better.
const SCORES: [(&str, bool); 10] = [
    ("pixcorr", true),
    ("ssim", true),
    ("alexnet2", true),
    ("alexnet5", true),
    ("inception", true),
    ("clip", true),
    ("effnet", false),
    ("swav", false),
    ("obj_f1", true),
    ("git_st", true),
];
const N: usize = 6;
const OPTIONS: &str = "--set image_models=placeholder --set text_encoder=placeholder --set pixel_size=32 -q";

/// `human_eval_data` as it is unpacked: images, scores by row, and answers of 22 workers by the address of an image.
fn released(dir: &Folder) {
    pictures(&dir.join("data/images/gt"), "", N, 32, 4.0);
    pictures(&dir.join("data/images/recon"), "", N, 32, 30.0);
    let arrays = SCORES.map(|(name, is_higher)| {
        let noise = Synthetic::new(name, 1);
        let score = |item: usize| {
            let value = 0.1 * item as f64 + 0.2 * f64::from(noise.uniform(item as u64));
            if is_higher { value } else { 1.0 - value }
        };
        let file = dir.join(format!("{name}.npy"));
        write_f64(&file, &[N as u64], &(0..N).map(score).collect::<Vec<f64>>()).unwrap();
        (file, name)
    });
    let members: Vec<(&Path, &str)> = arrays.iter().map(|(file, name)| (file.as_path(), *name)).collect();
    archive(&dir.join("data/eval_metrics.npz"), &members);
    let mut answers = "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.gt_image,Answer.semantic\n".to_owned();
    for item in 0..N {
        for worker in 0..22 {
            let noise = f64::from(Synthetic::new("worker", worker).uniform(item as u64));
            let rating = (1.0 + 0.6 * item as f64 + noise).round().clamp(1.0, 5.0);
            answers += &format!(
                "H{item},A{item}-{worker},W{worker},Approved,https://example.org/images/gt/{item}.png,{rating}\n"
            );
        }
    }
    dir.write("data/250131_final.csv", answers);
}

#[test]
fn the_released_data_give_table_1_with_published_values_and_a_list_of_what_is_missing() {
    let dir = folder();
    released(&dir);
    let planned = dir.run(&format!("study seed --data data --out out --dry-run {OPTIONS}"));
    contains(
        &planned.stdout,
        &[
            "MindEye2: 6 pairs, rated",
            "weights that would add something: ",
            "  mm_grounding_dino_swin_l (about ",
            "not here: system NeuroPictor: data/test/NeuroPictor is not there",
            "not here: ratings of Mind-Vis: data/god/ratings.csv is not there",
            "neurogauge models fetch mm_grounding_dino_swin_l",
            "hours on two cores",
            "would make agreement with people (SEED Table 1)\n",
            "would not make agreement with people for a second system (SEED Table 2): needs human ratings of a second system\n",
            "would not make objects that a vision-language model names (SEED Table 3): needs the metric object_f1_vlm or seed_vlm\n",
            "\nconvention ssim-flavour: ",
        ],
    );
    assert!(!dir.has("out"), "a dry run writes nothing");

    let ran = dir.succeed(&format!("study seed --data data --out out --figure-format svg {OPTIONS}"));
    let table = lines(&dir.join("out/tables/table1_agreement_MindEye2.csv"));
    let find =
        |name: &str| table.iter().find(|line| line["Metric"] == name).unwrap_or_else(|| panic!("{name}: {table:?}"));
    // The scores of the release are the paper's quantities, and SEED is made of them.
    assert_eq!(find("obj_f1 ↑")["published Kendall τ-b"], "0.516");
    assert_eq!(find("git_st ↑")["published Pearson"], "0.666");
    let seed = find("SEED ↑");
    assert_eq!((seed["published Pairwise acc."].as_str(), seed["n"].as_str()), ("0.81", "6"));
    let [here, less] =
        ["Pearson [95% interval]", "Pearson less published"].map(|name| find("git_st ↑")[name].parse::<f64>());
    close(&[less.unwrap()], &[here.unwrap() - 0.666]);
    let differences = lines(&dir.join("out/tables/table_seed_less_effnet_MindEye2.csv"));
    let of_r = differences.iter().find(|line| line["Statistic"] == "Pearson").unwrap();
    assert_eq!(of_r["published interval"], "\"[0.04");
    let raters = lines(&dir.join("out/tables/table_raters_MindEye2.csv"));
    assert_eq!((raters[0]["published"].as_str(), raters[0]["raters"].as_str()), ("0.84", "22"));
    contains(&ran.stdout, &["Agreement with people: MindEye2 (SEED Table 1)", "percentile bootstrap over raters"]);
    let record = dir.json("out/study.json");
    let subjects: Vec<&str> = record["findings"].list().iter().map(|found| found["subject"].text()).collect();
    assert!(
        subjects.contains(&"system BrainGuard") && subjects.contains(&"model git_large_coco"),
        "{subjects:?}"
    );
    let items: Vec<&str> = record["exhibits"].list().iter().map(|item| item["paper"].text()).collect();
    assert!(items.iter().all(|paper| paper.is_empty() || paper.starts_with("SEED ")), "{items:?}");

    // The first version prints other values of the same table.
    dir.succeed(&format!("study seed-v1 --data data --out v1 --figure-format svg {OPTIONS}"));
    let table = lines(&dir.join("v1/tables/table1_v1_MindEye2.csv"));
    let seed = table.iter().find(|line| line["Metric"] == "SEED ↑").unwrap();
    assert_eq!(seed["published Pearson"], "0.817");
}

#[test]
fn basic_is_made_of_what_there_is_of_each_method() {
    let dir = folder();
    pictures(&dir.join("data/nsd/gt"), "", 3, 32, 4.0);
    for method in ["mindeye2", "dream"] {
        pictures(&dir.join("data/nsd").join(method), "", 3, 32, 30.0);
    }
    dir.succeed(&format!("study basic --data data --out out {OPTIONS}"));
    let means = lines(&dir.join("out/tables/table_basic_published.csv"));
    let of = |metric: &str| means.iter().find(|line| line["Metric"] == metric).unwrap();
    let (mean, published) = (of("PixCorr ↑")["mean"].parse::<f64>().unwrap(), 0.274);
    // The first row is DREAM's.
    assert_eq!(of("PixCorr ↑")["published"], "0.274");
    close(&[of("PixCorr ↑")["difference"].parse().unwrap()], &[mean - published]);
    let systems = dir.json("out/study.json")["systems"].list().len();
    assert_eq!(systems, 2);
}

#[test]
fn what_is_wrong_with_a_paper_or_its_data_is_said() {
    let dir = folder();
    fs::create_dir(dir.join("data")).unwrap();
    for (command, message) in [
        ("study sed --data data --out out", "no paper \"sed\""),
        ("study recovery --data data --out out", "its folder has no data.toml"),
        (
            "study recovery --data data --out out",
            "it is no study: call neurogauge align --preset nsd-core --nsd DIR",
        ),
        ("study seed --data none --out out", "none: no such folder; expected the paper's data in it"),
        ("study seed --data data --out out", "data: nothing of seed is there; expected at least one system"),
    ] {
        let ran = dir.run(command);
        assert!(ran.stderr.contains(message), "{command}: {ran}");
    }
}

/// A user's own paper is read by the same code: its exhibits, its published values, and errors with place.
#[test]
fn a_folder_of_ones_own_is_a_paper() {
    let dir = folder();
    pictures(&dir.join("gt"), "", 3, 32, 4.0);
    pictures(&dir.join("mine"), "", 3, 32, 30.0);
    let exhibit = "name = \"Ours\"\ncite = \"Us (2026)\"\n[[exhibit]]\nname = \"table1\"\nfrom = \"study\"\nplace = \"Table 1\"\nshows = \"SSIM\"\n\
                   title = \"SSIM of {/study/systems/*/name}\"\nrows = \"/study/means/metric=ssim\"\ncolumns = [{ heading = \"System\", value = \
                   \"system\" }, { heading = \"SSIM\", value = \"mean\" }, { heading = \"published\", value = \
                   \"/published/ssim/system={published}/ssim\", kind = \"number\" }]\n";
    dir.write("ours/exhibits.toml", exhibit);
    dir.write("ours/published/ssim.tsv", "system\tssim\nMindEye2\t0.431\n");
    dir.write(
        "study.toml",
        "[inputs]\ngt = \"gt\"\n[score]\nmetrics = [\"ssim\"]\n[[systems]]\nname = \"mine\"\nrecon = \"mine\"\npublished = \"MindEye2\"\n",
    );
    let ran = dir.succeed("study ./ours --config study.toml --set pixel_size=32 --out out");
    contains(&ran.stdout, &["SSIM of mine (Ours Table 1)"]);
    let table = lines(&dir.join("out/tables/table1.csv"));
    assert_eq!((table.len(), table[0]["published"].as_str()), (1, "0.431"));
    let mean = dir.json("out/runs/mine/summary.json");
    let ssim = mean["ssim"]["value"].number();
    close(&[table[0]["SSIM"].parse().unwrap()], &[ssim]);

    dir.write("ours/exhibits.toml", exhibit.replace("/study/means", "/study/meens"));
    let ran = dir.run("study ./ours --config study.toml --set pixel_size=32 --out out");
    contains(&ran.stderr, &["ours/exhibits.toml", "Table 1 table1", "meens", "did you mean \"means\"?"]);
}
