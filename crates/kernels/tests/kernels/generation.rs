//! Compares a model whose logits are rows of a table with transformers' `generate` on the same tables.

use candle_core::Result as EngineResult;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::generation::top_k::top_k;
use neurogauge_kernels::generation::*;
use neurogauge_kernels::internals::{penalise, search_beams};
use serde_json::Value;
use std::num::NonZeroUsize;

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/generation.json");
    serde_json::from_slice(&std::fs::read(path).expect(path)).unwrap()
}

fn uniform(name: &str, n: usize) -> Vec<f32> {
    let source = Synthetic::new(name, 0);
    (0..n as u64).map(|index| source.uniform(index)).collect()
}

/// The counterpart of the reference script's model.
struct Table {
    values: Vec<f32>,
    n_states: usize,
    vocab_size: usize,
}

impl Table {
    fn new(name: &str, options: &Value) -> Table {
        let number = |key: &str| options[key].as_f64();
        let n_states = number("n_states").unwrap() as usize;
        let vocab_size = number("vocab_size").unwrap() as usize;
        let mut values = uniform(&format!("table {name}"), n_states * vocab_size);
        let ends = ends(options);
        for (index, value) in values.iter_mut().enumerate() {
            if let Some(levels) = number("levels") {
                *value = (*value * levels as f32).floor();
            }
            *value *= number("scale").unwrap() as f32;
            if ends.contains(&((index % vocab_size) as u32)) {
                *value += number("end_bias").unwrap() as f32;
            }
        }
        Table {
            values,
            n_states,
            vocab_size,
        }
    }

    fn after(&self, state: usize, token: u32) -> usize {
        (31 * state + token as usize + 7) % self.n_states
    }
}

fn ends(options: &Value) -> Vec<u32> {
    serde_json::from_value(options["ends"].clone()).unwrap()
}

impl Decoder for Table {
    type State = Vec<usize>;

    fn architecture(&self) -> &'static str {
        "table"
    }

    fn append(&self, state: &mut Vec<usize>, tokens: &[u32]) -> EngineResult<Vec<f32>> {
        assert_eq!(state.len(), tokens.len());
        let mut logits = Vec::new();
        for (state, &token) in state.iter_mut().zip(tokens) {
            *state = self.after(*state, token);
            logits.extend_from_slice(&self.values[*state * self.vocab_size..][..self.vocab_size]);
        }
        Ok(logits)
    }

    fn rearrange(&self, state: &mut Vec<usize>, rows: &[usize]) -> EngineResult<()> {
        *state = rows.iter().map(|&row| state[row]).collect();
        Ok(())
    }
}

fn options(case: &Value, ends: Vec<u32>) -> GenerationOptions {
    GenerationOptions {
        n_beams: serde_json::from_value(case["beams"].clone()).unwrap(),
        max_new_tokens: case["max_new_tokens"].as_u64().unwrap() as usize,
        length_penalty: case["penalty"].as_f64().unwrap(),
        early_stopping: match case["early"].as_str().unwrap() {
            "full" => EarlyStopping::WhenFull,
            "unlikely" => EarlyStopping::WhenUnlikelyToImprove,
            _ => EarlyStopping::WhenNoneCanImprove,
        },
        ends,
    }
}

/// Calls `check` with the model, the options, the first tokens and the case.
fn each_case(check: impl Fn(&Table, &GenerationOptions, &[u32], &Value)) {
    let golden = golden();
    for case in golden["cases"].as_array().unwrap() {
        let name = case["table"].as_str().unwrap();
        let table = &golden["tables"][name];
        let first: Vec<u32> = serde_json::from_value(case["first"].clone()).unwrap();
        let options = options(case, ends(table));
        check(&Table::new(name, table), &options, &first, case);
    }
}

#[test]
fn ids_and_scores_are_those_of_transformers() {
    each_case(|table, options, first, case| {
        let expected: Vec<Vec<u32>> = serde_json::from_value(case["ids"].clone()).unwrap();
        let ids = generate(table, vec![0; first.len()], first, options).unwrap();
        assert_eq!(ids, expected, "{case}");
        let scores: Vec<f32> = serde_json::from_value(case["scores"].clone()).unwrap();
        if scores.is_empty() {
            return;
        }
        let texts = search_beams(table, vec![0; first.len()], first, options).unwrap();
        for (text, score) in texts.iter().zip(&scores) {
            let error = (text.score - score).abs();
            assert!(error <= 2e-6 * score.abs(), "{} {score}", text.score);
        }
    });
}

#[test]
fn an_input_s_ids_depend_on_it_alone() {
    each_case(|table, options, first, _| {
        let together = generate(table, vec![0; first.len()], first, options).unwrap();
        for (token, ids) in first.iter().zip(together) {
            let alone = generate(table, vec![0], &[*token], options).unwrap();
            assert_eq!(alone, [ids]);
        }
    });
}

#[test]
fn equal_values_come_in_the_order_of_torch() {
    for case in golden()["top_k"].as_array().unwrap() {
        let number = |key: &str| case[key].as_u64().unwrap() as usize;
        let (n, k) = (number("n"), number("k"));
        let mut values = uniform(&format!("top_k {n} {k}"), n);
        for value in &mut values {
            *value = (*value * number("levels") as f32).floor();
        }
        let expected: Vec<usize> = serde_json::from_value(case["places"].clone()).unwrap();
        assert_eq!(top_k(&values, k), expected, "{n} {k}");
    }
}

/// Descending lists make every partition as uneven as possible.
#[test]
fn the_largest_values_come_first_however_they_lie() {
    for n in [1, 2, 17, 100, 1000, 3000] {
        for k in [1, 2, 15, 40, 999] {
            for step in [1, 7, n - 1, n + 1] {
                let values: Vec<f32> = (0..n).map(|i| (i * step % n) as f32).collect();
                let mut sorted = values.clone();
                sorted.sort_by(|a, b| b.total_cmp(a));
                let best: Vec<f32> = top_k(&values, k).iter().map(|&i| values[i]).collect();
                assert_eq!(best, sorted[..k.min(n)], "{n} {k} {step}");
            }
        }
    }
    assert!(top_k(&[], 3).is_empty());
}

/// By hand: the first token is 0 with probability 0.6, and is followed by 0 or 1 with 0.5 each; after a 1 (0.4)
/// comes a 1 with 0.9. So 0 0 has 0.3 and 1 1 has 0.36.
#[test]
fn a_beam_finds_what_greed_misses() {
    let row = |first: f32, second: f32| [first.ln(), second.ln(), f32::NEG_INFINITY];
    let mut values = [row(0.5, 0.5); 10];
    // The states before the first token, after a 0 and after a 1: 7, (31 * 7 + 7) % 10 = 4, and 5.
    (values[7], values[4], values[5]) = (row(0.6, 0.4), row(0.5, 0.5), row(0.1, 0.9));
    let model = Table {
        values: values.concat(),
        n_states: 10,
        vocab_size: 3,
    };
    let mut options = GenerationOptions {
        n_beams: NonZeroUsize::MIN,
        max_new_tokens: 2,
        length_penalty: 1.0,
        early_stopping: EarlyStopping::WhenFull,
        ends: Vec::new(),
    };
    assert_eq!(generate(&model, vec![0], &[0], &options).unwrap(), [[0, 0]]);
    options.n_beams = options.n_beams.saturating_add(1);
    let best = search_beams(&model, vec![0], &[0], &options).unwrap();
    assert_eq!(best[0].ids, [1, 1]);
    assert!((best[0].score - 0.36_f32.ln() / 2.0).abs() < 1e-6);
}

#[test]
fn nothing_to_write_is_nothing_written() {
    each_case(|table, options, first, _| {
        let none = GenerationOptions {
            max_new_tokens: 0,
            ..options.clone()
        };
        let empty = vec![Vec::<u32>::new(); first.len()];
        assert_eq!(generate(table, vec![0; first.len()], first, &none).unwrap(), empty);
        assert!(generate(table, Vec::new(), &[], options).unwrap().is_empty());
    });
}

#[test]
fn logits_that_are_no_distribution_are_refused() {
    for (value, reason) in [
        (f32::NAN, "no finite number"),
        (f32::INFINITY, "no finite number"),
        (f32::NEG_INFINITY, "rule out every token"),
    ] {
        each_case(|table, options, first, _| {
            let broken = Table {
                values: vec![value; table.values.len()],
                ..*table
            };
            let error = generate(&broken, vec![0; first.len()], first, options).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("logits of token 1"), "{message}");
            assert!(message.contains(reason), "{message}");
        });
    }
}

#[test]
fn what_was_seen_is_less_likely_once_whatever_its_sign() {
    let mut logits = [3.0, -1.0, 2.0, -4.0];
    penalise(&mut logits, [0, 3, 0, 3, 99].into_iter(), 2.0);
    assert_eq!(logits, [1.5, -1.0, 2.0, -8.0]);
}
