// How a call ends.

import type { Push, Waiting } from './question.js';
import type { Json } from './tools.js';

/** The tool ran to its end. */
export interface Done {
  outcome: 'done';
  /** For an agent. */
  text: string;
  /** The same for a program. */
  structured: Json;
  truncated: boolean;
}

/** The tool refused, or a person rejected the call. Nothing has changed. */
export interface Failed {
  outcome: 'failed';
  kind: string;
  message: string;
  hint: string;
  /** What a person said who rejected it. */
  reason: string | null;
  /** What a call that took too long had found. */
  partial: string | null;
}

/**
 * Nobody has approved the call yet, and nothing has changed. If it `waits`, it can be decided
 * about.
 */
export interface Pending {
  outcome: 'pending';
  reason: string;
  hint: string;
  waits: boolean;
  push: Push | null;
  inside: Waiting['inside'];
}

export type Reply = Done | Failed | Pending;

/** What an export ends with. */
export type Exported = (Done & { bytes: Uint8Array }) | Failed | Pending;
