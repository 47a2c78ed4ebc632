//! Test sets of the field: how many stimuli, and how they are numbered.

use serde::Serialize;

/// A test set whose stimuli are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Protocol {
    /// Its id.
    pub id: &'static str,
    /// Number of stimuli.
    pub n_stimuli: usize,
    /// Which stimuli, in which order.
    pub stimuli: &'static str,
    /// The subjects of whom it is reported.
    pub subjects: &'static str,
    /// Who uses it.
    pub used_by: &'static str,
}

/// The known test sets.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol {
        id: "nsd-982",
        n_stimuli: 982,
        stimuli: "NSD images that all subjects of the first release saw, in MindEye1's order",
        subjects: "subj01, subj02, subj05, subj07",
        used_by: "MindEye1, Brain-Diffuser, UMBRAE, BrainHub",
    },
    Protocol {
        id: "nsd-1000",
        n_stimuli: 1000,
        stimuli: "NSD images that all subjects saw, in MindEye2's order; 18 of them are not in nsd-982",
        subjects: "subj01, subj02, subj05, subj07",
        used_by: "MindEye2",
    },
    Protocol {
        id: "nsd-515",
        n_stimuli: 515,
        stimuli: "NSD images that all eight subjects saw three times",
        subjects: "subj01 to subj08",
        used_by: "recovery profiles",
    },
    Protocol {
        id: "things-eeg2-200",
        n_stimuli: 200,
        stimuli: "test images of THINGS-EEG2, one of each of 200 concepts",
        subjects: "sub-01 to sub-10",
        used_by: "NICE, ATM, UBP",
    },
];

impl Protocol {
    /// The protocol with this id.
    pub fn find(id: &str) -> Option<&'static Protocol> {
        PROTOCOLS.iter().find(|protocol| protocol.id == id)
    }

    /// Do pairs of these stems have its number and numbering?
    ///
    /// ```
    /// use neurogauge_board::Protocol;
    /// let protocol = Protocol::find("things-eeg2-200").unwrap();
    /// let stems: Vec<String> = (0..200).map(|place| format!("{place:03}")).collect();
    /// assert!(protocol.fits(&stems) && !protocol.fits(&stems[1..]));
    /// ```
    pub fn fits(&self, stems: &[String]) -> bool {
        let mut places = stems.iter().map(|stem| stem.parse::<usize>());
        let is_numbered = (0..)
            .zip(&mut places)
            .all(|(place, found)| found == Ok(place));
        stems.len() == self.n_stimuli && is_numbered
    }
}

/// The protocol whose number and numbering these stems have. No two protocols have the same.
pub fn protocol_of(stems: &[String]) -> Option<&'static Protocol> {
    PROTOCOLS.iter().find(|protocol| protocol.fits(stems))
}
