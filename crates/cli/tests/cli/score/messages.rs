//! Messages on stderr: their number, progress, and colours.

use crate::support::*;

#[test]
fn quiet_says_nothing_but_the_table_and_verbose_says_what_is_read() {
    let dir = images(&["1", "2", "3"]);
    dir.write("captions.json", r#"{"1": "a boat", "2": "a dog", "3": "a cat"}"#);
    let captions = "--gt captions=captions.json --recon captions=captions.json --set text_encoder=placeholder";
    let score = |option: &str| {
        let ran = dir.succeed(&format!("score gt recon {captions} --out run {option}"));
        dir.remove("run");
        ran
    };
    // A regression snapshot of its numbers.
    let usual = score("");
    assert_snapshot!(usual, @"
    exit 0, stdout:
    run: 3 pairs
    System: run

    Metric         mean  95% interval    n  undefined
    Low-Level
      PixCorr ↑   0.971  [0.919, 1.000]  3          0
      SSIM ↑      0.862  [0.654, 1.000]  3          0
      PSNR ↑      27.21  [17.76, 36.66]  3          0
    Semantic
      Cap-Sim ↑†  1.000  -               3          0

    no interval, no spread: the values are equal, or all of one stimulus: Cap-Sim

    † rests on a placeholder model: the number shows that the pipeline runs and means nothing else
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 3 pairs: no test of two systems can reach p < 0.25, and 95% intervals are at least ±4.3 standard errors wide (large n: ±2.0).
    PixCorr, SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr:
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    note: left out, for want of weights: alexnet2, alexnet5, inception, clip, effnet, swav, alexnet2_correlation, alexnet5_correlation, inception_correlation, clip_correlation. `neurogauge models fetch alexnet inception_v3 clip_vit_l_14 efficientnet_b1 swav_resnet50` gets them, and so does asking for a metric by name with --metrics
    run: 3 pairs scored
    ");
    let quiet = score("-q");
    assert_eq!((quiet.stderr, &quiet.stdout), (String::new(), &usual.stdout));
    let verbose = score("-v");
    assert_eq!(verbose.stdout, usual.stdout);
    assert_snapshot!(Ran { stdout: String::new(), ..verbose }, @"
    exit 0, stderr:
    reading gt/images: 3 of 3 in [TIME]
    reading recon/images: 3 of 3 in [TIME]
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    note: left out, for want of weights: alexnet2, alexnet5, inception, clip, effnet, swav, alexnet2_correlation, alexnet5_correlation, inception_correlation, clip_correlation. `neurogauge models fetch alexnet inception_v3 clip_vit_l_14 efficientnet_b1 swav_resnet50` gets them, and so does asking for a metric by name with --metrics
    gt/images: 3 items of [DIR]/gt
    recon/images: 3 items of [DIR]/recon
    gt/captions: 1 item of [DIR]/captions.json
    recon/captions: 1 item of [DIR]/captions.json
    model hashed-words: a placeholder, without weights
    comparing images: 3 of 3 in [TIME]
    loading hashed-words
    embedding captions: 3 of 3 in [TIME]
    run: 3 pairs scored
    ");
    // Errors are printed with any option.
    assert_snapshot!(dir.run("-q score nowhere recon --out run"), @"exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file");

    // Progress does not report steps of less than a second.
    for how in ["--progress plain", "--progress none", "", "--progress plain -q"] {
        let ran = dir.succeed(&format!("score gt recon --metrics ssim --out run {how}"));
        assert!(!ran.stderr.contains('%'), "{how}: {ran}");
        dir.remove("run");
    }
}

#[test]
fn colours_are_for_terminals_and_for_whoever_forces_them() {
    let dir = folder();
    let said = |line: &str, variables: &[(&str, &str)]| {
        let mut command = dir.command(line, "cache");
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let refused = "score nowhere nothing --out run";
    assert!(said(refused, &[]).starts_with("error: "));
    let coloured = said(refused, &[("CLICOLOR_FORCE", "1")]);
    assert!(coloured.starts_with("\u{1b}[") && coloured.contains("31m"), "{coloured:?}");
    // The same rule as for clap's own messages.
    let is_coloured = |line: &str| said(line, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}');
    assert_eq!(is_coloured(refused), is_coloured("score --nonsense"));
    assert!(!said(refused, &[("NO_COLOR", "1")]).contains('\u{1b}'));
}
