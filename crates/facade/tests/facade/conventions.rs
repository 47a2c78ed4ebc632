//! The table of conventions: every option that decides a number is in it, and what it says of each holds.

use neurogauge::{
    Convention, ScorePreset, ScoreRequest, Setting, answer_of_section, conventions, find_convention, of_section,
    presets_that_set, reason_of_section,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Options that are set together with another, or by a preset alone.
const NOT_SET_ALONE: [&str; 4] =
    ["/objects/preset", "/basic_h/preset", "/near_miss/min_area_px2", "/n_way_accuracy/ties"];

/// The paths of all values that are no tables.
fn leaves(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                leaves(value, &format!("{path}/{name}"), found);
            }
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

/// A request in which this convention has another answer than by default.
fn changed(convention: &Convention) -> ScoreRequest {
    let default = ScoreRequest::with_all_models();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "dog\n").unwrap();
    let path = file.path().display().to_string();
    let further = ["1", "2", "0.5", "0.5,0.75", "3x4", "1:2:3", "best:2", "middle", "shuffled=2", "a text", &path];
    let values = convention.words.iter().map(String::as_str).chain(further);
    let requests = values.filter(|value| convention.check(value).is_ok()).map(|value| {
        let mut request = default.clone();
        request.set(&[Setting::new(convention.id, value).unwrap()]).unwrap();
        request
    });
    let mut other = requests.filter(|request| *request != default);
    other.next().unwrap_or_else(|| panic!("{}: no value changes a request", convention.id))
}

#[test]
fn every_option_of_metrics_is_a_convention() {
    let mut all = BTreeSet::new();
    let mut of_conventions = BTreeSet::new();
    let default = serde_json::to_value(ScoreRequest::with_all_models().options).unwrap();
    leaves(&default, "", &mut all);
    for convention in conventions() {
        let own = serde_json::to_value(changed(convention).options).unwrap();
        // A record may lack what is as it was before an option existed.
        let mut paths = all.clone();
        leaves(&own, "", &mut paths);
        of_conventions.extend(paths.into_iter().filter(|path| own.pointer(path) != default.pointer(path)));
    }
    let is_set = |path: &&String| {
        let below = format!("{path}/");
        of_conventions.iter().any(|own| own == *path || own.starts_with(&below))
            || NOT_SET_ALONE.contains(&path.as_str())
    };
    let missing: Vec<&String> = all.iter().filter(|path| !is_set(path)).collect();
    assert!(
        missing.is_empty(),
        "no convention decides {missing:?}; add entries to crates/facade/src/conventions"
    );
}

/// What can be set, its default, and what presets set instead: a line below the question that it answers.
fn line(convention: &Convention) -> String {
    let Convention { id, form, .. } = convention;
    let mut answers: Vec<(String, String)> = Vec::new();
    for (preset, answer) in presets_that_set(convention) {
        match answers.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, names)) => *names += &format!(", {preset}"),
            None => answers.push((answer, preset)),
        }
    }
    let of_presets = answers.iter().map(|(answer, names)| format!("; {answer}: {names}")).collect::<String>();
    format!("    - `{id}={form}` ({}{of_presets})\n", convention.default())
}

/// With `NEUROGAUGE_WRITE=1`, the lines are written.
#[test]
fn the_index_of_the_documentation_says_what_can_be_set() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/conventions/index.md");
    let index = std::fs::read_to_string(&path).unwrap();
    let mut text = String::new();
    for own in index.lines().filter(|own| !own.starts_with("    - `")) {
        text += &format!("{own}\n");
        if let Some((section, _)) = own.strip_prefix("- [`").and_then(|rest| rest.split_once('`')) {
            text.extend(of_section(section).map(line));
        }
    }
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(index == text || std::env::var_os("NEUROGAUGE_WRITE").is_some(), "index.md: run `make written`");
    for Convention { id, section, .. } in conventions() {
        assert!(text.contains(&format!("\n- [`{section}`](")), "{id}: the index has no question of {section}");
    }
    let ids: BTreeSet<&str> = conventions().map(|convention| convention.id).collect();
    assert_eq!(ids.len(), conventions().count(), "an id is in the table twice");
}

#[test]
fn a_value_is_what_it_is_said_to_be() {
    let default = ScoreRequest::with_all_models();
    for convention in conventions() {
        let request = changed(convention);
        // The answer of a run, set again, makes the same run.
        if convention.id == "basic_stop_words" {
            continue;
        }
        let answer = convention.answer(&request).unwrap();
        let mut again = default.clone();
        again.set(&[Setting::new(convention.id, &answer).unwrap()]).unwrap();
        assert_eq!(again, request, "{} {answer}", convention.id);
    }
}

#[test]
fn presets_are_compared_with_the_default() {
    let of = |id: &str| presets_that_set(find_convention(id).unwrap());
    let is_answer = |id: &str, preset: &str, answer: &str| {
        assert!(of(id).contains(&(preset.to_owned(), answer.to_owned())), "{id}: {:?}", of(id));
    };
    is_answer("pixel_size", "mirage", "512");
    is_answer("first_size", "mindeye2", "256");
    is_answer("basic_containment", "capture", "substring");
    assert!(of("mask_empty").is_empty());
}

/// The page of a run says what the run did, and not what it would have done by default.
#[test]
fn the_answer_to_a_question_is_that_of_the_run() {
    let mut request = ScoreRequest::default();
    request.apply_presets(&[ScorePreset::Nsd8Native, ScorePreset::Capture]).unwrap();
    request.set(&[Setting::new("pixel_size", "256").unwrap()]).unwrap();
    request.text_encoder = "all-mpnet-base-v2".to_owned();
    let answer = |id| answer_of_section(id, &request);
    assert_eq!(answer("image-presets"), "as nsd8-native");
    assert!(answer("lpips-size").starts_with("pixel_size 256"), "{}", answer("lpips-size"));
    assert_eq!(answer("cap-sim-encoder"), "text_encoder all-mpnet-base-v2");
    assert_eq!(answer("basic-presets"), "capture");
    assert_eq!(answer("psnr-identical"), "PSNR of identical images is undefined, not infinite");
    assert!(answer("ssim-flavour").starts_with("SSIM is that of grey images"), "{}", answer("ssim-flavour"));
}

/// The released codes that answer as a run does are those whose presets set the same values.
#[test]
fn an_answer_says_whose_it_is() {
    let mut request = ScoreRequest::default();
    let reason = |id, request: &ScoreRequest| reason_of_section(id, request, &["ssim", "pixcorr"]);
    let said = |id, request: &ScoreRequest| reason(id, request).unwrap();
    // Of those that compare 425 px without another step, Brain-Diffuser squashes; those of videos compare frames as they are.
    assert_eq!(said("pixel-size", &request), "as in the released code of mindbridge");
    request.apply_presets(&[ScorePreset::Mindeye2]).unwrap();
    assert_eq!(said("pixel-size", &request), "as in the released code of mindeye1, mindeye2, atm and neuropictor");
    request.set(&[Setting::new("pixel_size", "256").unwrap()]).unwrap();
    assert_eq!(
        said("pixel-size", &request),
        "chosen for this run; by default pixel_size 425, first_size none, proportions kept"
    );
    assert_eq!(reason_of_section("cap-sim-encoder", &request, &["cap_sim"]).unwrap(), "the default");
    assert_eq!(reason("psnr-identical", &request), None);
}
