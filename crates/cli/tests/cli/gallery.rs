//! `neurogauge gallery`: the selected pairs, their scores and captions.

use crate::support::*;

/// Stimuli and the reconstructions of systems A and B, which become worse with their number. The two differ most for
/// the fourth pair.
fn systems() -> Folder {
    let dir = folder();
    for (place, stem) in ["1", "2", "3", "4", "5"].into_iter().enumerate() {
        let grain = 10.0 + 40.0 * place as f32;
        let worse = if stem == "4" { 250.0 } else { grain };
        for (side, grain) in [("gt", 0.0), ("clear", grain), ("dim", worse)] {
            write_png(&dir.join(side).join(format!("{stem}.png")), &picture(stem, 32, grain)).unwrap();
        }
    }
    dir
}

#[test]
fn a_gallery_shows_the_pairs_that_are_asked_for() {
    let dir = systems();
    let gallery = "gallery --gt gt --recon A=clear B=dim";
    let picked = format!(
        "{gallery} --pick best,median,worst:1,largest-gain:A-B,2 --by pixcorr --by-system A --metric ssim --out figure.svg"
    );
    assert_snapshot!(dir.run(&picked), @"
    exit 0, stderr:
    Picked by PixCorr of A. PixCorr: computed from the images, with the default resizing.
    SSIM: computed from the images, with the default resizing.
    figure.svg: 1 (best), 3 (median), 5 (worst), 4 (gain A − B), 2
    ");
    let svg = dir.read("figure.svg");
    assert!(svg.starts_with("<svg width=\"180mm\""), "{svg}");
    assert_eq!(svg.matches("<image").count(), 3 * 5);
    for words in ["stimulus", "A", "B", "best", "median", "worst"] {
        assert!(svg.lines().any(|line| line == words), "{words}");
    }
    // The same command gives the same file; a different one is only replaced on request.
    dir.succeed(&picked);
    assert_eq!(dir.read("figure.svg"), svg);
    let table = "
    --pick 3 --out figure.svg
      exit 2, stderr: error: figure.svg: is there already and is not what this command would write; choose another --out, or say --overwrite
    --pick best --out figure.svg
      exit 2, stderr: error: figure.svg: is there already and is not what this command would write; choose another --out, or say --overwrite
    ";
    dir.refuses(gallery, "other.svg", table);
    let table = r#"
    --pick 7
      exit 2, stderr: error: gt: no stimulus has the stem "7"; there are 1, 2, 3, ...
    --pick best:6 --by ssim
      exit 2, stderr: error: 6 pairs are asked for, and 5 have the scores that they are picked by
    --pick largest-gain:A-C --by ssim
      exit 2, stderr: error: largest-gain:A-C: expected two of the systems with a hyphen between them, such as largest-gain:A-B; there are A, B
    --pick best --by ssim --by-system C
      exit 2, stderr: error: "C" is no system here; there are A, B
    --pick best --by seed
      exit 2, stderr: error: A is given as images, which seed is not computed from here; give the folder of its run, A=RUN, or a metric of pixels: pixcorr, ssim, psnr, ms_ssim, hue_pcc
    --pick 1 --figure-width 600mm
      exit 2, stderr: error: 2 systems and 1 pairs make a figure 1840 mm high, and a page has 240 mm; show fewer systems, more pairs abreast, or a narrower figure with --figure-width WIDTH
    "#;
    dir.refuses(&format!("{gallery} --out other.svg"), "other.svg", table);
    let table = "
    --recon A=clear --out other.jpg
      exit 2, stderr: error: other.jpg: a figure is written as .svg, .png or .pdf; give the file one of these endings
    --recon A=claer --out other.svg
      exit 2, stderr: error: A=claer: no such folder or file; expected the folder of a finished run, or a folder, .npy stack or .pt file of reconstructions
    --recon A=clear --out other.svg
      exit 2, stderr: error: no stimuli: none of the systems is the folder of a finished run, whose stimuli would be shown; give them with --gt PATH
    ";
    dir.refuses("gallery --pick 1", "other.svg", table);

    // Only scores that are averaged have a note about it.
    let gallery = "gallery --gt gt --recon A=clear B=dim --by pixcorr --overwrite --out figure.svg";
    let said = ["largest-gain:A-B", "best,largest-gain:A-B"].map(|pick| {
        let ran = dir.succeed(&format!("{gallery} --pick {pick}"));
        ran.messages().lines().next().unwrap_or_default().to_owned()
    });
    assert_snapshot!(said.join("\n"), @"
    Picked by PixCorr. PixCorr: computed from the images, with the default resizing.
    Picked by PixCorr averaged over the systems. PixCorr: computed from the images, with the default resizing.
    ");

    // Without chosen pairs, the best, the median and the worst are shown.
    assert_snapshot!(dir.run("gallery --gt gt --recon A=clear --out three.svg"), @"
    exit 0, stderr:
    Picked by PixCorr. PixCorr: computed from the images, with the default resizing.
    three.svg: 1 (best), 3 (median), 5 (worst)
    ");

    // A PDF contains each picture once.
    let gallery = "gallery --gt gt --recon A=clear B=dim --pick 1,2,3,4,5";
    dir.succeed(&format!("{gallery} --out all.svg"));
    dir.succeed(&format!("{gallery} --out all.pdf"));
    assert_eq!(dir.read("all.svg").matches("<image").count(), 15);
    // The systems only differ in the fourth pair: five stimuli, five reconstructions, and one more.
    let pdf = String::from_utf8_lossy(&dir.bytes("all.pdf")).replace("/Subtype /Image", "/Subtype/Image");
    assert_eq!(pdf.matches("/Subtype/Image").count(), 11);
}

#[test]
fn a_gallery_of_folders_has_captions_of_files() {
    let dir = folder();
    for stem in ["1", "2"] {
        for (file, grain) in [(format!("gt/{stem}.png"), 0.0), (format!("recon/{stem}_r.png"), 9.0)] {
            dir.picture(file, stem, 32, grain);
        }
    }
    let gallery = "gallery --gt gt --recon mine=recon --match {stem}_r --pick 2,1 --out figure.svg --overwrite";
    let drawn = |more: &str| {
        dir.succeed(&format!("{gallery} {more}"));
        dir.read("figure.svg")
    };
    let n_lines = |svg: &str, words: &str| svg.lines().filter(|line| *line == words).count();
    dir.write("gt/captions.json", r#"{"1": "seen"}"#);
    assert!(!drawn("").contains("seen"));
    assert_eq!(n_lines(&drawn("--captions"), "seen"), 1);
    // By the stem of the reconstruction, or of its stimulus.
    dir.write("words.json", r#"{"1_r": "decoded", "2": "guessed"}"#);
    let svg = drawn("--caption-file mine=words.json");
    for words in ["seen", "decoded", "guessed"] {
        assert_eq!(n_lines(&svg, words), 1, "{words}");
    }
    dir.write("words.json", r#"{"7": "decoded"}"#);
    let table = r#"
    --caption-file yours=words.json
      exit 2, stderr: error: captions of "yours": no system is called so; there are mine, and gt for the stimuli
    --caption-file mine=words.json
      exit 2, stderr: error: words.json: none of its captions (7) is of an image of recon (1_r, 2_r, 1, ...)
    --caption-file gt=words.json
      exit 2, stderr: error: words.json: none of its captions (7) is of an image of gt (1, 2)
    "#;
    dir.refuses(gallery, "other.svg", table);
}

#[test]
fn a_gallery_of_runs_has_their_scores() {
    let dir = images(&["1", "2", "10"]);
    let score = "score --gt gt --recon recon --set pixel_size=32";
    dir.succeed(&format!("{score} --metrics pixcorr --out made"));
    let gallery = "gallery --recon mind-eye=made --out figure.pdf";
    assert_snapshot!(dir.run(&format!("{gallery} --pick worst:2 --metric pixcorr")), @"
    exit 0, stderr:
    Picked by PixCorr. PixCorr: the scores of the runs.
    figure.pdf: 2 (worst), 10 (worst)
    ");
    assert!(dir.bytes("figure.pdf").starts_with(b"%PDF-"));
    assert_snapshot!(dir.run(&format!("{gallery} --pick best --by clip")), @"exit 2, stderr: error: the run of mind-eye has no scores of clip; score it with that metric first");

    dir.succeed(&format!("{score} --metrics clip --set image_models=placeholder --out placeholder"));
    assert_snapshot!(dir.run("gallery --recon none=placeholder --pick best --metric clip --out figure.png"), @"
    exit 0, stderr:
    Picked by CLIP. CLIP: the scores of the runs; † rests on a placeholder model, and the number means nothing.
    figure.png: 1 (best)
    ");
}

#[test]
fn a_gallery_of_masks_has_each_level_of_every_system() {
    let dir = images(&["1", "2"]);
    let categories = r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": ["head"]}], "background_elements": [{"element": "sky", "semantic_category": "natural"}]}"#;
    for (side, to) in [("gt", 4), ("recon", 6)] {
        for stem in ["1", "2"] {
            let things = [("dog", 0, to), ("dog", 8, 9), ("sky", 9, 10), ("head", 0, 2)];
            dir.write(&format!("{side}/masks/{stem}.json"), masks(&things));
            dir.write(&format!("{side}/categories/{stem}.json"), categories);
        }
    }
    for run in ["A", "B"] {
        dir.succeed(&format!("score gt recon --observations . --metrics basic_l --out {run}"));
    }
    let gallery = "gallery --recon A=A B=B --masks";
    assert_snapshot!(dir.run(&format!("{gallery} --pick 1 --out figure.svg")), @"
    exit 0, stderr:
    Masks as BASIC-L compares them, at the size of the stimulus: a colour for each name, of instances for each object; the names are below.
    figure.svg: 1
    ");
    let svg = dir.read("figure.svg");
    // A stimulus and two systems, each as an image and at four levels.
    assert_eq!(svg.matches("<image").count(), 3 * 5);
    for words in ["image", "salient", "semantic", "instance", "part", "stimulus", "A", "B"] {
        assert!(svg.lines().any(|line| line == words), "{words}");
    }
    let n_lines = |words: &str| svg.lines().filter(|line| *line == words).count();
    assert_eq!([n_lines("dog, sky"), n_lines("2 dog"), n_lines("head")], [3, 3, 3]);
    dir.succeed(&format!("{gallery} --pick 1,2 --figure-width 120mm --out figure.png"));
    // Six rows do not fit onto a page, those of a pair do; and where they do not, each system is below the stimulus.
    assert_snapshot!(dir.run(&format!("{gallery} --pick 1,2 --out paged.svg")), @"
    exit 0, stderr:
    Masks as BASIC-L compares them, at the size of the stimulus: a colour for each name, of instances for each object; the names are below.
    paged.svg, paged-2.svg: 1, 2
    ");
    let pages = ["paged.svg", "paged-2.svg"].map(|page| dir.read(page).matches("<image").count());
    assert_eq!(pages, [3 * 5, 3 * 5]);
    dir.succeed(&format!("{gallery} --pick 1,2 --figure-width 400mm --out wide.svg"));
    let pages =
        ["wide.svg", "wide-2.svg", "wide-3.svg", "wide-4.svg"].map(|page| dir.read(page).matches("<image").count());
    assert_eq!(pages, [2 * 5; 4]);
    dir.succeed("score gt recon --metrics pixcorr --set pixel_size=32 --out none");
    assert_snapshot!(dir.refusals("gallery --masks --pick 1 --out other.svg", &["--recon A=A none=none", "--gt gt --recon A=recon"], "other.svg"), @"
    --recon A=A none=none
      exit 2, stderr: error: --masks: none has no masks; expected the folder of a finished run with masks, such as of --metrics basic_l_all
    --gt gt --recon A=recon
      exit 2, stderr: error: --masks: A has no masks; expected the folder of a finished run with masks, such as of --metrics basic_l_all
    ");
}

#[test]
fn a_gallery_says_whose_scores_are_against_other_stimuli() {
    let dir = folder();
    for stem in ["1", "2"] {
        for (side, grain) in [("gt", 0.0), ("recon", 9.0)] {
            for (run, name) in [("A", stem.to_owned()), ("X", format!("{stem} of X"))] {
                write_png(&dir.join(side).join(run).join(format!("{stem}.png")), &picture(&name, 32, grain)).unwrap();
            }
        }
    }
    for run in ["A", "X"] {
        dir.succeed(&format!("score gt/{run} recon/{run} --metrics pixcorr --set pixel_size=32 --out {run}"));
    }
    let gallery = "--pick 1,2 --metric pixcorr --out figure.svg --overwrite";
    assert_snapshot!(dir.run(&format!("gallery --recon A=A X=X {gallery}")), @"
    exit 0, stderr:
    PixCorr: the scores of the runs.
    Stimuli differ: in 2 pairs shown here, X was scored against another stimulus.
    figure.svg: 1, 2
    ");
    assert!(dir.read("figure.svg").contains("Stimuli differ"));
    assert_snapshot!(dir.run(&format!("gallery --gt gt/X --recon A=A {gallery}")), @"
    exit 0, stderr:
    PixCorr: the scores of the runs.
    Stimuli differ: in 2 pairs shown here, A was scored against another stimulus.
    figure.svg: 1, 2
    ");
    assert_snapshot!(dir.run(&format!("gallery --gt gt/A --recon A=A B=A {gallery}")), @"
    exit 0, stderr:
    PixCorr: the scores of the runs.
    figure.svg: 1, 2
    ");
}
