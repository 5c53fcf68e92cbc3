// What a person is asked, and what they answer.

import type { Json } from './tools.js';

/** The rule that a person may save with an approval, and where. */
export interface Offer {
  rule: string;
  place: string;
}

/**
 * May this call go on? Its texts are escaped, but they are an agent's: never use them as markup.
 */
export interface CallQuestion {
  tool: string;
  severity: 'low' | 'medium' | 'high';
  /** One line. */
  summary: string;
  detail: string;
  reasons: string[];
  offer: Offer | null;
}

/** One side of a changed file. `size` is null where the target does not hold the content. */
export interface FileVersion {
  /** Six octal digits, as git writes them. */
  mode: string;
  id: string;
  size: number | null;
}

/** A changed file. A rename is a deletion and an addition. */
export interface FileChange {
  status: 'A' | 'M' | 'D' | 'T';
  /** In git's C-style quotes where it needs them: what a revision names it by. */
  path: string;
  old: FileVersion | null;
  new: FileVersion | null;
  added: number;
  deleted: number;
  /** Git takes it for binary, and the patch has only what can be read in it. */
  binary: boolean;
  /** It has to be text, by its name or its looks, and has NUL bytes. The patch has all of it. */
  disguised: boolean;
  /** The encoding of a text that git takes for binary, such as UTF-16. The patch has it in UTF-8. */
  encoding: string | null;
  link: string | null;
  /** Added lines have characters that screens hide or reorder. */
  hidden_characters: boolean;
  conflict_markers: boolean;
  lfs_pointer: boolean;
}

/** Content or a path that a commit of a push has and its final files have not. It leaves, too. */
export interface IntermediateFile {
  /** The commit that brings it. */
  commit: string;
  /** What that commit does there to its first parent. */
  change: FileChange;
}

/** A commit of a push. */
export interface CommitLine {
  id: string;
  parents: string[];
  subject: string;
  message: string;
  author: string;
  date: string;
  committer: string;
  committer_date: string;
}

/** A risk, for programs. Those about a file have its `path` as a screen shows it. */
export interface Flag {
  flag: string;
  path?: string;
  [detail: string]: Json | undefined;
}

/** A push, compared with what the target has. */
export interface Review {
  target: string;
  reference: string;
  old: string | null;
  new: string;
  base: string | null;
  new_branch: boolean;
  /** Oldest first. */
  commits: CommitLine[];
  /** How many earlier commits leave, too, which the sandbox was created with. */
  supplied: number;
  files: FileChange[];
  /** What only intermediate commits hold. */
  intermediate: IntermediateFile[];
  /** The most severe first. */
  flags: Flag[];
}

/** A file's patch. Its texts are escaped for a screen; `path`, too. */
export interface Patch {
  path: string;
  /** What stands before the hunks. All of it, for what has none: a link, a binary file. */
  head: string;
  /** Each with its `@@` line. A revision counts them from 1. */
  hunks: string[];
}

/** A risk in words. */
export interface Risk {
  severity: 'low' | 'medium' | 'high';
  sentence: string;
}

/** What would leave the sandbox. */
export interface Push {
  /** What an approval names. An agent's reply has none. */
  digest: string | null;
  target: string;
  branch: string;
  /** A line for each file. */
  summary: string;
  /** A line for each risk. */
  warnings: string;
  /** Every commit with its message, and everything that would change. */
  whole: string;
  /** The whole review, for programs. */
  review: Review;
}

/** May this push leave? */
export interface PushQuestion {
  reasons: string[];
  offer: Offer | null;
  push: (Push & { digest: string }) | null;
  /** One for each file of the review, in its order, then one for each intermediate file. */
  patches: Patch[] | null;
  /** One for each flag of the review, in its order. */
  risks: Risk[] | null;
}

/**
 * `id` is that of the waiting call, by which it can be answered elsewhere. A call of the user does
 * not wait, and has none.
 */
export type Question = { id: string | null } & (
  | { about: 'call'; call: CallQuestion }
  | { about: 'push'; push: PushQuestion }
);

/** Edits to a push. Hunks are counted as the review counts them. */
export interface Revision {
  leaveOut?: { path: string; hunks?: number[]; context?: number }[];
  message?: string;
}

/**
 * What a person says. `digest` is that of the push which they saw. `remember` saves the rule that
 * was offered. `later` leaves the call waiting.
 */
export type Answer =
  | { say: 'approve'; digest?: string; remember?: boolean }
  | { say: 'reject'; reason: string }
  | { say: 'revise'; revision: Revision }
  | { say: 'later'; reason?: string };

/** A call that waits for a person. A push has no `inside`: it is reviewed in its present state. */
export interface Waiting {
  id: string;
  tool: string;
  arguments: string;
  /** Seconds since 1970. */
  at: number;
  inside: { severity: CallQuestion['severity']; summary: string; detail: string; reasons: string[] } | null;
}
