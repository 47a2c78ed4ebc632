//! Weights that are missing or not the published ones; earlier results remain.

use crate::support::*;

const FILES: [&str; 4] = ["config.json", "sentence_bert_config.json", "tokenizer.json", "model.safetensors"];

#[test]
fn missing_weights_say_what_to_put_where_and_the_images_are_not_compared_again() {
    let dir = images(&STEMS);
    for side in ["gt", "recon"] {
        write_captions(&dir.join("observations").join(side), &[("1", "a dog"), ("2", "a cat"), ("10", "a cup")]);
    }
    let score = "score --gt gt --recon recon --observations observations --metrics pixcorr,ssim,psnr,cap_sim";
    assert_snapshot!(dir.run(&format!("{score} --out broken --offline")), @"
    exit 1, stderr:
    error: the weights of all-MiniLM-L6-v2 are not on this machine, and downloading is not allowed.
    [HOW TO FETCH all-MiniLM-L6-v2]
    ");
    let journal = dir.read("broken/journal.jsonl");
    assert_eq!(journal.lines().count(), 3 * 3, "three pairs, three metrics");

    for run in ["broken", "whole"] {
        dir.succeed(&format!("{score} --out {run} --weights {}", arg(&weights())));
    }
    assert_eq!(dir.read("broken/journal.jsonl"), journal, "the images were compared before");
    for file in ["scores.parquet", "summary.json"] {
        let read = |run: &str| fs::read(dir.join(run).join(file)).unwrap();
        assert_eq!(read("broken"), read("whole"), "{file}");
    }
}

#[test]
fn weights_that_are_not_the_published_ones_are_not_loaded() {
    let dir = folder();
    let verify = "models verify all-MiniLM-L6-v2 --weights .";
    assert_snapshot!(dir.run(verify), @"
    exit 1, stderr:
    error: the weights of all-MiniLM-L6-v2 are not on this machine, and downloading is not allowed.
    [HOW TO FETCH all-MiniLM-L6-v2]
    ");
    for file in FILES {
        dir.copy(weights().join(file), file);
    }
    assert_snapshot!(dir.run(verify), @"exit 0, stdout: .: every file has the recorded SHA-256");

    let config = dir.join("config.json");
    fs::remove_file(&config).unwrap();
    assert_snapshot!(dir.run(verify), @"exit 1, stderr: error: . holds a part of all-MiniLM-L6-v2 and lacks config.json; put the missing files there or remove the others");
    fs::write(&config, "{}").unwrap();
    assert_snapshot!(dir.run(verify), @"exit 1, stderr: error: ./config.json is not the published file of all-MiniLM-L6-v2: it has 2 bytes and SHA-256 [HASH], expected 612 bytes and SHA-256 [HASH]; nothing was loaded. Remove the file and fetch it again");
    contains(&dir.succeed("list models --weights .").stdout, &["not the published file"]);

    fs::remove_file(&config).unwrap();
    fs::copy(weights().join("config.json"), &config).unwrap();
    dir.remove("model.safetensors");
    dir.write("model.safetensors", &fs::read(weights().join("model.safetensors")).unwrap()[..1000]);
    assert_snapshot!(dir.run(verify), @"exit 1, stderr: error: ./model.safetensors is not the published file of all-MiniLM-L6-v2: it has 1000 bytes and SHA-256 [HASH], expected 90868376 bytes and SHA-256 [HASH]; nothing was loaded. Remove the file and fetch it again");
}
