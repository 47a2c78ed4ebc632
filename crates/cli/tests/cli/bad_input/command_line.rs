//! Requests that are contradictory or name things that do not exist: exit code 2, before anything is read or written.

use crate::support::*;

/// Two pairs of images, and captions for the first.
fn captioned() -> Folder {
    let dir = images(&["1", "2"]);
    dir.write("captions.json", r#"{"1": "a boat"}"#);
    dir
}

const IMAGES: &str = "score --gt gt --recon recon --out run";
const CAPTIONS: &str = "score --gt captions=captions.json --recon captions=captions.json --out run";

#[test]
fn metrics_that_do_not_exist_or_lack_their_inputs() {
    let dir = captioned();
    assert_snapshot!(dir.run(&format!("{IMAGES} --metrics ssim,sism")), @r#"exit 2, stderr: error: --metrics: no metric is called "sism" (did you mean "ssim"?); `neurogauge list metrics` lists all"#);
    dir.run(&format!("{IMAGES} --metrics ''")).says(&["no metric is called \"\"; known: pixcorr, "]);
    assert_snapshot!(dir.refusals(CAPTIONS, &["--metrics object_f1", "--metrics seed", "--metrics effnet"], "run"), @"
    --metrics object_f1
      exit 2, stderr: error: object_f1 needs detections of both sides (--observations, or --gt detections=PATH and --recon detections=PATH), or images of both sides (--gt, --recon) and --detector MODEL
    --metrics seed
      exit 2, stderr: error: effnet needs efficientnet_b1.avgpool.npy or efficientnet_b1.npy or effnet.npy in the features folders of both sides (--observations, or --gt features=DIR and --recon features=DIR), or images of both sides (--gt, --recon)
    --metrics effnet
      exit 2, stderr: error: effnet needs efficientnet_b1.avgpool.npy or efficientnet_b1.npy or effnet.npy in the features folders of both sides (--observations, or --gt features=DIR and --recon features=DIR), or images of both sides (--gt, --recon)
    ");
}

#[test]
fn one_side_only_and_no_side_at_all() {
    let table = r#"
    run --gt gt
      exit 2, stderr: error: images are given for the stimuli ([DIR]/gt) but not for the reconstructions; add --recon
    run --recon recon
      exit 2, stderr: error: images are given for the reconstructions ([DIR]/recon) but not for the stimuli; add --gt
    run --gt captions=gt
      exit 2, stderr: error: captions are given for the stimuli ([DIR]/gt) but not for the reconstructions; add --recon captions=FILE
    run --recon detections=gt
      exit 2, stderr: error: detections are given for the reconstructions ([DIR]/gt) but not for the stimuli; add --gt detections=PATH
    run --gt features=gt
      exit 2, stderr: error: features are given for the stimuli ([DIR]/gt) but not for the reconstructions; add --recon features=DIR
    run
      exit 2, stderr: error: nothing to score: give --gt and --recon (images), --observations, or captions, detections or features of both sides; --out RUN keeps the run in a folder
    run --observations gt
      exit 2, stderr: error: --observations [DIR]/gt: it has no folder "gt"; expected gt/ and recon/ inside (captions.json, detections/, vlm_categories.json, image_texts.json, masks/, categories/, features/, scene_graphs.json; recon/vqa_scores.json), or SEED's layout (gt_detection_results/preds/, recon_detection_results/preds/, intermediate_results/)
    run --observations missing
      exit 2, stderr: error: --observations [DIR]/missing: no such folder
    "#;
    captioned().refuses("score -q --out", "run", table);
}

#[test]
fn option_values_out_of_range() {
    let dir = folder_of(small_dataset);
    let start = "score --observations . --out run";
    let table = r#"
    --level 1.5
      exit 2, stderr: error: invalid value '1.5' for '--level <LEVEL>': expected a number between 0 and 1, exclusive, for example 0.95
    --level nan
      exit 2, stderr: error: invalid value 'nan' for '--level <LEVEL>': expected a number between 0 and 1, exclusive, for example 0.95
    --resamples 0
      exit 2, stderr: error: invalid value '0' for '--resamples <N>': expected a whole number from 1 to 10000000
    --resamples -5
      exit 2, stderr: error: invalid value '-5' for '--resamples <N>': expected a whole number from 1 to 10000000
    --resamples 1000000000000000000
      exit 2, stderr: error: invalid value '1000000000000000000' for '--resamples <N>': expected a whole number from 1 to 10000000
    --seed tuesday
      exit 2, stderr: error: invalid value 'tuesday' for '--seed <SEED>': expected a whole number from 0 on
    --seed -5
      exit 2, stderr: error: invalid value '-5' for '--seed <SEED>': expected a whole number from 0 on
    --set pixel_size=0
      exit 2, stderr: error: invalid value 'pixel_size=0' for '--set <ID=VALUE>': pixel_size is "0": expected a whole number from 1 to 10000, or own
    --set pixel_size=1000000000
      exit 2, stderr: error: invalid value 'pixel_size=1000000000' for '--set <ID=VALUE>': pixel_size is "1000000000": expected a whole number from 1 to 10000, or own
    --set first_size=1000000000
      exit 2, stderr: error: invalid value 'first_size=1000000000' for '--set <ID=VALUE>': first_size is "1000000000": expected a whole number from 1 to 10000
    --set min_box_area=-1
      exit 2, stderr: error: invalid value 'min_box_area=-1' for '--set <ID=VALUE>': min_box_area is "-1": expected a finite number, 0 or more
    --set snm_threshold=30
      exit 2, stderr: error: invalid value 'snm_threshold=30' for '--set <ID=VALUE>': snm_threshold is "30": expected a confidence from 0 to 1
    --set sdm_f1_above=nan
      exit 2, stderr: error: invalid value 'sdm_f1_above=nan' for '--set <ID=VALUE>': sdm_f1_above is "nan": expected a finite number
    --set sdm_gap_above=inf
      exit 2, stderr: error: invalid value 'sdm_gap_above=inf' for '--set <ID=VALUE>': sdm_gap_above is "inf": expected a finite number
    --set image_size=425
      exit 2, stderr: error: invalid value 'image_size=425' for '--set <ID=VALUE>': image_size is "425": expected WIDTHxHEIGHT in px, for example 425x425
    --set box_scale=0x5
      exit 2, stderr: error: invalid value 'box_scale=0x5' for '--set <ID=VALUE>': box_scale is "0x5": expected WIDTHxHEIGHT in px, for example 425x425
    --preset offical
      exit 2, stderr:
      error: invalid value 'offical' for '--preset <PRESET,...>'
        [possible values: official, paper, exact, nsd8-mindeye2, nsd8-native, published, basic, capture, mindeye1, mindeye2, atm, mindbridge, neuropictor, brain-diffuser, mirage, mindvideo, neurons, cinebrain]

        tip: a similar value exists: 'official'
    --set object_variant=colour
      exit 2, stderr: error: invalid value 'object_variant=colour' for '--set <ID=VALUE>': object_variant is "colour": expected one of existence, size, location, number
    --set references=median
      exit 2, stderr: error: invalid value 'references=median' for '--set <ID=VALUE>': references is "median": expected one of mean, max, first (did you mean "mean"?)
    --set pixelsize=3
      exit 2, stderr: error: invalid value 'pixelsize=3' for '--set <ID=VALUE>': no convention is called "pixelsize" (did you mean "pixel_size"?)
    --pixel-size 256
      exit 2, stderr: error: unexpected argument '--pixel-size': it is a convention; use --set pixel_size=256
    --image-models placeholder
      exit 2, stderr: error: unexpected argument '--image-models': it is a convention; use --set image_models=placeholder
    --gt-captions a.json
      exit 2, stderr: error: unexpected argument '--gt-captions': use --gt captions=a.json
    --vqa-scores
      exit 2, stderr: error: unexpected argument '--vqa-scores': use --recon vqa-scores=FILE
    --gt caption=a.json
      exit 2, stderr: error: invalid value 'caption=a.json' for '--gt <[KIND=]PATH>': no kind of files is called "caption" (did you mean "captions"?); expected one of images, captions, detections, vlm-categories, image-texts, masks, categories, features, scene-graphs
    --gt captions=a.json --gt captions=b.json
      exit 2, stderr: error: --gt captions=FILE is given twice
    --format xml
      exit 2, stderr:
      error: invalid value 'xml' for '--format <FORMAT>'
        [possible values: table, json, csv, markdown, latex]
    --labels klingon
      exit 2, stderr: error: --labels "[DIR]/klingon": neither a built-in list (coco_gender, coco, god) nor a file
    --threads 0
      exit 2, stderr: error: invalid value '0' for '--threads <N>': expected a whole number from 1 to 1024
    --weights /nope
      exit 2, stderr: error: invalid value '/nope' for '--weights <DIR>': /nope: no such folder; expected one that exists
    "#;
    dir.refuses(start, "run", table);
    // Negative numbers are allowed if they make sense.
    dir.succeed(&format!("{start} --set sdm_gap_above=-0.5 --set text_encoder=placeholder"));
}

#[test]
fn a_folder_in_the_place_of_a_file_is_called_one() {
    let dir = captioned();
    dir.succeed(&format!("{IMAGES} --metrics pixcorr"));
    let table = "
    meta --human run --metrics run --out out
      exit 2, stderr: error: run: a folder of a run, which belongs to --metrics; --human takes a file of people's ratings: a table (.csv, .tsv, .txt) or .npy
    meta --human . --metrics run/scores.csv --out out
      exit 2, stderr: error: .: a folder; --human takes a file of people's ratings: a table (.csv, .tsv, .txt) or .npy
    study --config run --out out
      exit 1, stderr: error: run: is a folder; expected a file
    score --from-run . --out out
      exit 1, stderr: error: ./run.json: not found; expected a JSON file
    ";
    dir.refuses("", "out", table);
    // A run's folder can replace the path of its run.json.
    dir.succeed("score --from-run run --out out");
}

#[test]
fn nothing_is_promised_of_a_folder_without_a_plan() {
    assert_snapshot!(folder().refusals("", &["cluster finish .", "cluster finish nowhere", "cluster work . --shard 1/2"], "nowhere"), @"
    cluster finish .
      exit 1, stderr: error: ./plan.json: not found; expected a folder with a plan.json, and a request.json of an alignment (written by `neurogauge cluster plan`)
    cluster finish nowhere
      exit 1, stderr: error: nowhere/plan.json: not found; expected a folder with a plan.json, and a request.json of an alignment (written by `neurogauge cluster plan`)
    cluster work . --shard 1/2
      exit 1, stderr: error: ./plan.json: not found; expected a folder with a plan.json, and a request.json of an alignment (written by `neurogauge cluster plan`)
    ");
}

#[test]
fn commands_that_are_incomplete() {
    // Of the options that a record excludes, the message names only those on the command line.
    let table = r#"
    compare .
      exit 2, stderr:
      error: 2 values required by '<RUN> <RUN>...'; only 1 was provided

      Usage: neurogauge compare [OPTIONS] <RUN> <RUN>...
    models fetch loudness
      exit 2, stderr: error: nothing is called "loudness"; expected a model (`neurogauge list models` lists them), a metric that uses models, a list of metrics (nsd8, seed, basic and others of --metrics), or the folder of a plan or run
    models verify loudness
      exit 2, stderr: error: no model is called "loudness"; `neurogauge list models` lists all
    score embeddings a.npy b.npy --identification-ties half
      exit 2, stderr: error: unexpected argument '--identification-ties': it is a convention; use --set identification_ties=half
    measure
      exit 2, stderr:
      error: unrecognized subcommand 'measure'

        tip: some similar subcommands exist: 'compare', 'meta'

      Usage: neurogauge [OPTIONS] <COMMAND>
    score --from-run run.json --metrics ssim --set pixel_size=64 --seed 3
      exit 2, stderr:
      error: the argument '--from-run <RUN>' cannot be used with:
        --metrics <LIST>
        --set <ID=VALUE>
        --seed <SEED>

      Usage: neurogauge score --from-run <RUN> [GT] [RECON]
    "#;
    folder().refuses("", "b", table);
}

#[test]
fn the_long_help_says_where_progress_goes_and_what_a_file_of_categories_is() {
    let dir = folder();
    contains(&dir.succeed("score --help all").stdout, &["on stderr: bar (on a terminal only)"]);
    for (command, option) in [("score", "--gt categories=PATH"), ("perceive", "--categories <")] {
        let help = dir.succeed(&format!("{command} --help all")).stdout;
        let about = &help[help.find(option).unwrap()..];
        assert!(about[..600].contains("{\"foreground_objects\":"), "{command} {about:.600}");
    }
}
