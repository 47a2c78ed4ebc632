//! Malicious pickles, and round trips of any value.

use crate::prelude::*;
use neurogauge_formats::pickle::{Value, dump, load};

fn run(program: &[u8]) -> Result<Value, FormatError> {
    load(program, "captions.npy".as_ref())
}

/// The reason for refusing a pickle of protocol 4 with these opcodes.
fn refusal(opcodes: &[u8]) -> String {
    match run(&[b"\x80\x04", opcodes].concat()).unwrap_err() {
        FormatError {
            problem: Problem::Pickle { reason, .. },
            ..
        } => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn a_container_may_be_filled_after_it_was_put_into_another() {
    // In Python: outer = []; inner = {}; outer.append(inner); inner["a"] = 1
    let value = run(b"\x80\x04]\x94}\x94a0h\x01\x8c\x01aK\x01s0h\x00.").unwrap();
    let inner = Value::Dict(vec![(Value::Str("a".into()), Value::Int(1))]);
    assert_eq!(value, Value::List(vec![inner]));
}

#[test]
fn a_shared_value_comes_back_twice() {
    let value = run(b"\x80\x04\x8c\x01x\x94h\x00\x86.").unwrap();
    assert_eq!(value, Value::Tuple(vec![Value::Str("x".into()); 2]));
}

#[test]
fn names_outside_the_list_are_refused_however_they_are_spelt() {
    for program in [
        b"\x80\x02cos\nsystem\n(X\x04\x00\x00\x00echotR.".as_slice(),
        b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
        b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.",
        b"\x80\x02ctorch\n_utils._rebuild_tensor_v2\n.",
        b"\x80\x02ccollections\nOrderedDict.__reduce__\n.",
        b"\x80\x02cnumpy\n\n.",
    ] {
        refused(run(program), "not on the short list of harmless names");
    }
    // Extension codes, INST, OBJ, NEWOBJ, NEWOBJ_EX: opcodes that data does not need.
    for opcodes in [b"\x82\x01.".as_slice(), b"(ios\nsystem\n.", b"(o.", b"\x81.", b"\x92."] {
        assert!(refusal(opcodes).contains("is not one that data needs"));
    }
}

#[test]
fn texts_and_ordered_dicts_of_python_2_are_read() {
    let value = run(b"\x80\x02ccollections\nOrderedDict\n](](U\x01aK\x01ee\x85R.").unwrap();
    assert_eq!(value, Value::Dict(vec![(Value::Str("a".into()), Value::Int(1))]));
    let bytes = run(b"\x80\x02T\x02\x00\x00\x00\xff\xfe.").unwrap();
    assert_eq!(bytes, Value::Bytes(vec![0xff, 0xfe]));
}

#[test]
fn what_is_called_is_only_written_down() {
    let value = run(b"\x80\x02cnumpy\ndtype\nX\x02\x00\x00\x00f4\x85R.").unwrap();
    let expected = Value::Object {
        module: "numpy".into(),
        name: "dtype".into(),
        args: vec![Value::Str("f4".into())],
        state: None,
    };
    assert_eq!(value, expected);
}

#[test]
fn a_short_pickle_cannot_describe_a_huge_value() {
    // x = [[...], [...]] with the same list twice, 40 levels deep, would have 2 to the power of 40 values.
    let mut lists = b"]\x94".to_vec();
    let mut texts = b"X\x00\x00\x10\x00".to_vec();
    texts.extend(vec![b'a'; 1 << 20]);
    texts.extend(b"\x94(");
    for level in 0..40u8 {
        lists.extend([b'0', b']', 0x94, b'(', b'h', level, b'h', level, b'e']);
        texts.extend(b"h\x00h\x00");
    }
    lists.push(b'.');
    texts.extend(b"t.");
    assert!(refusal(&lists).contains("shared"));
    assert!(refusal(&texts).contains("shared"));
}

#[test]
fn a_value_within_itself_is_refused() {
    assert!(refusal(b"]\x94h\x00a.").contains("inside themselves"));
    // 64 nested lists are read, 65 are not.
    let nested = |n: usize| [[b']'; 100][..n].to_vec(), [b'a'; 99][..n - 1].to_vec(), b".".to_vec()].concat();
    assert!(run(&[b"\x80\x04".to_vec(), nested(65)].concat()).is_ok());
    assert!(refusal(&nested(66)).contains("64 deep"));
    assert!(refusal(&[[b']'; 100].as_slice(), &[b'a'; 99], b"."].concat()).contains("64 deep"));
}

#[test]
fn lengths_beyond_the_end_are_refused_before_anything_is_allocated() {
    for opcodes in [
        b"X\xff\xff\xff\xffabc".as_slice(),
        b"\x8d\xff\xff\xff\xff\xff\xff\xff\xffabc",
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7fabc",
        b"\x96\x00\x00\x00\x00\x00\x01\x00\x00abc",
        b"C\x04abc",
        b"U\x04abc",
        b"T\xff\xff\xff\xffabc",
        b"\x8b\xff\xff\xff\x7f",
        b"\x95\x00\x00",
        b"G\x00",
    ] {
        assert!(refusal(opcodes).contains("announced"), "{opcodes:?}");
    }
}

#[test]
fn programs_that_break_the_rules_are_refused() {
    for (opcodes, words) in [
        (b"".as_slice(), "cut short"),
        (b".", "missing from the stack"),
        (b"(.", "missing from the stack"),
        (b"N(0.", "missing from the stack"),
        (b"K\x01\x86.", "missing from the stack"),
        (b"t.", "no mark"),
        (b"h\x05.", "nothing was remembered as number 5"),
        (b"j\xff\xff\xff\xff.", "nothing was remembered"),
        (b"NNa.", "not a list"),
        (b"NNNs.", "not a dict"),
        (b"}(Nu.", "without a value"),
        (b"}(Nd.", "without a value"),
        (b"NNb.", "a state for something that has none"),
        (b"N)R.", "not a name"),
        (b"ccollections\nOrderedDict\nNR.", "without a tuple"),
        (b"NN\x93.", "a name that is not text"),
        (b"ccollections\nOrderedDict\n](K\x01K\x02e\x85R.", "than pairs"),
        (b"ccollections\nOrderedDict\n]]a\x85R.", "than pairs"),
        (b"ccollections", "a name without an end"),
        (b"X\x02\x00\x00\x00\xff\xfe.", "not UTF-8"),
        (b"\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01.", "beyond 64 bits"),
        (b"\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00.", "beyond 64 bits"),
        (b"c_codecs\nencode\nX\x01\x00\x00\x00aX\x05\x00\x00\x00utf-8\x86R.", "latin1"),
        (b"\x97.", "opcode 0x97"),
    ] {
        let reason = refusal(opcodes);
        assert!(reason.contains(words), "{opcodes:?}: {reason}");
    }
}

#[test]
fn other_protocols_are_refused_by_number() {
    for (program, words) in [
        (b"\x80\x06N.".as_slice(), "byte 2 of the pickle: protocol 6; expected 2 to 5"),
        (b"(lp0\n.", "not a pickle of protocol 2 to 5"),
    ] {
        let error = run(program).unwrap_err().to_string();
        assert!(error.starts_with("captions.npy: ") && error.contains(words), "{error}");
    }
}

#[test]
fn integers_of_every_width() {
    for (opcodes, expected) in [
        (b"K\xff".as_slice(), 255),
        (b"M\xff\xff", 65535),
        (b"J\xff\xff\xff\xff", -1),
        (b"\x8a\x00", 0),
        (b"\x8a\x01\xff", -1),
        (b"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80", i64::MIN),
        (b"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\x00", i64::MAX),
        (b"\x8b\x02\x00\x00\x00\x00\x80", -32768),
    ] {
        let value = run(&[b"\x80\x02", opcodes, b"."].concat()).unwrap();
        assert_eq!(value, Value::Int(expected));
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-300i64..70_000).prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        ".{0,400}".prop_map(Value::Str),
        prop::collection::vec(any::<u8>(), 0..400).prop_map(Value::Bytes),
        Just(Value::Global {
            module: "torch".into(),
            name: "FloatStorage".into()
        }),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Tuple),
            prop::collection::vec((inner.clone(), inner.clone()), 0..5).prop_map(Value::Dict),
            inner.clone().prop_map(|id| Value::Persistent(Box::new(id))),
            (prop::collection::vec(inner.clone(), 0..3), prop::option::of(inner)).prop_map(|(args, state)| {
                Value::Object {
                    module: "numpy".into(),
                    name: "dtype".into(),
                    args,
                    state: state.map(Box::new),
                }
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(2),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_value_comes_back(value in any_value()) {
        prop_assert_eq!(run(&dump(&value)).unwrap(), value);
    }

    #[test]
    fn any_bytes_are_an_error_at_worst(
        opcodes in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(b".(012NKMJX]}ae)tudsqrhjcRbQ\x85\x86\x87\x8a\x8c\x93\x94".to_vec())],
            0..200,
        ),
    ) {
        let _ = run(&[b"\x80\x04".as_slice(), &opcodes].concat());
    }
}
