// What a report page is made of: one JSON document and the images, both written by `neurogauge report`.
//
// Pairs and systems are known by their place: `stems[p]` is the stem of pair `p`, `systems[s]` the name of system `s`.
// Every text may come from a user's file and is shown as text, never as markup.

/** Layout of this document. Raised when a page can no longer read an older one. */
export const LAYOUT = 2;

export interface ReportData {
  layout: number;
  title: string;
  /** Names of the systems, in the order of the columns. */
  systems: string[];
  /** Stems of the pairs that at least one system has. */
  stems: string[];
  metrics: Metric[];
  /** The metric that the page opens with. */
  headline: number;
  /** Every reason why a pair has no value, referred to by its place. */
  reasons: string[];
  /** `scores[s][m]`; `null` where the system's run does not have the metric. */
  scores: (Scores | null)[][];
  /** Differences of two systems over the pairs in which every system has a value; empty for one system. */
  differences: Difference[];
  /** Ranks of the systems by each metric with a test; empty for one system. */
  ranks: Ranks[];
  /** `strips[s][m]`: names and pairs of the strip's columns, from the best pair to the worst. */
  strips: [string, number][][][];
  /** Ratings by people; `null` without any. */
  human: Human | null;
  /** What was observed of the stimuli. */
  stimuli: Observed;
  /** What was observed of each system's reconstructions. */
  reconstructions: Observed[];
  /** `details[s][p]`, what the pair matched, missed and invented; `null` where nothing was kept. */
  details: (PairDetails | null)[][];
  /** Each system's pairs among their distractors, by each identification metric of its run. */
  identification: Identification[];
  /** `near_misses[s]`; `null` where the run has no rate of them, or not the detections behind it. */
  near_misses: (NearMisses | null)[];
  /** Where the pairs lie by the features of their stimuli; `null` without features that mean something. */
  map: PairMap | null;
  /** What the copy buttons of the section on methods copy, by the button's `data-copy`. */
  copies: Record<string, string>;
  /** Files that the section on methods offers, by the button's `data-download`. */
  downloads: Record<string, { name: string; text: string }>;
}

export interface Metric {
  id: string;
  label: string;
  /** One sentence on what it measures. */
  about: string;
  direction: "higher" | "lower";
  /** What guessing gives, where that is known. */
  chance: number | null;
  decimals: number;
  /** Does it rest on a placeholder model in any system? */
  stand_in: boolean;
}

/** The outcomes of one metric of one system. */
export interface Scores {
  /** By pair; `null` where it is undefined or the system lacks the pair. */
  values: (number | null)[];
  /** [pair, reason] of the pairs without a value, in the order of the pairs. */
  undefined: [number, number][];
  mean: number | null;
  interval: [number, number] | null;
}

/** `a` minus `b`, over the pairs in which every system has a value. */
export interface Difference {
  metric: string;
  a: number;
  b: number;
  difference: number | null;
  interval: [number, number] | null;
  /** Two-sided p value after Holm's correction over all differences that are tested. */
  p_holm: number | null;
}

/** 1 is the best; equal ones share the mean of their ranks. */
export interface Ranks {
  metric: string;
  /** By system: its rank, and the best and the worst rank that the tests of the differences leave possible. */
  systems: ([number, number, number] | null)[];
}

/** The rank of each pair's right image among distractors, by the correlation of features. */
export interface Identification {
  system: number;
  metric: number;
  /** Is the stimulus of a reconstruction looked for among stimuli, or the reconstruction of a stimulus among reconstructions? */
  direction: "reconstruction" | "stimulus";
  /** Names of a common pool's images, where `nearest` refers to these; `null` where it refers to pairs. */
  pool: string[] | null;
  /** By pair; empty where nothing can be shown. */
  pairs: (Standing | null)[];
  /** Why nothing can be shown. */
  not_shown: string | null;
}

export interface Standing {
  /** One more than the number of nearer distractors. */
  rank: number;
  /** Distractors exactly as near as the right image. */
  tied: number;
  /** Number of distractors. */
  others: number;
  /** Similarity of the right image. */
  own: number;
  /** The nearest distractors with their similarities, the nearest first. */
  nearest: [number, number][];
}

/** The two leading principal axes of features whose rows have mean 0 and length 1. */
export interface PairMap {
  /** The metric whose features these are. */
  features: string;
  /** By pair; `null` where it has no features. */
  at: ([number, number] | null)[];
  /** Shares of the variance that the axes have. */
  shares: [number, number];
}

/** Categories that are missed where others of their supercategory are there. */
export interface NearMisses {
  names: string[];
  /** Supercategory of each name, as a number. */
  groups: number[];
  /** [pair, what is missed, what is there instead], names by their place. */
  found: [number, number, number[]][];
  /** Pairs that were asked. */
  n_pairs: number;
}

/** Mean ratings, `values[s][p]`. */
export interface Human {
  label: string;
  values: (number | null)[][];
}

/** What models or people observed in the images of one side; each list by pair. */
export interface Observed {
  /** Captions of each image, several references of a stimulus. */
  captions: string[][] | null;
  boxes: Box[][] | null;
  masks: Mask[][] | null;
}

/** Left, top, right and bottom as shares of width and height. */
export interface Box {
  at: [number, number, number, number];
  name: string;
  score: number | null;
}

/** Run lengths column by column, background first, as COCO has them. */
export interface Mask {
  name: string;
  width: number;
  height: number;
  runs: number[];
}

/** By metric (or the metric that stands for its family) and level. */
export type PairDetails = Record<string, Record<string, LevelDetails>>;

export interface LevelDetails {
  matched: Entry[];
  missed: Entry[];
  invented: Entry[];
}

/** One thing that was matched, missed or invented, as `details.jsonl` has it. */
export interface Entry {
  reference?: string;
  reconstruction?: string;
  how?: "exact" | "synonym" | "embedding";
  similarity?: number;
  threshold?: number;
  reference_dimension?: string;
  reconstruction_dimension?: string;
}

/** The images; a second document, so that the first is read without them. */
export interface Images {
  /** What stands before each text to make an address: `data:image/jpeg;base64,` or empty for linked files. */
  prefix: string;
  /** By pair; `null` if there is no image. */
  stimuli: (string | null)[];
  reconstructions: (string | null)[][];
  /** The images of items that have several; `null` where each item has one. */
  parts: Parts | null;
}

/** Frames, views and samples of items. */
export interface Parts {
  /** Addresses like those above. */
  images: string[];
  /** By pair; empty where nothing is kept. */
  stimuli: Part[][];
  reconstructions: Part[][][];
}

/** A view or a sample, or all there is. */
export interface Part {
  /** Such as "sample 3"; empty for the only one. */
  name: string;
  /** Places in the images; a still has one. */
  frames: number[];
  /** Number of its frames, including frames that are not kept. */
  of: number;
}
