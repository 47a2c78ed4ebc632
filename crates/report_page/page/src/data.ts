// The data of a report page: a JSON document and the images, both written by `neurogauge report`. Pairs and systems are
// identified by their index: `stems[p]` is the stem of pair `p`, `systems[s]` the name of system `s`. Every text may
// come from a user's file and is shown as text, never as markup.

/** Layout of this document. It changes when a page can no longer read an older one. */
export const LAYOUT = 2;

export interface ReportData {
  layout: number;
  title: string;
  /** Names of the systems, in the order of the columns. */
  systems: string[];
  /** Stems of the pairs that at least one system has. */
  stems: string[];
  metrics: Metric[];
  /** Index of the metric that the page opens with. */
  headline: number;
  /** Every reason why a pair has no value; `undefined` refers to them by index. */
  reasons: string[];
  /** `scores[s][m]`; `null` if the system's run does not have the metric. */
  scores: (Scores | null)[][];
  /** Differences of two systems over the pairs in which every system has a value; empty for one system. */
  differences: Difference[];
  /** `strips[s][m]`: names and pairs of the strip's columns, from the best pair to the worst. */
  strips: [string, number][][][];
  /** Ratings by people; `null` without any. */
  human: Human | null;
  /** What was observed of the stimuli. */
  stimuli: Observed;
  /** What was observed of each system's reconstructions. */
  reconstructions: Observed[];
  /** `details[s][p]`: what the pair matched, missed and invented; `null` if no details were kept. */
  details: (PairDetails | null)[][];
  /** Each system's pairs among their distractors, by each identification metric of its run. */
  identification: Identification[];
  /** `near_misses[s]`; `null` if the run does not have their rate, or not the detections behind it. */
  near_misses: (NearMisses | null)[];
  /** A map of the pairs by the features of their stimuli; `null` without meaningful features. */
  map: PairMap | null;
  /** The texts for the copy buttons in the section on methods, by the button's `data-copy`. */
  copies: Record<string, string>;
  /** Files that the section on methods offers, by the button's `data-download`. */
  downloads: Record<string, { name: string; text: string }>;
}

export interface Metric {
  id: string;
  label: string;
  /** A sentence that says what it measures. */
  about: string;
  direction: "higher" | "lower";
  /** The result of guessing, if it is known. */
  chance: number | null;
  decimals: number;
  /** Does it depend on a placeholder model in any system? */
  stand_in: boolean;
}

/** The outcomes of one metric of one system. */
export interface Scores {
  /** Value of each pair; `null` if it is undefined or the system lacks the pair. */
  values: (number | null)[];
  /** [pair, reason] for the pairs without a value, in the order of the pairs. */
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
  /** Two-sided p value after Holm's correction over all tested differences. */
  p_holm: number | null;
}

/** The rank of each pair's right image among distractors, by the correlation of features. */
export interface Identification {
  system: number;
  metric: number;
  /** Is a reconstruction compared with stimuli, or a stimulus with reconstructions? */
  direction: "reconstruction" | "stimulus";
  /** Names of the images in a common pool, if `nearest` refers to these; `null` if it refers to pairs. */
  pool: string[] | null;
  /** By pair; empty if nothing can be shown. */
  pairs: (Standing | null)[];
  /** Why nothing can be shown. */
  not_shown: string | null;
}

export interface Standing {
  /** One more than the number of nearer distractors. */
  rank: number;
  /** Number of distractors that are exactly as near as the right image. */
  tied: number;
  /** Number of distractors. */
  others: number;
  /** Similarity of the right image. */
  own: number;
  /** The nearest distractors with their similarities, nearest first. */
  nearest: [number, number][];
}

/** The two leading principal axes of features whose rows have mean 0 and length 1. */
export interface PairMap {
  /** The metric whose features are used. */
  features: string;
  /** By pair; `null` if it has no features. */
  at: ([number, number] | null)[];
  /** The axes' shares of the variance. */
  shares: [number, number];
}

/** Categories that are missed while others of the same supercategory are found. */
export interface NearMisses {
  names: string[];
  /** Supercategory of each name, as a number. */
  groups: number[];
  /** [pair, missed category, categories found instead]; categories are indices of names. */
  found: [number, number, number[]][];
  /** Number of pairs that were examined. */
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

/** Left, top, right and bottom, as fractions of width and height. */
export interface Box {
  at: [number, number, number, number];
  name: string;
  score: number | null;
}

/** Run lengths column by column, starting with background, as in COCO. */
export interface Mask {
  name: string;
  width: number;
  height: number;
  runs: number[];
}

/** By metric (or the metric that represents its family) and level. */
export type PairDetails = Record<string, Record<string, LevelDetails>>;

export interface LevelDetails {
  matched: Entry[];
  missed: Entry[];
  invented: Entry[];
}

/** Something that was matched, missed or invented, as in `details.jsonl`. */
export interface Entry {
  reference?: string;
  reconstruction?: string;
  how?: "exact" | "synonym" | "embedding";
  similarity?: number;
  threshold?: number;
  reference_dimension?: string;
  reconstruction_dimension?: string;
}

/** The images; a separate document, so that the first one can be read without them. */
export interface Images {
  /** Prefix that turns each text into an address: `data:image/jpeg;base64,`, or empty for linked files. */
  prefix: string;
  /** By pair; `null` if there is no image. */
  stimuli: (string | null)[];
  reconstructions: (string | null)[][];
  /** The images of items that have several; `null` if each item has one. */
  parts: Parts | null;
}

/** Frames, views and samples of items. */
export interface Parts {
  /** Addresses like those above. */
  images: string[];
  /** By pair; empty if nothing is kept. */
  stimuli: Part[][];
  reconstructions: Part[][][];
}

/** A view or a sample, or the only part of an item. */
export interface Part {
  /** A name such as "sample 3"; empty for the only part. */
  name: string;
  /** Indices into `images`; a still has one. */
  frames: number[];
  /** Number of frames, including those that are not kept. */
  of: number;
}
