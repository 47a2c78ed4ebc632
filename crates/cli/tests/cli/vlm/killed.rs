//! A killed run resumes, and does not repeat answered requests.

use super::chat_server::{Asked, ChatServer, Reply};
use super::{caption, kill_when};
use crate::support::*;

fn command(dir: &Folder, server: &str, out: &str) -> Command {
    let score = format!(
        "score gt recon --metrics cap_sim --set text_encoder=placeholder --vlm {server} --vlm-model tiny-vlm --parallel 2 --out {out}"
    );
    let mut command = dir.command(&score, format!("{out}-cache"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn says_caption(asked: &Asked) -> Reply {
    Reply::Says(caption(asked))
}

#[test]
fn five_kills_cost_no_answer() {
    let dir = folder();
    pictures(&dir.join("gt"), "gt", 8, 24, 4.0);
    pictures(&dir.join("recon"), "recon", 8, 24, 30.0);
    let kept = || {
        let journals = fs::read_dir(dir.join("run-cache/answers")).into_iter().flatten().flatten();
        // An incomplete line does not count.
        journals.map(|file| dir.read(file.path()).matches('\n').count()).sum::<usize>()
    };
    for kill in 1..=5 {
        kill_when(2, says_caption, |server: &str| command(&dir, server, "run"), || kept() >= kill * 2);
    }
    for (out, n_asked) in [("run", 16 - 2 * 5), ("other", 16)] {
        let server = ChatServer::start(says_caption);
        assert!(command(&dir, &server.url, out).status().unwrap().success());
        assert_eq!(server.asked().len(), n_asked, "ten were answered before");
    }
    for file in ["scores.parquet", "observations/gt/captions.json", "observations/recon/captions.json"] {
        let bytes = |run: &str| fs::read(dir.join(run).join(file)).unwrap();
        assert_eq!(bytes("run"), bytes("other"), "{file}");
    }
}
