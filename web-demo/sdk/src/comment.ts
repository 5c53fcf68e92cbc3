// What a person says about a push, and what of it they have seen.

/** Which of the two texts of a file. */
export type Side = 'old' | 'new';

/** What a comment is about. `lines` and those around them find the place again in a later push. */
export type Place =
  | { on: 'push' }
  | { on: 'file'; path: string }
  | {
      on: 'lines';
      path: string;
      side: Side;
      /** Counted from 1. */
      first: number;
      last: number;
      lines?: string[];
      before?: string[];
      after?: string[];
    };

/** Whether a comment must be answered before the push is approved. */
export type Weight = 'must' | 'note';

/** A comment that a person is about to make. */
export interface Draft {
  /** The head of the push that they look at. */
  commit: string;
  place: Place;
  /** Default: must. */
  weight?: Weight;
  text: string;
}

export interface CommentReply {
  by: string;
  /** Whether it is the agent's: then its text is foreign. */
  agent: boolean;
  text: string;
  /** Seconds since 1970. */
  at: number;
}

/** A comment on the pushes to a branch. */
export interface Comment {
  id: string;
  commit: string;
  place: Place;
  weight: Weight;
  text: string;
  by: string;
  /** Seconds since 1970. */
  at: number;
  /** Whether the agent has been told of it. */
  sent: boolean;
  replies: CommentReply[];
  settled: { by: string; at: number } | null;
}

/** The lines of a listed file where the text stands that a comment is about. */
export interface Spot {
  file: number;
  side: Side;
  first: number;
  last: number;
}

/** A change of a comment by a person. Only a comment that the agent does not know is withdrawn. */
export type CommentChange = { change: 'settle' | 'reopen' | 'withdraw' } | { change: 'reply'; text: string };

/** What a hunk is. Equal changes at the same place have equal keys. */
export interface UnitKey {
  content: string;
  base: string | null;
  line: number;
  unique: boolean;
}

/** A part of a file that is seen at once: a hunk, or a change without any. */
export interface Unit {
  key: UnitKey;
  /** Whether it is new to those who reviewed earlier pushes, changed since then, or the same. */
  state: 'new' | 'changed' | 'same';
  /** Who saw it, or what was there before. */
  by: string | null;
  /** The difference to what was seen, as lines with signs, if that says all that is new. */
  since: string | null;
  /** What was seen there. */
  before: UnitKey | null;
}

/** A file of a patch that has no place among those of the review. Its texts are escaped for a screen. */
export interface PatchFile {
  /** Git's letter, or R. */
  letter: string;
  path: string;
  from: string | null;
  /** Such as `+12 -3`. */
  said: string;
  head: string;
  hunks: string[];
}

/** A file of a review as a person goes through it. */
export interface Listed {
  path: string;
  /** The places of its changes among the patches, the new path first. */
  files: number[];
  /** How it changed while it moved. */
  moved: PatchFile | null;
  /** Whether it is one part: all of its patch. Otherwise each hunk is one. */
  whole: boolean;
  units: Unit[];
}

/** That a person has seen a part of a push, or does not count it as seen any more. */
export interface Look {
  path: string;
  key: UnitKey;
  /** What was shown of it. */
  text: string;
  /** What was seen in its place before. */
  instead?: UnitKey | null;
  seen: boolean;
}

/** The push that comments and looks are about. A server knows it by the id of the waiting call. */
export interface About {
  id: string | null;
  target: string;
  reference: string;
}
