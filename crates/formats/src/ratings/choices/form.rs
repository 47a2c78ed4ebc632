//! The forms in which a table holds choices, recognised by its columns.

use crate::delimited_text::{DelimitedText, Number, number};
use crate::ratings::column_names::words;
use crate::ratings::exports::rater_column;
use crate::ratings::layout;
use neurogauge_core::counted;

const CHOSEN: &str = "choice chosen preferred preference winner selected selection answer response judgement judgment vote \
                      better judge";
const WINNER: &str = "winner preferred chosen better";
const LOSER: &str = "loser rejected worse unchosen";
/// Words for the two sides of a choice.
pub(super) const SIDES: [(&str, &str); 5] =
    [("a", "b"), ("left", "right"), ("first", "second"), ("1", "2"), ("0", "1")];
/// Columns that tell rankings of one person apart.
const SETS: &str = "trial set task page question block list ranking stimulus";

/// The form of a table of choices, with its columns by position.
pub(super) enum Form {
    /// Two items, and which was chosen.
    Sides { items: [usize; 2], chosen: usize },
    /// Its items from the preferred one to the one that is not; a best and a worst one may have others between them.
    Ends {
        best: usize,
        worst: usize,
        shown: Vec<usize>,
    },
    /// The items of a line in order, the preferred one first.
    Places(Vec<usize>),
    /// All items in one cell: `a > b = c`.
    Order(usize),
    /// A line for each item of an order.
    Ranks { item: usize, rank: usize, sets: Vec<usize> },
}

impl Form {
    /// The form of a table, if it holds choices.
    pub(super) fn recognise(text: &DelimitedText) -> Option<Self> {
        let names = names(text);
        let is_one_of =
            |name: &[String], known: &str| matches!(name, [word] if known.split(' ').any(|own| own == word));
        let column = |known: &str| names.iter().position(|name| is_one_of(name, known));
        if let (Some(best), Some(worst)) = (column("best most"), column("worst least")) {
            let shown = |name: &[String]| {
                matches!(name, [word, number] if ["item", "option", "image", "shown"].contains(&word.as_str())
                    && (number.parse::<u32>().is_ok() || number.len() == 1))
            };
            let shown = names.iter().enumerate().filter(|(_, name)| shown(name)).map(|(at, _)| at);
            let shown: Vec<usize> = shown.collect();
            // A set of one item leaves nothing to choose between.
            let shown = if shown.len() > 1 { shown } else { Vec::new() };
            return Some(Form::Ends { best, worst, shown });
        }
        if let (Some(best), Some(worst)) = (column(WINNER), column(LOSER)) {
            let shown = Vec::new();
            return Some(Form::Ends { best, worst, shown });
        }
        let is_side = |cell: &str| match number(cell) {
            Number::Finite(value) => [-1.0, 0.0, 0.5, 1.0, 2.0].contains(&value),
            _ => true,
        };
        let holds = |at: usize, is_so: &dyn Fn(&str) -> bool| text.records.iter().all(|line| is_so(line.cell(at)));
        let chosen = (0..names.len()).find(|&at| is_one_of(&names[at], CHOSEN) && holds(at, &is_side));
        if let Some(chosen) = chosen {
            let pairs = (0..names.len()).flat_map(|a| (0..names.len()).map(move |b| [a, b]));
            let mut pairs =
                pairs.filter(|[a, b]| *a != chosen && *b != chosen && side_words(&names, [*a, *b]).is_some());
            if let Some(items) = pairs.next() {
                return Some(Form::Sides { items, chosen });
            }
        }
        let is_place = |name: &[String], place: usize| matches!(name, [word, number] if ["rank", "place"].contains(&word.as_str()) && *number == place.to_string());
        let places = (1..).map_while(|place| names.iter().position(|name| is_place(name, place)));
        let places: Vec<usize> = places.collect();
        // Columns of items, with the rank of each in its cells, are something else.
        let is_rank = |cell: &str| match number(cell) {
            Number::Finite(rank) => !cell.starts_with('0') && rank >= 1.0 && rank <= places.len() as f64,
            Number::Missing => true,
            _ => false,
        };
        if places.len() > 1 && !places.iter().all(|&at| holds(at, &is_rank)) {
            return Some(Form::Places(places));
        }
        if let Some(at) = column("ranking order ranked").filter(|&at| holds(at, &|cell| cell.contains('>'))) {
            return Some(Form::Order(at));
        }
        let rank = column("rank").filter(|_| layout::lacks_values(text))?;
        let named = |known: &[&str]| text.usually_named(known, &[]).first().copied();
        let item = named(&layout::ITEM[..1]).or_else(|| named(&layout::ITEM))?;
        let is_set =
            |at: &usize| *at != item && names[*at].first().is_some_and(|word| SETS.split(' ').any(|set| set == word));
        let sets: Vec<usize> = (0..names.len()).filter(is_set).collect();
        // Other tables may rank their items beside the ratings.
        let is_of_ranks = rater_column(text).is_some() || sets.len() + 2 == names.len();
        is_of_ranks.then_some(Form::Ranks { item, rank, sets })
    }

    pub(super) fn in_words(&self, text: &DelimitedText, is_by_id: bool) -> String {
        let name = |at: usize| text.header[at].as_str();
        match self {
            Form::Sides { items: [a, b], chosen } => format!(
                "{} names the {} preferred of {} and {}",
                name(*chosen),
                if is_by_id { "item" } else { "side" },
                name(*a),
                name(*b)
            ),
            Form::Ends { best, worst, shown } if shown.is_empty() => {
                format!("{} was preferred to {}", name(*best), name(*worst))
            }
            Form::Ends { best, worst, shown } => format!(
                "{} and {} of {}, {} for each line",
                name(*best),
                name(*worst),
                counted(shown.len(), "item"),
                counted(2 * shown.len() - 3, "choice")
            ),
            Form::Places(places) => format!("orders of {}, taken as all pairs", counted(places.len(), "item")),
            Form::Order(at) => format!("orders in {}, taken as all pairs", name(*at)),
            Form::Ranks { rank, .. } => format!("orders by {}, 1 the best, taken as all pairs", name(*rank)),
        }
    }
}

/// The words of each column's name, without what Mechanical Turk puts before it.
pub(super) fn names(text: &DelimitedText) -> Vec<Vec<String>> {
    let own = |name: &'_ String| {
        let stem = ["Input.", "Answer."].into_iter().find_map(|start| name.strip_prefix(start));
        words(stem.unwrap_or(name))
    };
    text.header.iter().map(own).collect()
}

/// The words that tell two column names apart, if they are [`SIDES`].
pub(super) fn side_words(names: &[Vec<String>], [a, b]: [usize; 2]) -> Option<(&str, &str)> {
    let (a, b) = (&names[a], &names[b]);
    let mut apart = a.iter().zip(b).filter(|(a, b)| a != b).map(|(a, b)| (a.as_str(), b.as_str()));
    let sides = apart.next().filter(|sides| a.len() == b.len() && SIDES.contains(sides))?;
    apart.next().is_none().then_some(sides)
}
