//! Mistakes that are common in this field, each with the change that undoes it or makes it.

use crate::{Error, RELEASED, ScoreRequest};
use neurogauge_core::image::{Background, FloatScale};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::StackOrder;
use neurogauge_core::{Image, Pair, Side, Sides};
use neurogauge_formats::colour_profile::ColourProfile;
use neurogauge_formats::image_source::ImageSource;
use std::mem::discriminant;

/// What is different if a mistake was made.
pub(super) enum Change {
    /// The values of a side.
    Values(Side, Box<dyn Fn(f32) -> f32 + Sync>),
    /// The pixels of the reconstructions.
    Pixels(fn(Image<f32>) -> Image<f32>),
    /// The reconstruction of each pair, by the place of the pair that has it; `None` leaves the pair out.
    Order(Vec<Option<usize>>),
    /// What transparent pixels of both sides lie on.
    Alpha(Background),
    /// The colour profile in the files of a side is applied.
    Profile(Side, ColourProfile),
    /// What is computed of them.
    Compared(Box<ScoreRequest>),
}

impl Change {
    /// Are files read in another way?
    pub(super) fn is_of_reading(&self) -> bool {
        matches!(self, Change::Alpha(_) | Change::Profile(..))
    }

    /// Two mistakes of one kind are not supposed together.
    pub(super) fn is_like(&self, other: &Change) -> bool {
        discriminant(self) == discriminant(other) || self.is_of_reading() && other.is_of_reading()
    }
}

pub(super) struct Suspect {
    pub(super) mistake: String,
    /// The option or the step that mends it.
    pub(super) remedy: String,
    pub(super) change: Change,
    /// What stored values must look like; a decoder's own brightness or contrast is no mistake.
    pub(super) shows: fn(&Image<f32>) -> bool,
}

fn suspect(mistake: impl Into<String>, remedy: impl Into<String>, change: Change) -> Suspect {
    Suspect {
        mistake: mistake.into(),
        remedy: remedy.into(),
        change,
        shows: |_| true,
    }
}

fn of_values(of: impl Fn(f32) -> f32 + Sync + 'static) -> Change {
    Change::Values(Side::Recon, Box::new(of))
}

/// Everything that is suspected of these images.
pub(super) fn suspects(
    images: &Sides<ImageSource>,
    pairs: &[Pair],
    request: &ScoreRequest,
) -> Result<Vec<Suspect>, Error> {
    let read_as = |scale: FloatScale, mistake: &str| {
        suspect(mistake, option("values", scale.word()).to_string(), of_values(move |value| scale.to_unit(value)))
    };
    let mut found = vec![
        read_as(FloatScale::Signed, "the reconstructions hold -1 to 1, and are read as 0 to 1")
            .where_stored(|image| image.data().iter().any(|value| *value < -0.05)),
        read_as(FloatScale::Levels, "the reconstructions hold 0 to 255, and are read as 0 to 1"),
        read_as(FloatScale::Clipped, "the reconstructions overshoot 0 to 1, and are not clipped"),
        suspect(
            "the reconstructions were divided by 255 twice",
            "multiply them by 255 before saving",
            of_values(|value| value * 255.0),
        )
        .where_stored(|image| image.data().iter().all(|value| *value <= 0.02)),
        suspect(
            "the reconstructions were mapped by (x + 1) / 2 although x was 0 to 1 already: they are pale",
            "save x",
            of_values(|value| 2.0 * value - 1.0),
        )
        .where_stored(|image| image.data().iter().all(|value| (0.49..=1.01).contains(value))),
        suspect(
            "the reconstructions were -1 to 1 and clipped at 0 when saved: what was dark is black",
            "save (x + 1) / 2",
            Change::Values(Side::Gt, Box::new(|value| (2.0 * value - 1.0).clamp(0.0, 1.0))),
        )
        .where_stored(|image| {
            let n_black = image.data().iter().filter(|value| **value <= 0.0).count();
            10 * n_black > image.data().len()
        }),
        suspect(
            "red and blue of the reconstructions are exchanged (BGR)",
            "exchange them before saving: x[..., ::-1]",
            Change::Pixels(|mut image| {
                image.data_mut().as_chunks_mut::<3>().0.iter_mut().for_each(|pixel| pixel.reverse());
                image
            }),
        ),
        suspect(
            "height and width of the reconstructions are exchanged (transposed)",
            "transpose them before saving",
            Change::Pixels(transposed),
        ),
    ];
    if images.gt.is_transparent() || images.recon.is_transparent() {
        for background in [Background::White, Background::Black] {
            let mistake = format!("transparent pixels lie on {}", background.word());
            let remedy = option("alpha", background.word()).to_string();
            found.push(suspect(mistake, remedy, Change::Alpha(background)));
        }
    }
    let profiles = Side::BOTH.map(|side| Some((side, profile(images.side(side), pairs, side)?)));
    if let [Some((side, profile)), None] | [None, Some((side, profile))] = profiles {
        let mistake =
            format!("the {side} files have a colour profile, which is ignored, and those of the other side have none");
        found.push(suspect(mistake, "convert them to sRGB", Change::Profile(side, profile)));
    }
    found.extend(orders(pairs));
    Ok(found.into_iter().chain(released(request)?).collect())
}

impl Suspect {
    fn where_stored(self, shows: fn(&Image<f32>) -> bool) -> Self {
        Suspect { shows, ..self }
    }
}

fn transposed(image: Image<f32>) -> Image<f32> {
    let (width, height) = (image.width_px(), image.height_px());
    let pixel = |place: usize| {
        let at = (place % height) * width + place / height;
        [0, 1, 2].map(|channel| image.data()[3 * at + channel])
    };
    let values: Vec<f32> = (0..width * height).flat_map(pixel).collect();
    Image::new(height, width, values).unwrap_or(image)
}

/// The colour profile of a side, if nine of ten files have one.
fn profile(source: &ImageSource, pairs: &[Pair], side: Side) -> Option<ColourProfile> {
    let of_file = |pair: &Pair| ColourProfile::of_file(source.file_path(pair.of(side))?);
    let first = of_file(pairs.first()?)?;
    let n = pairs.iter().filter(|pair| of_file(pair).is_some()).count();
    (10 * n >= 9 * pairs.len()).then_some(first)
}

/// Other orders in which reconstructions may have been numbered, if they differ from the order that pairs them.
fn orders(pairs: &[Pair]) -> Vec<Suspect> {
    let n = pairs.len();
    let stems: Vec<&str> = pairs.iter().map(|pair| pair.stem.as_str()).collect();
    let (natural, text) = (StackOrder::Natural.places(&stems), StackOrder::Text.places(&stems));
    let reversed: Vec<usize> = natural.iter().rev().copied().collect();
    let (all_but_first, all_but_last) = (&natural[1..], &natural[..n - 1]);
    let paired = |stimuli: &[usize], recons: &[usize]| {
        let mut of = vec![None; n];
        stimuli.iter().zip(recons).for_each(|(&stimulus, &recon)| of[stimulus] = Some(recon));
        Change::Order(of)
    };
    let mend =
        |order: StackOrder| format!("{} for a stack; else rename the files", option("stack_order", order.word()));
    let (text_again, higher, lower) =
        ("rename the files in the order of numbers", "number them one higher", "number them one lower");
    let all = [
        suspect(
            "the reconstructions are in the order of text (1, 10, 2)",
            mend(StackOrder::Text),
            paired(&text, &natural),
        ),
        suspect("the stimuli are in the order of text (1, 10, 2)", text_again, paired(&natural, &text)),
        suspect("the reconstructions are in reversed order", mend(StackOrder::Reversed), paired(&natural, &reversed)),
        suspect("reconstruction k is of stimulus k + 1", higher, paired(all_but_first, all_but_last)),
        suspect("reconstruction k is of stimulus k - 1", lower, paired(all_but_last, all_but_first)),
    ];
    let is_as_paired = |(place, recon): (usize, &Option<usize>)| *recon == Some(place);
    let is_other = |own: &Suspect| !matches!(&own.change, Change::Order(of) if of.iter().enumerate().all(is_as_paired));
    all.into_iter().filter(is_other).collect()
}

/// What released evaluations compute, each once.
fn released(request: &ScoreRequest) -> Result<Vec<Suspect>, Error> {
    let mut found: Vec<(String, ScoreRequest)> = Vec::new();
    for code in RELEASED.iter().filter(|code| code.is_of_images()) {
        let mut other = request.clone();
        other.apply_presets(code.preset.as_slice())?;
        match found.iter_mut().find(|(_, known)| *known == other) {
            Some((names, _)) => *names += &format!(", {}", code.name),
            None => found.push((code.name.to_owned(), other)),
        }
    }
    let of_code = |(names, request): (String, ScoreRequest)| {
        let first = names.split(',').next().unwrap_or_default();
        let remedy = option("preset", first).to_string();
        suspect(format!("images are compared as by {names}"), remedy, Change::Compared(request.into()))
    };
    Ok(found.into_iter().map(of_code).collect())
}
