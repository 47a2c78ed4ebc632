//! `neurogauge score` with DreamSim from the package's folder, with a small network.

use crate::support::image_pairs::features;
use crate::support::*;

const STEMS: [&str; 3] = ["1", "2", "10"];
const SCORE: &str = "score gt recon --out run --overwrite --metrics dreamsim_dino";
const CONFIG: &str = "models/dino_vitb16_single_lora/adapter_config.json";

/// Writes the package's folder for DINO only, with two small blocks and an adapter of this rank.
fn write_folder(dir: &Folder, rank: usize) {
    const WIDTH: usize = 64;
    let mut network = vec![
        ("cls_token".to_owned(), vec![1, 1, WIDTH]),
        ("pos_embed".to_owned(), vec![1, 197, WIDTH]),
        ("patch_embed.proj.weight".to_owned(), vec![WIDTH, 3, 16, 16]),
        ("patch_embed.proj.bias".to_owned(), vec![WIDTH]),
        ("norm.weight".to_owned(), vec![WIDTH]),
        ("norm.bias".to_owned(), vec![WIDTH]),
    ];
    let mut adapter = Vec::new();
    for block in 0..2 {
        for (map, n_out, n_in) in [
            ("attn.qkv", 3 * WIDTH, WIDTH),
            ("attn.proj", WIDTH, WIDTH),
            ("mlp.fc1", 4 * WIDTH, WIDTH),
            ("mlp.fc2", WIDTH, 4 * WIDTH),
        ] {
            network.push((format!("blocks.{block}.{map}.weight"), vec![n_out, n_in]));
            network.push((format!("blocks.{block}.{map}.bias"), vec![n_out]));
        }
        for norm in ["norm1", "norm2"] {
            for part in ["weight", "bias"] {
                network.push((format!("blocks.{block}.{norm}.{part}"), vec![WIDTH]));
            }
        }
        let map = format!("base_model.model.extractor_list.0.model.blocks.{block}.attn.qkv");
        adapter.push((format!("{map}.lora_A.weight"), vec![rank, WIDTH]));
        adapter.push((format!("{map}.lora_B.weight"), vec![3 * WIDTH, rank]));
    }
    let filled = |tensors: Vec<(String, Vec<usize>)>| {
        let tensors = tensors.into_iter().map(|(name, shape)| {
            let values = parameter(&name, &shape, 0);
            (name, shape, Some(values))
        });
        tensors.collect::<Vec<_>>()
    };
    dir.write(
        CONFIG,
        json!({"peft_type": "LORA", "r": 2, "lora_alpha": 0.5, "target_modules": ["qkv"], "bias": "none"}).to_string(),
    );
    write_tensors(&dir.join("models/dino_vitb16_single_lora/adapter_model.bin"), &filled(adapter));
    dir.write("models/checkpoints/README", "of torch hub");
    write_tensors(&dir.join("models/checkpoints/dino_vitbase16_pretrain.pth"), &filled(network));
}

#[test]
fn the_packages_folder_gives_distances_of_its_embeddings() {
    let dir = images(&STEMS);
    write_folder(&dir, 2);
    dir.succeed(&format!("{SCORE} --weights models"));
    let model = "dreamsim_dino_vit_b_16";
    let found = dir.values("run", "dreamsim_dino");
    let [gt, recon] = ["gt", "recon"].map(|of| features(&dir, of, &format!("{model}.embedding")));
    for (row, found) in found.iter().enumerate() {
        let cosine: f64 = gt.row(row).iter().zip(recon.row(row)).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        // Rows have unit length in f32.
        assert!((found - (1.0 - cosine)).abs() < 1e-6, "{found} {cosine}");
        assert!(*found > 0.0 && gt.row(row).len() == 64);
    }
    let recorded = dir.record("run");
    let identity = &recorded["models"][0];
    assert_eq!(identity["id"], model);
    assert_eq!(identity["sha256"].text().len(), 64);
    let preprocessing = &recorded["perceived"][0]["preprocessing"];
    assert_eq!(preprocessing["mean"], json!([0.0, 0.0, 0.0]));
    dir.succeed("report run --out report.html");
    dir.succeed("score --from-run run/run.json --weights models --out again");
    dir.succeed("compare run again --out compared");
    dir.succeed("multiverse gt mine=recon --metrics dreamsim_dino --weights models --out many");
    let many = dir.json("many/multiverse.json");
    let estimate = &many["metrics"][0]["conventions"][0];
    assert!(estimate.to_string().contains("no preset"), "{many}");

    // The same files, given as the user's own checkpoint.
    let own = "--checkpoint dreamsim_dino_vit_b_16=models/dino_vitb16_single_lora/adapter_model.bin";
    dir.succeed(&format!("{SCORE} {own}"));
    assert_eq!(dir.values("run", "dreamsim_dino"), found);
    assert_eq!(dir.record("run")["models"][0]["id"], format!("{model}-custom"));
}

#[test]
fn what_is_missing_or_does_not_fit_is_said() {
    let dir = images(&STEMS);
    assert_snapshot!(dir.run(&format!("{SCORE} --offline")), @"
    exit 1, stderr:
    error: the weights of dreamsim_dino_vit_b_16 are not on this machine, and it is published as an archive, which is unpacked by hand.
    Unpack this into a folder DIR:
      https://github.com/ssundaram21/dreamsim/releases/download/v0.2.0-checkpoints/dreamsim_dino_vitb16_checkpoint.zip
    and put this there as checkpoints/dino_vitbase16_pretrain.pth:
      https://dl.fbaipublicfiles.com/dino/dino_vitbase16_pretrain/dino_vitbase16_pretrain.pth
    Then DIR has checkpoints/dino_vitbase16_pretrain.pth, dino_vitb16_single_lora/adapter_config.json, dino_vitb16_single_lora/adapter_model.bin. Give it as --weights DIR or NEUROGAUGE_WEIGHTS=DIR. If the archive has the adapter under another name, give --checkpoint dreamsim_dino_vit_b_16=DIR/FOLDER/FILE
    ");
    write_folder(&dir, 4);
    assert_snapshot!(dir.run(&format!("{SCORE} --weights models")), @"exit 1, stderr: error: models/dino_vitb16_single_lora/adapter_model.bin: base_model.model.extractor_list.0.model.blocks.0.attn.qkv.lora_A.weight has the shape [4, 64]; expected [2, 64] for the rank r = 2 of adapter_config.json and a map from 64 to 192 features");
    dir.remove(CONFIG);
    assert_snapshot!(dir.run(&format!("{SCORE} --weights models")), @"exit 1, stderr: error: models holds a part of dreamsim_dino_vit_b_16 and lacks dino_vitb16_single_lora/adapter_config.json; put the missing files there or remove the others");
    assert_snapshot!(dir.run("models fetch dreamsim"), @"
    exit 1, stderr:
    dreamsim: licence MIT
    1 of 1 are not on this machine: about 1.0 GB
      dreamsim  about 1.0 GB
    error: the weights of dreamsim are not on this machine, and it is published as an archive, which is unpacked by hand.
    Unpack this into a folder DIR:
      https://github.com/ssundaram21/dreamsim/releases/download/v0.2.0-checkpoints/dreamsim_ensemble_checkpoint.zip
    and put this there as checkpoints/dino_vitbase16_pretrain.pth:
      https://dl.fbaipublicfiles.com/dino/dino_vitbase16_pretrain/dino_vitbase16_pretrain.pth
    Then DIR has checkpoints/dino_vitbase16_pretrain.pth, clip_vitb16_pretrain.pth.tar, open_clip_vitb16_pretrain.pth.tar, ensemble_lora/adapter_config.json, ensemble_lora/adapter_model.bin. Give it as --weights DIR or NEUROGAUGE_WEIGHTS=DIR. If the archive has the adapter under another name, give --checkpoint dreamsim=DIR/FOLDER/FILE
    ");
}

#[test]
fn embeddings_that_are_given_are_compared_and_those_that_are_constant_have_no_distance() {
    let dir = folder();
    let write = |side: &str, rows: [[f32; 3]; 3]| {
        let features = Features::new(STEMS.map(str::to_owned).to_vec(), 3, rows.concat()).unwrap();
        features::write(&dir.join(side).join("features"), "dreamsim", &features).unwrap();
    };
    write("gt", [[1.0, 2.0, 3.0]; 3]);
    write("recon", [[1.0, 3.0, 2.0], [2.0, 4.0, 6.0], [7.0, 7.0, 7.0]]);
    dir.succeed("score --observations . --out run --metrics dreamsim");
    let column = dir.scores("run").column("dreamsim").unwrap().to_vec();
    assert!((column[0].clone().unwrap() - 0.5).abs() < 1e-12);
    assert!(column[1].clone().unwrap().abs() < 1e-12);
    assert_snapshot!(column[2].clone().unwrap_err(), @"constant reconstruction");
}
