//! `neurogauge board` and `neurogauge list protocols`.

mod entries;
mod fetch;
mod site;

use crate::support::*;

/// Captions of 200 stimuli: references, and captions by systems. `good` has all words right, `fair` three of four,
/// `bad` none.
pub(crate) fn captions() -> Folder {
    let dir = folder();
    let write = |name: &str, caption: &dyn Fn(usize) -> String| {
        let all = (0..200).map(|place| (place.to_string(), caption(place)));
        let all: Map<String, Value> = all.map(|(stem, text)| (stem, text.into())).collect();
        dir.write(name, serde_json::to_string(&all).unwrap());
    };
    let thing = |place: usize| ["dog", "boat", "train", "pizza", "zebra"][place % 5];
    for name in ["reference.json", "good.json", "twin.json"] {
        write(name, &|place| format!("a red {} n{place}", thing(place)));
    }
    write("fair.json", &|place| format!("a red {} m{place}", thing(place)));
    write("bad.json", &|place| format!("nothing of it{place}"));
    dir
}

fn score(dir: &Folder, system: &str) {
    entry(dir, system, "rouge_1,rouge_l,cider");
    dir.prepend(&format!("entries/{system}/card.toml"), "paper = \"A <b>paper</b>\"\nlicence = \"MIT\"\n");
}

/// An entry of these metrics.
fn entry(dir: &Folder, system: &str, metrics: &str) {
    let captions = format!("--gt captions=reference.json --recon captions={system}.json");
    dir.succeed(&format!("score {captions} --metrics {metrics} --out entries/{system}"));
    dir.write(&format!("entries/{system}/card.toml"), format!("system = \"{system}\"\nsubject = \"sub-01\"\n"));
}

/// The page of a board of these entries.
fn site(dir: &Folder, entries: &str) -> String {
    dir.write("board.toml", format!("title = \"x\"\nentries = [\"{entries}\"]\n"));
    dir.succeed("board make board.toml --out site");
    dir.read("site/index.html")
}
