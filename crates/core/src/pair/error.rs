//! Errors of pairing two lists of stems.

use super::{Axis, Closest, FrameMatch, PairsOf, PartsPattern, Remedy, StackOrder, StemPattern};
use crate::counted;
use crate::option_words::option;

/// Why two lists of stems could not be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PairingError {
    /// Some stems exist on one side only.
    #[error(
        "{count} of the {present} stems {} no partner among the {absent} stems: {examples}; {}{}",
        if *count == 1 { "has" } else { "have" },
        match pairs {
            PairsOf::All => "every stem must be on both sides",
            PairsOf::Shared => "no stem is on both sides",
        },
        match (closest, others.as_str()) {
            (Some(closest), _) => format!("; {closest}"),
            (None, "") => String::new(),
            (None, others) => format!("; the {absent} stems without a partner are {others}"),
        }
    )]
    MissingPartner {
        present: &'static str,
        absent: &'static str,
        count: usize,
        /// The first few stems, comma separated.
        examples: String,
        /// The first few stems of the other side without a partner, comma separated.
        others: String,
        pairs: PairsOf,
        n_paired: usize,
        /// How many there are on each side, if those of one are called 0, 1, 2, ..., like rows of a stack, and both
        /// sides have equally many.
        n_rows: Option<usize>,
        /// Do the names of the other side have another order as text than as numbers?
        has_two_orders: bool,
        /// Stems that seem to belong together.
        closest: Option<Box<Closest>>,
    },
    /// The same stem occurs twice on one side.
    #[error("stem {stem:?} occurs twice among the {side} stems; stems must be unique")]
    DuplicateStem { side: &'static str, stem: String },
    /// A stem that no file can have, and that other programs would cut short.
    #[error("stem {stem:?} among the {side} stems contains the character U+0000; rename it")]
    NullCharacter { side: &'static str, stem: String },
    /// Two stems of one side have the same stem or number under the pattern.
    #[error(
        "{side} stems {first:?} and {second:?} are the same {} for the pattern {pattern}; rename one of them",
        pattern.noun()
    )]
    SameNumber {
        side: &'static str,
        first: String,
        second: String,
        pattern: StemPattern,
    },
    /// No reconstruction matches the pattern.
    #[error(
        "no recon stem is of the form {}: they are {examples} (stems are file names without their extension)",
        pattern.of_recon_alone()
    )]
    NoneOfPattern {
        pattern: StemPattern,
        /// The first few stems, comma separated.
        examples: String,
    },
    /// An order was given for a stack, but neither side is a stack.
    #[error(
        "an order of the stack is given, and no side is a stack, whose images have no names; expected an array on one side"
    )]
    NoStack,
    /// A stack with more or fewer rows than there are names.
    #[error(
        "{gt} stimuli and {recon} reconstructions; an order of the stack pairs all rows with all names, and expects as many"
    )]
    StackLength { gt: usize, recon: usize },
    /// A list of the images of trials with another number of entries than there are trials.
    #[error("{list}: {} for {}; expected the image of each trial", counted(*found, "image"), counted(*expected, "trial"))]
    TrialRows {
        list: String,
        found: usize,
        expected: usize,
    },
    /// A list of images by row, for trials that have names.
    #[error(
        "{list}: it goes by the rows of an array, and the trials have names: {examples}; expected a table with the columns trial,image"
    )]
    TrialsHaveNames {
        list: String,
        /// The first few trials, comma separated.
        examples: String,
    },
    /// Trials that the table of trials lacks.
    #[error(
        "{list}: {count} of the trials {} no line: {examples}; it has {known}; expected a line for each trial",
        if *count == 1 { "has" } else { "have" }
    )]
    TrialsWithoutImage {
        list: String,
        count: usize,
        /// The first few of them, comma separated.
        examples: String,
        /// The first few trials of the table, comma separated.
        known: String,
    },
    /// No side has names with parts.
    #[error(
        "no name is of the form {pattern}: those of the reconstructions are {examples} (a folder or a clip for each item gives \
         item/part)"
    )]
    NoParts {
        pattern: PartsPattern,
        /// The first few stems of the reconstructions, comma separated.
        examples: String,
    },
    /// A part of an item exists on one side only.
    #[error(
        "item {item:?} has {part} among the {present} stems and not among the {absent} stems; expected the same parts on both sides"
    )]
    MissingPart {
        item: String,
        part: String,
        present: &'static str,
        absent: &'static str,
    },
    /// An item has fewer views or samples than others.
    #[error(
        "item {item:?} has {} among the {side} stems and others have {most}; expected as many of every item",
        counted(*found, axis.noun())
    )]
    FewerParts {
        item: String,
        axis: Axis,
        side: &'static str,
        found: usize,
        /// The largest number of parts of any item.
        most: usize,
    },
    /// Two clips have too few frames, or different numbers of them.
    #[error(
        "item {item:?} has {gt} gt and {recon} recon frames, which do not fit frames = {frames}; expected {}",
        match frames {
            FrameMatch::First(n) | FrameMatch::Uniform(n) | FrameMatch::At(n) => format!("{n} or more"),
            _ => "equal numbers (nearest compares frames of the same time)".to_owned(),
        }
    )]
    FrameCounts {
        item: String,
        gt: usize,
        recon: usize,
        frames: FrameMatch,
    },
    /// A frame is shown for so long that it would be compared twice.
    #[error(
        "item {item:?} shows its frame {frame:?} at two of the times of frames = {frames}, since its frames are not shown equally long; \
         expected a frame for each time: take fewer, or nearest"
    )]
    RepeatedFrame {
        item: String,
        frame: String,
        frames: FrameMatch,
    },
}

impl PairingError {
    /// The option that would pair the stems; empty if there is none.
    pub fn remedy(&self) -> String {
        let (closest, n_paired, could_be_text) = match self {
            // By their numbers, only some stems would pair, and probably the wrong ones.
            PairingError::MissingPartner {
                n_rows: Some(n_rows),
                n_paired,
                closest,
                ..
            } if n_paired + closest.as_ref().map_or(0, |found| found.n_pairs) < *n_rows => {
                let order = |order: StackOrder| option("stack-order", order.word());
                return format!(
                    "if 0, 1, 2, ... are the rows of a stack, {} pairs them with the names in the order 1, 2, 10, and {} in the order 1, 10, \
                     2, as sorted(os.listdir()) has it",
                    order(StackOrder::Natural),
                    order(StackOrder::Text)
                );
            }
            PairingError::MissingPartner {
                closest,
                n_paired,
                n_rows,
                has_two_orders,
                ..
            } => (closest, n_paired, n_rows.is_some() && *has_two_orders),
            PairingError::NoneOfPattern { pattern, .. } => {
                // The text after the stem may be any text.
                let of_parts = pattern.of_recon_alone().to_string().replace("{stem}", "{item}");
                let Ok(of_parts) = of_parts.parse::<PartsPattern>() else {
                    return String::new();
                };
                return format!("{} is for several images of an item", option("parts", &of_parts.to_string()));
            }
            PairingError::MissingPart { .. } | PairingError::FewerParts { .. } => {
                return format!("{} compares the parts that there are", option("on-missing", "skip"));
            }
            _ => return String::new(),
        };
        let mut remedies = Vec::new();
        if let Some(closest) = closest {
            let n_pairs = closest.n_pairs;
            match &closest.remedy {
                Remedy::Match(pattern) => {
                    let pattern = pattern.to_string();
                    remedies.push(format!("{} pairs {n_pairs} of the reconstructions", option("match", &pattern)));
                }
                Remedy::Parts(pattern) => {
                    let pattern = pattern.to_string();
                    remedies.push(format!("{} takes them for samples of the stimuli", option("parts", &pattern)));
                }
                Remedy::PartsOf(parts, pattern) => remedies.push(format!(
                    "{} with {} takes them for samples of the stimuli",
                    option("match", &pattern.to_string()),
                    option("parts", &parts.to_string())
                )),
                Remedy::RenameCase | Remedy::RenameAccents | Remedy::Rename => {}
            }
        }
        if could_be_text {
            let order = option("stack-order", StackOrder::Text.word());
            remedies
                .push(format!("if 0, 1, 2, ... are rows in the order 1, 10, 2 of these names, {order} pairs them so"));
        }
        if *n_paired > 0 {
            remedies.push(format!("{} scores the {n_paired} on both sides", option("pairs", "shared")));
        }
        remedies.join("; ")
    }
}
