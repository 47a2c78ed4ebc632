//! BASIC and VQAScore from two folders of images with tiny networks, killed five times: the masks have the same bytes,
//! and answered requests are not repeated.

use super::chat_server::{Asked, ChatServer, Reply};
use super::kill_when;
use crate::support::*;

/// The tiny model's answer, which depends on a picture's first colour.
fn answer(asked: &Asked) -> Reply {
    let (_, _, [r, g, b]) = asked.picture();
    let (thing, colour) = match (r > g, g > b) {
        (true, _) => ("boat", "red"),
        (false, true) => ("hat", "large"),
        (false, false) => ("dock", "large"),
    };
    if asked.prompt.starts_with("Does this figure show") {
        return match asked.prompt.contains(thing) {
            true => Reply::Likely("Yes", vec![("Yes", 0.75), ("No", 0.25)]),
            false => Reply::Likely("No", vec![("Yes", 0.125), ("No", 0.75)]),
        };
    }
    match asked.prompt.starts_with("Describe") {
        true => Reply::Says(format!("A {colour} {thing} is docked at the dock.")),
        false => Reply::Says(format!(
            r#"{{"foreground_objects": [{{"object": "{thing}", "parts": ["top"]}}], "background_elements": [{{"element": "sky"}}]}}"#
        )),
    }
}

struct Run<'a> {
    dir: &'a Folder,
    gt: &'a Path,
    recon: &'a Path,
    name: &'a str,
}

impl Run<'_> {
    fn out(&self) -> PathBuf {
        self.dir.join(self.name)
    }

    fn command(&self, server: &str) -> Command {
        let (gt, recon, out) = (arg(self.gt), arg(self.recon), self.name);
        let score = format!(
            "score {gt} {recon} --out {out} --metrics basic,vqa_score --set phrase_encoder=placeholder --vlm {server} --vlm-model \
             tiny-vlm --parallel 2 --set parser=t5 --set parser_tokens=8 --set parser_beams=1 --checkpoint factual_t5=parser/model.safetensors \
             --set basic_synonyms=off --set basic_lemmas=off --masks placeholder-segmenter --set mask_detector=placeholder-detector \
             --set box_threshold=0.01 --set text_threshold=0.01"
        );
        let mut command = self.dir.command(&score, format!("{out}-cache"));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Numbers of kept answers and of kept mask files.
    fn kept(&self) -> (usize, usize) {
        let files = |name: &str| {
            let cache = self.dir.join(format!("{}-cache", self.name));
            fs::read_dir(cache.join(name)).into_iter().flatten().flatten().map(|file| file.path())
        };
        let answers = files("answers").map(|file| fs::read_to_string(file).unwrap());
        let answers = answers.map(|text| text.matches('\n').count()).sum();
        let masks = files("masks").filter(|path| path.is_dir()).map(|folder| fs::read_dir(folder).unwrap().count());
        (answers, masks.sum())
    }

    /// Every file of masks, categories, captions and probabilities of yes.
    fn observations(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let root = self.out().join("observations");
        let mut found = BTreeMap::new();
        for side in ["gt", "recon"] {
            let masks = fs::read_dir(root.join(side).join("masks")).unwrap();
            let mut paths: Vec<PathBuf> = masks.map(|file| file.unwrap().path()).collect();
            paths.push(root.join(side).join("captions.json"));
            paths.push(root.join(side).join("categories.json"));
            for path in paths {
                found.insert(path.strip_prefix(&root).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
        found.insert("vqa_scores.json".into(), fs::read(root.join("recon/vqa_scores.json")).unwrap());
        found
    }
}

/// Scores the folders with five kills, and once more without.
fn survives(gt: &Path, recon: &Path) {
    let dir = folder();
    let n_images = 2 * fs::read_dir(gt).unwrap().count();
    // Captions and categories of both sides, and a question about each reconstruction.
    let n_answers = 2 * n_images + n_images / 2;
    write_parser(&dir.join("parser"), |_, _| {});
    let dir = &dir;
    let run = |name| Run { dir, gt, recon, name };
    let killed = run("killed");

    // Three kills during answers, two during masks.
    let stages = [
        (n_answers / 5, 0),
        (n_answers / 2, 0),
        (n_answers - 2, 0),
        (n_answers, 1),
        (n_answers, n_images / 2),
    ];
    for (answers, masks) in stages {
        let n_kept = killed.kept().0;
        let command = |server: &str| killed.command(server);
        kill_when(answers - n_kept, answer, command, || killed.kept().0 >= answers && killed.kept().1 >= masks);
    }
    // An incomplete file, as after a kill during writing; the kills may have left none.
    dir.write("killed/observations/gt/masks/.Ab12cd.tmp", "{");
    let server = ChatServer::start(answer);
    let ran = killed.command(&server.url).output().unwrap();
    assert!(ran.status.success());
    contains(&String::from_utf8(ran.stdout).unwrap(), &["BASIC", "VQAScore", "†"]);
    assert_eq!(server.asked().len(), 0, "all was answered before");

    let undisturbed = run("undisturbed");
    let server = ChatServer::start(answer);
    assert!(undisturbed.command(&server.url).output().unwrap().status.success());
    assert_eq!(server.asked().len(), n_answers);
    assert!(killed.observations() == undisturbed.observations());
    let columns = |run: &Run| scores(&run.out()).columns;
    assert_eq!(columns(&killed), columns(&undisturbed));
    assert_eq!(n_asked(&record(&killed.out())), 3);
}

/// With Brain-Diffuser's reconstructions if present, otherwise with our own pictures.
#[test]
fn five_kills_cost_no_answer_and_change_no_mask() {
    if let Some(data) = shared_data("brain-diffuser") {
        return survives(&data.join("gt"), &data.join("subavg"));
    }
    let dir = folder();
    let [gt, recon] = [("gt", 4.0), ("recon", 30.0)].map(|(side, grain)| pictures(&dir.join(side), side, 6, 48, grain));
    survives(&gt, &recon);
}
