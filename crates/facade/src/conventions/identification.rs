//! Among which images the right one is looked for, and what counts as found.

use super::entry::Convention;
use super::value::{count, optional, switch, word};
use super::{MAX_CANDIDATES, MAX_TRIALS};
use neurogauge_metrics::decoding::identification::Draws;

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("identification_direction", "identification-direction"),
            "Which side supplies the distractors: other stimuli (`reconstruction` is identified, MindEye2's code) or other \
             reconstructions (`stimulus` is identified, the SEED paper)",
            word(),
            |request| Some(&mut request.options.identification.direction),
        )
        .varied(&["reconstruction", "stimulus"]),
        Convention::new(
            ("identification_ties", "identification-ties"),
            "How an exact tie counts in identification",
            word(),
            |request| Some(&mut request.options.identification.ties),
        ),
        Convention::new(
            ("identification_copies", "identification-copies"),
            "Whether pairs of the same stimulus are distractors of each other in identification. Copies have the same image, \
             or equal features where no metric reads images",
            word(),
            |request| Some(&mut request.options.identification_copies),
        ),
        Convention::new(
            ("identification_subtract_own", "identification-own"),
            "Count one success too few in two-way identification, as MIRAGE's released code does",
            switch(),
            |request| Some(&mut request.options.identification.subtract_own),
        ),
        Convention::new(
            ("n_way", "identification-ways"),
            "Images to choose from in identification, including the right one",
            count::<MAX_CANDIDATES, usize>("N"),
            |request| Some(&mut request.options.identification.n_way),
        ),
        Convention::new(
            ("top_k", "identification-ways"),
            "The right image must be among the K most similar",
            count::<MAX_CANDIDATES, usize>("K"),
            |request| Some(&mut request.options.identification.top_k),
        ),
        Convention::of_fields(
            ("draws", "identification-ways"),
            "Draw distractors (in classification accuracy: classes) at random, so many times for each pair",
            optional("none: the exact expectation over all draws", count::<MAX_TRIALS, usize>("TRIALS")),
            |request, trials| {
                let seed = request.bootstrap.seed;
                let draws = trials.map_or(Draws::Exact, |trials| Draws::Seeded { trials, seed });
                (request.options.identification.draws, request.options.n_way_accuracy.draws) = (draws, draws);
                true
            },
            |request| match request.options.identification.draws {
                Draws::Exact => Some(None),
                Draws::Seeded { trials, .. } => Some(Some(trials)),
            },
        ),
        Convention::new(
            ("right_classes", "n-way-classes"),
            "Classification accuracy: so many of the stimulus's most probable classes count as right",
            count::<MAX_CANDIDATES, usize>("N"),
            |request| Some(&mut request.options.n_way_accuracy.right_classes),
        ),
        Convention::new(
            ("class_top_k", "n-way-classes"),
            "Classification accuracy: a right class must be among the K most probable",
            count::<MAX_CANDIDATES, usize>("K"),
            |request| Some(&mut request.options.n_way_accuracy.top_k),
        ),
    ]
}
