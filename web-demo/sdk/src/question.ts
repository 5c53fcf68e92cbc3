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
  review: Json;
}

/** May this push leave? */
export interface PushQuestion {
  reasons: string[];
  offer: Offer | null;
  push: (Push & { digest: string }) | null;
}

export type Question = { about: 'call'; call: CallQuestion } | { about: 'push'; push: PushQuestion };

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
