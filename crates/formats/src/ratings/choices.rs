//! Choices in place of ratings: one of two items, the best and the worst of several, or an order of all.

use super::column_names::words;
use super::{RatingColumns, crowd, layout};
use crate::delimited_text::{DelimitedText, Number, Record, number};
use crate::ratings::exports::rater_column;
use crate::{FormatError, Problem};
use neurogauge_core::option_words::option;
use neurogauge_core::{Choice, Finding, Preference, counted, natural_cmp};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most choices of a table: an order of n items is n(n - 1)/2 of them.
const MOST_CHOICES: usize = 1 << 24;

const CHOSEN: &str = "choice chosen preferred preference winner selected selection answer response judgement judgment vote \
                      better judge";
const WINNER: &str = "winner preferred chosen better";
const LOSER: &str = "loser rejected worse unchosen";
/// Words for the two sides of a choice.
const SIDES: [(&str, &str); 5] = [("a", "b"), ("left", "right"), ("first", "second"), ("1", "2"), ("0", "1")];
const TIES: &str = "tie ties tied equal same draw neither both none = ==";
/// Columns that tell rankings of one person apart.
const SETS: &str = "trial set task page question block list ranking stimulus";

/// People's choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// Ids of the items: unique, in natural order.
    pub items: Vec<String>,
    /// Ids of the raters: unique, in natural order.
    pub raters: Vec<String>,
    /// By positions in these lists, in the order of the file.
    pub choices: Vec<Choice>,
}

/// An item of an order, and its rank.
type Ranked = (usize, f64);

/// The form of a table of choices, with its columns by position.
enum Form {
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
    fn recognise(text: &DelimitedText) -> Option<Self> {
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

    fn in_words(&self, text: &DelimitedText, is_by_id: bool) -> String {
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
fn names(text: &DelimitedText) -> Vec<Vec<String>> {
    let own = |name: &'_ String| {
        let stem = ["Input.", "Answer."].into_iter().find_map(|start| name.strip_prefix(start));
        words(stem.unwrap_or(name))
    };
    text.header.iter().map(own).collect()
}

/// The words that tell two column names apart, if they are [`SIDES`].
fn side_words(names: &[Vec<String>], [a, b]: [usize; 2]) -> Option<(&str, &str)> {
    let (a, b) = (&names[a], &names[b]);
    let mut apart = a.iter().zip(b).filter(|(a, b)| a != b).map(|(a, b)| (a.as_str(), b.as_str()));
    let sides = apart.next().filter(|sides| a.len() == b.len() && SIDES.contains(sides))?;
    apart.next().is_none().then_some(sides)
}

/// The choices in a table, with what was read; `None` if it holds none, or if the request names columns of ratings.
pub(super) fn read(
    text: &DelimitedText,
    columns: &RatingColumns,
) -> Result<Option<(Choices, Vec<Finding>)>, FormatError> {
    let is_named = columns.item.is_some() || columns.value.is_some() || !columns.raters.is_empty();
    let Some(form) = Form::recognise(text).filter(|_| !is_named && columns.items.is_none()) else {
        return Ok(None);
    };
    if !columns.groups.is_empty() {
        let problem = format!("choices have no groups of items; leave out {}", option("group-column", ""));
        return Err(text.column_error(problem));
    }
    let rater = columns.rater.as_deref().map(|name| text.named(name)).transpose()?.or_else(|| rater_column(text));
    let names = text.records.iter().filter_map(|record| Some(record.cell(rater?)));
    let pseudonyms = columns.pseudonyms(names);
    let mut collected = Collected::default();
    let is_by_id = collected.add_all(text, &form, rater)?;
    let Collected {
        items,
        raters,
        mut choices,
        n_missing,
        ..
    } = collected;
    if choices.is_empty() {
        return Err(text.column_error("no line holds a choice between two items".to_owned()));
    }
    let raters: Vec<String> = raters.iter().map(|name| pseudonyms.name(name).to_owned()).collect();
    let (item_order, rater_order) = (natural(&items), natural(&raters));
    let place = |order: &[usize]| {
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
        places
    };
    let (item_place, rater_place) = (place(&item_order), place(&rater_order));
    for choice in &mut choices {
        choice.first = item_place[choice.first];
        choice.second = item_place[choice.second];
        choice.rater = rater_place[choice.rater];
    }
    let n_ties = choices.iter().filter(|choice| choice.preferred == Preference::Tie).count();
    let by = match rater {
        Some(at) => format!("{} by {:?}", counted(raters.len(), "rater"), text.header[at]),
        None => "each line by another person, since no column names raters".to_owned(),
    };
    let mut message = format!(
        "{} between {} ({n_ties} ties), {by}: {}",
        counted(choices.len(), "choice"),
        counted(items.len(), "item"),
        form.in_words(text, is_by_id)
    );
    if n_missing > 0 {
        message += &format!("; {} without a choice left out", counted(n_missing, "line"));
    }
    let mut findings = vec![Finding::note("choices_taken", text.path.display().to_string(), message)];
    findings.extend(pseudonyms.finding(&option("keep-emails", "").to_string()));
    let in_order = |names: &[String], order: &[usize]| order.iter().map(|&at| names[at].clone()).collect();
    let found = Choices {
        items: in_order(&items, &item_order),
        raters: in_order(&raters, &rater_order),
        choices,
    };
    Ok(Some((found, findings)))
}

fn natural(names: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| natural_cmp(&names[a], &names[b]));
    order
}

/// Choices with items and raters in the order of their first appearance.
#[derive(Default)]
struct Collected {
    items: Vec<String>,
    raters: Vec<String>,
    places: HashMap<(bool, String), usize>,
    choices: Vec<Choice>,
    n_missing: usize,
}

impl Collected {
    fn item(&mut self, text: &DelimitedText, record: &Record, at: usize) -> Result<usize, FormatError> {
        match record.cell(at) {
            "" => Err(text.faulty_cell(record, at, "the id of an item")),
            cell => Ok(self.place(true, cell)),
        }
    }

    fn place(&mut self, is_item: bool, name: &str) -> usize {
        let names = if is_item { &mut self.items } else { &mut self.raters };
        *self.places.entry((is_item, name.to_owned())).or_insert_with(|| {
            names.push(name.to_owned());
            names.len() - 1
        })
    }

    /// Adds all lines; says whether a chosen item is named by its id.
    fn add_all(&mut self, text: &DelimitedText, form: &Form, rater: Option<usize>) -> Result<bool, FormatError> {
        if let Form::Ranks { item, rank, sets } = form {
            self.add_ranks(text, [*item, *rank], sets, rater)?;
            return Ok(true);
        }
        let by = match form {
            Form::Sides { items, chosen } => Some(ChosenBy::of(text, *items, *chosen)?),
            _ => None,
        };
        for record in text.records.iter().filter(|record| !crowd::is_rejected(text, record)) {
            let who = rater.map_or_else(|| format!("line {}", record.line), |at| record.cell(at).to_owned());
            match form {
                Form::Sides { items: [a, b], chosen } => {
                    let preferred = by.as_ref().map(|by| by.preferred(text, record)).transpose()?.flatten();
                    let Some(preferred) = preferred else {
                        self.n_missing += 1;
                        continue;
                    };
                    let who = self.place(false, &who);
                    let (first, second) = (self.item(text, record, *a)?, self.item(text, record, *b)?);
                    self.add(text, record, *chosen, [first, second], who, preferred)?;
                }
                Form::Ends { best, worst, shown } => {
                    if record.cell(*best).is_empty() || record.cell(*worst).is_empty() {
                        self.n_missing += 1;
                        continue;
                    }
                    let who = self.place(false, &who);
                    let ends = [self.item(text, record, *best)?, self.item(text, record, *worst)?];
                    self.add(text, record, *worst, ends, who, Preference::First)?;
                    for &at in shown {
                        let other = match record.cell(at) {
                            "" => continue,
                            _ => self.item(text, record, at)?,
                        };
                        if !ends.contains(&other) {
                            self.add(text, record, at, [ends[0], other], who, Preference::First)?;
                            self.add(text, record, at, [other, ends[1]], who, Preference::First)?;
                        }
                    }
                }
                Form::Places(places) => {
                    let filled = places.iter().filter(|&&at| !record.cell(at).is_empty());
                    let ranked = filled.enumerate().map(|(rank, &at)| Ok((self.item(text, record, at)?, rank as f64)));
                    let ranked = ranked.collect::<Result<Vec<(usize, f64)>, FormatError>>()?;
                    let who = self.place(false, &who);
                    self.add_order(text, record, places[0], &ranked, who)?;
                }
                Form::Order(at) => {
                    let levels = record.cell(*at).split('>').enumerate();
                    let names = levels.flat_map(|(rank, tied)| tied.split('=').map(move |name| (name.trim(), rank)));
                    let names: Vec<(&str, usize)> = names.collect();
                    if names.iter().any(|(name, _)| name.is_empty()) {
                        return Err(text.faulty_cell(
                            record,
                            *at,
                            "items from the best to the worst, such as a > b = c",
                        ));
                    }
                    let ranked = names.into_iter().map(|(name, rank)| (self.place(true, name), rank as f64));
                    let ranked: Vec<(usize, f64)> = ranked.collect();
                    let who = self.place(false, &who);
                    self.add_order(text, record, *at, &ranked, who)?;
                }
                Form::Ranks { .. } => {}
            }
        }
        Ok(by.is_none_or(|by| by.is_by_id))
    }

    /// Adds the orders whose items have a line each: those of one person and one set.
    fn add_ranks(
        &mut self,
        text: &DelimitedText,
        [item, rank]: [usize; 2],
        sets: &[usize],
        rater: Option<usize>,
    ) -> Result<(), FormatError> {
        let mut orders: BTreeMap<Vec<&str>, (usize, Vec<Ranked>)> = BTreeMap::new();
        for (row, record) in text.records.iter().enumerate() {
            let Some(value) = text.number_at(record, rank, "a rank, 1 for the best")? else {
                self.n_missing += 1;
                continue;
            };
            let key = rater.iter().chain(sets).map(|&at| record.cell(at)).collect();
            let ranked = (self.item(text, record, item)?, value);
            orders.entry(key).or_insert_with(|| (row, Vec::new())).1.push(ranked);
        }
        for (key, (row, ranked)) in orders {
            let who = self.place(false, rater.map_or("one person", |_| key[0]));
            self.add_order(text, &text.records[row], rank, &ranked, who)?;
        }
        Ok(())
    }

    /// Adds every pair of an order of items.
    fn add_order(
        &mut self,
        text: &DelimitedText,
        record: &Record,
        at: usize,
        ranked: &[Ranked],
        who: usize,
    ) -> Result<(), FormatError> {
        for (place, (first, above)) in ranked.iter().enumerate() {
            for (second, below) in &ranked[place + 1..] {
                let preferred = match above.total_cmp(below) {
                    Ordering::Less => Preference::First,
                    Ordering::Greater => Preference::Second,
                    Ordering::Equal => Preference::Tie,
                };
                self.add(text, record, at, [*first, *second], who, preferred)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        text: &DelimitedText,
        record: &Record,
        at: usize,
        [first, second]: [usize; 2],
        rater: usize,
        preferred: Preference,
    ) -> Result<(), FormatError> {
        if first == second {
            let item = &self.items[first];
            return Err(text.faulty_cell(record, at, &format!("a choice between two items, and both are {item:?}")));
        }
        if self.choices.len() == MOST_CHOICES {
            let reason = format!("more than {MOST_CHOICES} choices between two items");
            return Err(Problem::line(record.line, reason).at(&text.path));
        }
        self.choices.push(Choice {
            first,
            second,
            rater,
            preferred,
        });
        Ok(())
    }
}

/// How the cells of a column say which of two items was preferred.
struct ChosenBy {
    items: [usize; 2],
    chosen: usize,
    /// Are the cells ids, rather than sides?
    is_by_id: bool,
    /// The cells for the first and the second side, and for neither, in lower case.
    sides: [Vec<String>; 3],
}

impl ChosenBy {
    fn of(text: &DelimitedText, items: [usize; 2], chosen: usize) -> Result<Self, FormatError> {
        let names = &names(text);
        let (first, second) = side_words(names, items).unwrap_or(SIDES[0]);
        let side = |at: usize, word: &str| vec![word.to_owned(), text.header[items[at]].to_lowercase()];
        let ties = TIES.split(' ').map(str::to_owned).chain(["no preference".to_owned(), "no difference".to_owned()]);
        let mut sides = [side(0, first), side(1, second), ties.collect()];
        let is_tie = |cell: &str| sides[2].contains(&cell.to_lowercase());
        let given = || text.records.iter().filter(|record| number(record.cell(chosen)) != Number::Missing);
        let is_id = |record: &Record| items.iter().any(|&at| record.cell(at) == record.cell(chosen));
        let is_by_id = given().all(|record| is_id(record) || is_tie(record.cell(chosen)));
        let found: HashSet<String> = given().map(|record| record.cell(chosen).to_lowercase()).collect();
        let are_numbers = !is_by_id && found.iter().all(|cell| number(cell) != Number::Text);
        if are_numbers {
            let known = [["0", "0.5", "1"], ["1", "0", "2"]];
            let fits = |known: &&[&str; 3]| {
                let has_side = |side: usize| found.contains(known[side]);
                found.iter().all(|cell| known.contains(&cell.as_str())) && has_side(0) && has_side(2)
            };
            let Some([first, tie, second]) = known.iter().find(fits) else {
                let problem = format!(
                    "it is unclear which side the numbers in {:?} mean; expected the id of the item, the name of its column, or \
                     1 and 2 (0 for neither)",
                    text.header[chosen]
                );
                return Err(text.column_error(problem));
            };
            sides = [first, second, tie].map(|cell| vec![(*cell).to_owned()]);
        }
        Ok(ChosenBy {
            items,
            chosen,
            is_by_id,
            sides,
        })
    }

    /// The preference in a line; `None` if the cell is empty.
    fn preferred(&self, text: &DelimitedText, record: &Record) -> Result<Option<Preference>, FormatError> {
        let cell = record.cell(self.chosen);
        if number(cell) == Number::Missing {
            return Ok(None);
        }
        let lower = cell.to_lowercase();
        let is = |side: usize| match (self.is_by_id, self.items.get(side)) {
            (true, Some(&at)) => record.cell(at) == cell,
            _ => self.sides[side].contains(&lower),
        };
        let sides = [Preference::First, Preference::Second, Preference::Tie];
        let found = sides.into_iter().enumerate().find(|(side, _)| is(*side)).map(|(_, preferred)| preferred);
        let [a, b] = self.items.map(|at| record.cell(at));
        let expected = || format!("{a:?}, {b:?}, the name of one of their columns, or tie");
        found.map(Some).ok_or_else(|| text.faulty_cell(record, self.chosen, &expected()))
    }
}
