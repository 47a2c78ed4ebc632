//! The commands' documentation: short and long help, pages of metrics, completions, manual pages.

use crate::support::*;

fn printed(line: &str) -> String {
    folder().succeed(line).stdout
}

#[test]
fn the_short_help_has_what_is_needed_every_day() {
    for (command, rare) in [
        ("score", "--gt scene-graphs=FILE"),
        ("perceive", "--weight-precision"),
        ("meta", "--permutations"),
        ("align", "--null-select"),
        ("cluster plan score", "--gt scene-graphs=FILE"),
        ("cluster plan perceive", "--weight-precision"),
        ("cluster plan align", "--null-select"),
    ] {
        let help = |option: &str| printed(&format!("{command} {option}"));
        let (short, long) = (help("--help"), help("--help all"));
        assert_eq!(short, help("-h"), "{command}");
        let options = |text: &str| text.lines().filter(|line: &&str| line.trim_start().starts_with('-')).count();
        let n_options = options(&short);
        assert!(n_options <= 21, "{command}: {n_options} options\n{short}");
        assert!(short.lines().count() <= 75, "{command}: {short}");
        assert!(!short.contains(rare) && long.contains(rare), "{command}");
        let example = format!("\n    neurogauge {command} ");
        assert_eq!(short.matches(&example).count(), if command.starts_with("cluster") { 1 } else { 2 }, "{short}");
        assert!(short.contains(&format!("`neurogauge {command} --help TOPIC` shows the rest")), "{short}");
    }
    // Options are grouped under headings.
    let long = printed("score --help all");
    let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
    let headings: Vec<&str> = long.lines().filter(is_heading).collect();
    assert_snapshot!(headings.join(" "), @"Commands: Inputs: Observations: Output: Metrics: Models behind a server: BASIC-L: Intervals: Models: General: Files of what was observed: Files, and the parts of items (--set): Pixels, and images for models (--set): Identification and classification (--set): Objects (--set): Captions (--set): BASIC-H (--set): BASIC-L (--set): Answers of vision-language models (--set): Intervals, and levels of chance (--set):");
}

#[test]
fn rare_options_and_conventions_are_shown_by_topic() {
    let captions = printed("score --help captions");
    let own = [
        "--set references=mean|max|first",
        "[default: mean]",
        "--set caption_beams=N",
        "--recon captions=FILE",
    ];
    contains(&captions, &own);
    assert!(!captions.contains("--gt masks=PATH") && !captions.contains("pixel_size"), "{captions}");
    assert!(printed("score --help observations").contains("--gt masks=PATH"));
    // A command shows only the conventions that it takes.
    assert!(!printed("perceive --help captions").contains("references"));
    assert_snapshot!(folder().run("score --help sounds"), @r#"exit 2, stderr: error: neurogauge score has no help on "sounds"; expected inputs, observations, output, metrics, models-behind-a-server, basic-l, intervals, models, pixels, identification, objects, captions, basic-h or all"#);
}

/// Options of `score`, beside those of every command.
#[test]
fn score_has_few_options_beside_its_conventions() {
    let top = neurogauge_command::command();
    let score = top.find_subcommand("score").unwrap();
    assert!(score.get_arguments().filter(|arg| arg.get_long().is_some()).count() <= 60);
}

#[test]
fn the_commands_are_grouped_a_line_each() {
    let help = printed("-h");
    let headings: Vec<&str> = help.lines().filter(|line| line.ends_with(':')).collect();
    let groups = ["Score:", "People:", "Brains:", "Many machines:", "Help:"];
    assert_eq!(headings, [&groups[..], &["Options:"]].concat(), "{help}");
    let (commands, options) = help.split_once("\nOptions:\n").unwrap();
    for line in commands.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let of = |group: &str| {
        let (_, below) = commands.split_once(&format!("\n{group}\n")).unwrap();
        let lines = below.lines().take_while(|line| !line.is_empty());
        lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("People:"), ["meta", "survey", "study"]);
    assert_eq!(of("Many machines:"), ["cluster"]);
    contains(options, &["-h, --help", "-V, --version", "--threads <N>", "-q, --quiet"]);
    assert!(help.lines().count() <= 60, "{help}");
}

/// Checks the help of a command and of its subcommands.
fn check_words(command: &mut clap::Command) {
    let help = command.render_long_help().to_string();
    assert!(!help.contains("stand-in"), "{help}");
    command.get_subcommands_mut().for_each(check_words);
}

#[test]
fn models_without_weights_are_called_placeholders() {
    check_words(&mut neurogauge_command::command());
    let long = printed("score --help all");
    contains(&long, &["`placeholder-captioner`", "--set image_models=own|placeholder"]);
}

#[test]
fn the_short_help_of_a_study_fits_a_screen() {
    let short = printed("study -h");
    assert!(short.lines().count() <= 40, "{short}");
    contains(&short, &["--config", "--human", "neurogauge study --gt", "--help TOPIC` shows"]);
    assert!(printed("study --help all").contains("--figure-width") && !short.contains("--figure-width"));
}

#[test]
fn metrics_are_listed_and_described() {
    let list = printed("list metrics");
    let some = ["pixcorr", "clip", "effnet", "salient_iou", "lpips_alex"];
    let is_one = |line: &&str| line.split_whitespace().next().is_some_and(|id| some.contains(&id));
    let lines: Vec<&str> = list.lines().filter(is_one).collect();
    assert_snapshot!(lines.join("\n"), @"
    pixcorr     Pearson correlation of the pixel values                                     higher  yes
    lpips_alex  Weighted distance of AlexNet's features, layer by layer and place by place  lower   weights of alexnet; its linear heads (--lpips-heads FILE)
    clip                              Identification by CLIP ViT-L/14 image embeddings                                                                            higher  weights of clip_vit_l_14
    effnet                            Correlation distance of EfficientNet-B1 features                                                                            lower   weights of efficientnet_b1
    salient_iou            Overlap of all foreground objects, as one mask                                      higher  masks of both sides (or categories and --masks MODEL)
    ");
    let nsd8 = printed("list metrics nsd8");
    assert!(nsd8.starts_with("8 metrics"), "{nsd8}");

    let page = printed("list metrics ssim");
    contains(
        &page,
        &[
            "SSIM (ssim)",
            "Wang et al. 2004, equation 13",
            "range        -1 to 1",
            "better       higher",
            "images of both sides (--gt, --recon)",
            "undefined    an image with a non-finite value.",
            "reference    skimage.metrics.structural_similarity 0.26",
            "convention   pixel-size: At what size are pixels compared? --set pixel_size=PX|own",
            "convention   ssim-flavour: Which of the many variants of SSIM is this? --set",
            "nsd8-native: ",
            "neurogauge score stimuli/ reconstructions/ --metrics ssim",
        ],
    );
    assert!(!page.contains("assert") && !page.contains("MetricError"), "{page}");
    let json = folder().succeed("list metrics clip --format json").json();
    assert_eq!(json[0]["chance"], 0.5);
    assert_eq!(json[0]["missing"], serde_json::json!(["weights of clip_vit_l_14"]));
    assert_snapshot!(folder().run("list metrics pixcor"), @r#"exit 2, stderr: error: no metric is called "pixcor" (did you mean "pixcorr"?); `neurogauge list metrics` lists all"#);
}

/// The page of every metric can be printed, and its example is a valid command line.
#[test]
fn every_metric_has_a_page_with_a_command_that_works() {
    let json = folder().succeed("list metrics --format json").json();
    let mut command = neurogauge_command::command();
    for entry in json.list() {
        let id = entry["id"].text();
        let example: Vec<&str> = entry["example"].text().split(' ').collect();
        assert!(command.try_get_matches_from_mut(&example).is_ok(), "{id}: {example:?}");
        assert!(example.contains(&id), "{example:?}");
    }
    let ids: Vec<&str> = json.list().iter().filter_map(|e| e["id"].as_str()).collect();
    for id in [ids[0], ids[ids.len() / 2], ids[ids.len() - 1]] {
        contains(&printed(&format!("list metrics {id}")), &[&format!("({id})")]);
    }
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = printed(&format!("help --completions {shell}"));
        assert!(script.contains("lpips-heads") && script.contains("perceive"), "{shell}");
    }
    let page = printed("help --man score");
    assert!(page.contains(".TH") && page.contains("weight\\-precision"), "{page}");
    assert!(printed("help --man").contains("neurogauge\\-align"));
    let dir = folder();
    assert_snapshot!(dir.refusals("", &["help --completions dos", "help --man scor"], "man1"), @r#"
    help --completions dos
      exit 2, stderr:
      error: invalid value 'dos' for '--completions <SHELL>'
        [possible values: bash, elvish, fish, powershell, zsh]
    help --man scor
      exit 2, stderr: error: neurogauge has no command "scor" (did you mean "score"?); it has report, board, list, models, doctor, cite, cache, demo, help, score, perceive, meta, study, align, check, audit, multiverse, gallery, compare, survey, cluster
    "#);
    dir.succeed("help --man --out man1");
    for page in ["neurogauge-cluster-plan-score.1", "neurogauge.1"] {
        assert!(dir.join("man1").join(page).exists(), "{page}");
    }
}
