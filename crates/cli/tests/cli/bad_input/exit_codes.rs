//! The table of exit codes: 1 for data, 2 for the command line and its configuration, equal in every command.

use crate::support::images;

/// Commands that read missing files.
const MISSING: &str = "\
score --gt nowhere --recon recon --metrics ssim --out out
score --gt gt --recon nowhere --metrics ssim --out out
check --gt gt --recon nowhere
perceive --images nowhere --with placeholder --out out
compare nowhere gone
multiverse gt near=nowhere --metrics ssim --out out
gallery --gt gt --recon near=nowhere --out out.png
report nowhere --out page.html
board verify nowhere
board make nowhere.toml --out site
score masks nowhere.json nowhere.json
meta --human nowhere.csv --metrics nowhere.csv --out out
survey make --gt gt --recon nowhere --raters 1 --out survey
survey collect answers --survey nowhere --port 0
survey read nowhere --survey nowhere --out ratings
study --config nowhere.toml --out out
study --gt gt --recon near=nowhere --out out
study --gt nowhere --recon near=recon --out out
study --gt gt --recon near=recon --run old=nowhere --out out
study --gt gt --recon near=recon --human near=nowhere.csv --out out
score --config nowhere.toml --out out
score --from-run nowhere --out out
meta --human ratings.csv --metrics nowhere --out out
report nowhere --meta nowhere --out page.html
align --config nowhere.toml --out aligned
align --preset nsd-core --nsd nowhere --out aligned
cluster plan score --gt gt --recon nowhere --metrics ssim --out out
score boxes nowhere.json nowhere.json --out out
audit --test nowhere.npy --out audited
score embeddings nowhere.npy nowhere.npy --out out
score captions nowhere.json nowhere.json --out out
score shapes nowhere nowhere --out out
score sets nowhere.npy nowhere.npy --out out
cluster work nowhere --shard 0/2
cluster finish nowhere
cluster slurm nowhere --shards 2
cluster status nowhere --shards 2
list protocols nowhere
cite nowhere";

#[test]
fn what_is_missing_is_the_datas_fault_in_every_command() {
    let dir = images(&["0", "1"]);
    dir.write("ratings.csv", "item,rater,value\n0,a,1\n1,a,2\n");
    let wrong: Vec<String> = MISSING
        .lines()
        .map(|line| (line, dir.run(line)))
        .filter(|(_, ran)| ran.code != 1 || !ran.stderr.contains("nowhere"))
        .map(|(line, ran)| format!("{line}\n  {ran}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
