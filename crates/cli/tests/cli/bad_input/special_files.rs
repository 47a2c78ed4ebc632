//! Pipes and devices instead of files.

use crate::support::*;

/// Each of these once waited for a writer or never ended.
#[test]
fn pipes_and_devices_are_refused_by_name() {
    let dir = folder();
    assert!(Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap().success());
    for name in ["pipe.json", "pipe.csv", "pipe.toml", "pipe.npy", "pipe.npz", "pipe.txt", "pipe.parquet"] {
        std::os::unix::fs::symlink(dir.join("pipe"), dir.join(name)).unwrap();
    }
    dir.write("ratings.csv", "item,a,b\n1,1,2\n2,3,3\n");
    std::os::unix::fs::symlink("/dev/zero", dir.join("zero.npy")).unwrap();
    let refused = [
        "score --gt captions=pipe.json --recon captions=pipe.json --metrics cap_sim --out run",
        "meta --human pipe.csv --metrics pipe.csv --out run",
        "score --config pipe.toml --out run",
        "score embeddings pipe.npz pipe.npy --out run",
        "score embeddings zero.npy zero.npy --out run",
        "score --gt gt --recon gt --metrics cap_sim --vlm http://127.0.0.1:9 --vlm-model m --vlm-prompt captions=pipe.txt --out run",
        "meta --human ratings.csv --metrics pipe.parquet --out run",
    ]
    .map(|line| dir.run(line).to_string());
    assert_snapshot!(refused.join("\n"), @"
    exit 1, stderr: error: [DIR]/pipe.json: reading failed: this is a pipe; expected a file: write what you have into one first
    exit 1, stderr: error: pipe.csv: reading failed: this is a pipe; expected a file: write what you have into one first
    exit 1, stderr: error: pipe.toml: reading failed: this is a pipe; expected a file: write what you have into one first
    exit 1, stderr: error: pipe.npy: opening failed: this is a pipe; expected a file: write what you have into one first
    exit 1, stderr: error: zero.npy: opening failed: this is a device; expected a file: write what you have into one first
    exit 2, stderr: error: pipe.txt: this is a pipe; expected a file: write what you have into one first
    exit 1, stderr: error: pipe.parquet: opening failed: this is a pipe; expected a file: write what you have into one first
    ");
}
