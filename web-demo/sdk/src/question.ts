// Questions to a person, and the answers.

import type { Comment, Listed, PatchFile, Spot } from './comment.js';
import type { Json } from './tools.js';

/** The rule that a person may save with an approval, and where. */
export interface Offer {
  rule: string;
  place: string;
}

/**
 * May this call proceed? Its texts are escaped, but they come from an agent: never use them as markup.
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

/** One side of a changed file. `size` is null if the target does not hold the content. */
export interface FileVersion {
  /** Six octal digits, as git writes them. */
  mode: string;
  id: string;
  size: number | null;
}

/** A changed file. A rename is a deletion and an addition. */
export interface FileChange {
  status: 'A' | 'M' | 'D' | 'T';
  /** In git's C-style quotes if necessary: a revision uses this form. */
  path: string;
  old: FileVersion | null;
  new: FileVersion | null;
  added: number;
  deleted: number;
  /** Git takes it for binary, and the patch shows only its readable parts. */
  binary: boolean;
  /** By name or looks it must be text, but it has NUL bytes. The patch shows all of it. */
  disguised: boolean;
  /** The encoding of a text that git takes for binary, such as UTF-16. The patch shows it in UTF-8. */
  encoding: string | null;
  link: string | null;
  /** Added lines have characters that screens hide or reorder. */
  hidden_characters: boolean;
  conflict_markers: boolean;
  lfs_pointer: boolean;
}

/** Content or a path that a commit of a push has and its final files lack. It leaves too. */
export interface IntermediateFile {
  /** The commit that adds it. */
  commit: string;
  /** The change of that commit against its first parent. */
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

/** A risk, for programs. Risks about a file have its `path`, escaped for a screen. */
export interface Flag {
  flag: string;
  path?: string;
  [detail: string]: Json | undefined;
}

/** A push, compared with the target. */
export interface Review {
  target: string;
  reference: string;
  old: string | null;
  new: string;
  base: string | null;
  new_branch: boolean;
  /** Oldest first. */
  commits: CommitLine[];
  /** The number of earlier commits that also leave and that the sandbox was created with. */
  supplied: number;
  files: FileChange[];
  /** Contents that only intermediate commits hold. */
  intermediate: IntermediateFile[];
  /** The most severe first. */
  flags: Flag[];
}

/** A file's patch. All its texts are escaped for a screen, including `path`. */
export interface Patch {
  path: string;
  /** The text before the hunks. Without hunks (a link, a binary file) it is the whole patch. */
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
  /** The digest for an approval. An agent's reply has none. */
  digest: string | null;
  target: string;
  branch: string;
  /** A line for each file. */
  summary: string;
  /** A line for each risk. */
  warnings: string;
  /** Every commit with its message, and every change. */
  whole: string;
  /** The whole review, for programs. */
  review: Review;
}

/** May this push leave? */
export interface PushQuestion {
  reasons: string[];
  offer: Offer | null;
  push: (Push & { digest: string }) | null;
  /** One for each file of the review, in order, then one for each intermediate file. */
  patches: Patch[] | null;
  /** One for each flag of the review, in its order. */
  risks: Risk[] | null;
  /** Who is asked, as marks and comments name them. */
  who?: string;
  /** The files as a person goes through them: one that moved is one. */
  listed?: Listed[];
  /** The path of each part that was seen in an earlier push and is gone. */
  gone?: string[];
  /** The files of each commit; none if they are not gone through one by one. */
  steps?: PatchFile[][];
  /** The comments on pushes to the branch. */
  comments?: (Comment & { spot: Spot | null })[];
}

/**
 * `id` is that of the waiting call, which can be answered elsewhere by it. A user's call does not wait, so
 * its `id` is null.
 */
export type Question = { id: string | null } & (
  | { about: 'call'; call: CallQuestion }
  | { about: 'push'; push: PushQuestion }
);

/** Edits to a push. Hunk numbers are the review's. `upto` is the full id of the last commit that is to leave. */
export interface Revision {
  leaveOut?: { path: string; hunks?: number[]; context?: number }[];
  message?: string;
  upto?: string;
}

/**
 * A person's answer. `digest` is that of the push they saw. `remember` saves the offered rule. `askChanges`
 * sends the open comments on the push to the agent. `later` leaves the call waiting.
 */
export type Answer =
  | { say: 'approve'; digest?: string; remember?: boolean }
  | { say: 'reject'; reason: string }
  | { say: 'askChanges'; reason: string }
  | { say: 'revise'; revision: Revision }
  | { say: 'later'; reason?: string };

/** A call that waits for a person. A push has no `inside`: its review covers its present state. */
export interface Waiting {
  id: string;
  tool: string;
  arguments: string;
  /** Seconds since 1970. */
  at: number;
  inside: { severity: CallQuestion['severity']; summary: string; detail: string; reasons: string[] } | null;
}
