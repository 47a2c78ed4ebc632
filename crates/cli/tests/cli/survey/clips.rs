//! Surveys with clips, and with several samples of each stimulus.

use crate::support::*;

const N: usize = 4;

/// Stimuli of six frames and reconstructions of three, in folders; and stimuli without frames, with two samples each.
fn stimuli_and_systems() -> Folder {
    let dir = folder();
    let write = |name: String, what: String, grain: f32| {
        dir.picture(name, &what, 24, grain);
    };
    for item in 0..N {
        for frame in 0..6 {
            write(format!("gt/{item}/{frame}.png"), format!("{item}-{frame}"), 4.0);
        }
        for frame in 0..3 {
            write(format!("recon/{item}/{frame}.png"), format!("{item}-{frame}"), 60.0);
        }
        write(format!("stills/{item}.png"), format!("{item}"), 4.0);
        for sample in ["x1", "x2"] {
            write(format!("samples/{item}_{sample}.png"), format!("{item}{sample}"), 60.0);
        }
    }
    dir
}

/// The data on the first page of a survey.
fn page(dir: &Folder, survey: &str) -> Value {
    let page = dir.read(format!("{survey}/pages/p1.html"));
    serde_json::from_str(between(&page, "id=\"data\">", "</script>")).unwrap()
}

/// The pictures in the first page's trials: stimulus and reconstruction, with the trial.
fn trials(dir: &Folder, survey: &str) -> Vec<(Value, [Value; 2])> {
    let (record, page) = (dir.json(format!("{survey}/survey.json")), page(dir, survey));
    let planned = record["pages"][0]["trials"].list().iter();
    let shown = page["trials"].list().iter();
    let picture = |place: &Value| page["pictures"][place.natural() as usize].clone();
    planned
        .zip(shown)
        .map(|(trial, shown)| (trial.clone(), [picture(&shown[0]), picture(&shown[1])]))
        .collect()
}

fn length(value: &Value) -> usize {
    value.list().len()
}

#[test]
fn clips_of_a_pair_are_shown_with_the_frames_of_the_same_times() {
    let dir = stimuli_and_systems();
    let make = "survey make --gt gt --recon one=recon --parts frame --raters 1";
    assert_snapshot!(dir.run(&format!("{make} --out survey")), @"
    exit 0, stdout:
    Survey [ID]: raters of each pair: 1

    page     pairs  repeats  identical  mismatched
    p1.html      4        2          2           2

    Each page is for one rater. Questions: seed-clips-1 (semantic, perceptual).
    Clips play again and again, each in [TIME], until the rater pauses them.
    stderr:
    warning: plan: 4 pairs give wide intervals; `neurogauge survey power` says how wide
    survey: 1 page in pages/, each for one rater; survey.json is the key to their answers, so it stays with you
    ");
    assert_eq!(dir.json("survey/survey.json")["questions"]["id"], "seed-clips-1");
    for (trial, [stimulus, reconstruction]) in trials(&dir, "survey") {
        // The input does not say how long frames last.
        assert_eq!(stimulus["ms"], json!([333, 333, 333, 333, 333, 333]));
        let frames = reconstruction["parts"][0].list();
        assert_eq!((length(&stimulus["parts"][0]), frames.len()), (6, 6));
        // Each frame of a reconstruction is beside two frames of the stimulus.
        let is_stimulus = trial["kind"] == "identical";
        assert_eq!(frames[0] == frames[1], !is_stimulus, "{trial}");
        assert_ne!(frames[1], frames[2]);
    }
    // No image occurs twice.
    assert_eq!(length(&page(&dir, "survey")["images"]), N * 6 + N * 3);
    dir.succeed(&format!("{make} --clip-frames 2 --clip-seconds 1.5 --out short"));
    for (_, pictures) in trials(&dir, "short") {
        for picture in pictures {
            assert_eq!(picture["ms"], json!([750, 750]));
            assert_eq!(length(&picture["parts"][0]), 2);
        }
    }
    // With one frame from each clip, it is a survey of pictures.
    dir.succeed(&format!("{make} --set frames=middle --out stills"));
    assert_eq!(dir.json("stills/survey.json")["questions"]["id"], "seed-1");
    for (_, pictures) in trials(&dir, "stills") {
        assert!(pictures.iter().all(|picture| picture.get("ms").is_none()));
    }
}

#[test]
fn clips_last_as_long_as_the_stimuli_s_files_say() {
    let dir = folder();
    for item in 0..N {
        dir.write(&format!("gt/{item}.gif"), gif(&[(10, 0), (30, 1)]));
        dir.write(&format!("recon/{item}.gif"), gif(&[(20, 1), (20, 0)]));
    }
    dir.succeed("survey make --gt gt --recon one=recon --parts frame --raters 1 --out survey");
    for (_, pictures) in trials(&dir, "survey") {
        assert!(pictures.iter().all(|picture| picture["ms"] == json!([100, 300])));
    }
    // A still stimulus, and clips of it.
    for item in 0..N {
        dir.remove(format!("gt/{item}.gif"));
        dir.write(&format!("gt/{item}.gif"), gif(&[(10, 0)]));
    }
    dir.succeed("survey make --gt gt --recon one=recon --parts frame --raters 1 --out still");
    for (trial, [stimulus, reconstruction]) in trials(&dir, "still") {
        assert!(stimulus.get("ms").is_none() && length(&stimulus["parts"][0]) == 1);
        if trial["kind"] != "identical" {
            assert_eq!(reconstruction["ms"], json!([200, 200]));
        }
    }
}

#[test]
fn samples_are_shown_together_and_without_their_names() {
    let dir = stimuli_and_systems();
    let make = "survey make --gt stills --recon one=samples --parts '{item}_{sample}' --raters 1 --out survey";
    let said = dir.succeed(make).to_string();
    assert_snapshot!(lines_with(&said, &["Questions", "Clips play", "Views and"]), @"
    Each page is for one rater. Questions: seed-1 (semantic, perceptual).
    Views and samples are shown next to each other, up to 2 of an item, and are rated as a whole.
    ");
    for (trial, [stimulus, reconstruction]) in trials(&dir, "survey") {
        let n = if trial["kind"] == "identical" { 1 } else { 2 };
        assert_eq!((length(&stimulus["parts"]), length(&reconstruction["parts"])), (1, n));
        assert!(reconstruction.get("ms").is_none());
    }
    let text = page(&dir, "survey").to_string();
    assert!(!text.contains("\"x1\"") && !text.contains("sample"));
    // A survey of stills does not mention clips.
    dir.succeed("survey make --gt stills --recon one=stills --raters 1 --out stills-only");
    assert!(dir.json("stills-only/survey.json")["request"].get("clips").is_none());
}

#[test]
fn what_cannot_be_shown_of_clips_is_refused() {
    let dir = stimuli_and_systems();
    let table = r#"
    --gt gt --recon one=recon --parts frame --mturk-images https://example.org
      exit 2, stderr: error: --mturk-images URL: "0" is a clip, and a task of Mechanical Turk has one image on each side; leave the option out and send people the pages, or --set frames=middle shows one frame of each
    --gt stills --recon one=samples --parts '{item}_{sample}' --mturk-images https://example.org
      exit 2, stderr: error: --mturk-images URL: "0" is several images, and a task of Mechanical Turk has one image on each side; leave the option out and send people the pages, or give one view or sample of each
    --gt gt --recon one=recon --parts frame --clip-frames 0
      exit 2, stderr: error: invalid value '0' for '--clip-frames <N>': expected a whole number from 1 to 1000
    --gt gt --recon one=recon --parts frame --clip-seconds 0
      exit 2, stderr: error: invalid value '0' for '--clip-seconds <SECONDS>': expected a number of seconds above 0, at most 86400
    --gt stills --recon one=stills --clip-seconds 2
      exit 2, stderr:
      error: the following required arguments were not provided:
        --parts <PATTERN>

      Usage: neurogauge survey make --gt <PATH> --recon <[NAME=]PATH>... --out <DIR> --parts <PATTERN> --clip-seconds <SECONDS>
    --gt gt --recon one=recon --parts frame --set frames=error
      exit 1, stderr: error: pairing images: item "0" has 6 gt and 3 recon frames, which do not fit frames = error; expected equal numbers (nearest compares frames of the same time) (gt: gt, recon: recon)
    "#;
    dir.refuses("survey make --out survey", "survey", table);
}
