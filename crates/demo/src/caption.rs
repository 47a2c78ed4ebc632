//! A small grammar of captions: `a brown dog standing in a green field with two sheep`.

use super::kind::Kind;
use super::scene::{Background, SceneObject};

/// The caption of some objects in front of a background; the largest object comes first.
pub(super) fn caption(objects: &[SceneObject], background: Background) -> String {
    let mut groups: Vec<Vec<&SceneObject>> = Vec::new();
    for object in by_area(objects) {
        match groups.iter_mut().find(|group| group[0].kind == object.kind) {
            Some(group) => group.push(object),
            None => groups.push(vec![object]),
        }
    }
    let Some((main, others)) = groups.split_first() else {
        return sentence(empty(background));
    };
    let mut text = format!("{} {} {}", phrase(main), main[0].kind.facts().doing, place(background, main[0].kind));
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|group| phrase(group)).collect();
        text.push_str(" with ");
        text.push_str(&listed(&others));
    }
    sentence(&text)
}

fn by_area(objects: &[SceneObject]) -> Vec<&SceneObject> {
    let mut sorted: Vec<&SceneObject> = objects.iter().collect();
    sorted.sort_by(|a, b| b.bbox.area_px2().total_cmp(&a.bbox.area_px2()));
    sorted
}

/// `a red car`, `two sheep`: the colour is named where the objects share it.
fn phrase(group: &[&SceneObject]) -> String {
    let first = group[0];
    let facts = first.kind.facts();
    let colour = first.colour.name;
    let is_one_colour = group.iter().all(|object| object.colour == first.colour);
    let noun = match group.len() {
        1 => facts.singular,
        _ => facts.plural,
    };
    let described = match (first.kind, is_one_colour) {
        (Kind::Person, true) if group.len() == 1 => format!("{noun} in a {colour} shirt"),
        (Kind::Person, _) | (_, false) => noun.to_owned(),
        (_, true) => format!("{colour} {noun}"),
    };
    match group.len() {
        1 if described.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {described}"),
        1 => format!("a {described}"),
        2 => format!("two {described}"),
        3 => format!("three {described}"),
        _ => format!("several {described}"),
    }
}

fn listed(phrases: &[String]) -> String {
    match phrases.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// `in a green field`, but `over` it for objects that fly.
fn place(background: Background, kind: Kind) -> String {
    let (preposition, name) = match background {
        Background::Meadow => ("in", "a green field"),
        Background::Street => ("on", "a city street"),
        Background::Sea => ("on", "the blue sea"),
        Background::Room => ("in", "a living room"),
        Background::Snow => ("in", "the snow"),
        Background::Beach => ("on", "a sandy beach"),
        Background::Table => ("on", "a wooden table"),
        Background::Sky => ("in", "a cloudy sky"),
    };
    let is_over = kind.facts().doing == "flying" && background != Background::Sky;
    format!("{} {name}", if is_over { "over" } else { preposition })
}

fn empty(background: Background) -> &'static str {
    match background {
        Background::Meadow => "a green field under a blue sky",
        Background::Street => "an empty city street",
        Background::Sea => "the blue sea under a clear sky",
        Background::Room => "an empty living room with a window",
        Background::Snow => "mountains covered in snow",
        Background::Beach => "an empty sandy beach",
        Background::Table => "an empty wooden table",
        Background::Sky => "clouds in a blue sky",
    }
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(characters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::core::BoxXyxy;

    fn object(kind: Kind, colour: usize, width: f64) -> SceneObject {
        SceneObject {
            kind,
            bbox: BoxXyxy {
                x0: 0.0,
                y0: 0.0,
                x1: width,
                y1: 10.0,
            },
            colour: kind.facts().colours[colour],
            is_mirrored: false,
        }
    }

    #[test]
    fn objects_are_counted_coloured_and_listed_by_size() {
        let cases: [(&[SceneObject], Background, &str); 6] = [
            (&[object(Kind::Dog, 0, 50.0)], Background::Meadow, "A brown dog standing in a green field."),
            (
                &[
                    object(Kind::Kite, 0, 20.0),
                    object(Kind::Cat, 0, 80.0),
                    object(Kind::Sheep, 0, 60.0),
                    object(Kind::Sheep, 0, 60.0),
                ],
                Background::Snow,
                "An orange cat sitting in the snow with two white sheep and a red kite.",
            ),
            (
                &[object(Kind::Bus, 0, 50.0), object(Kind::Bus, 1, 50.0)],
                Background::Street,
                "Two buses driving on a city street.",
            ),
            (
                &[object(Kind::Person, 1, 50.0)],
                Background::Beach,
                "A person in a blue shirt standing on a sandy beach.",
            ),
            (&[object(Kind::Airplane, 0, 50.0)], Background::Sea, "A white airplane flying over the blue sea."),
            (&[], Background::Table, "An empty wooden table."),
        ];
        for (objects, background, expected) in cases {
            assert_eq!(caption(objects, background), expected);
        }
    }
}
