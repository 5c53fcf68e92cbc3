// How a call ends.

import type { Push, Waiting } from './question.js';
import type { Json } from './tools.js';

/** The tool ran to its end. Of a push that does not say that it has landed: see `pushResult`. */
export interface Done<S = Json> {
  outcome: 'done';
  /** For an agent. */
  text: string;
  /** The same for a program. */
  structured: S;
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

export type Reply<S = Json> = Done<S> | Failed | Pending;

/** What a push came to. Its texts are an agent's or the target's. */
export interface PushResult {
  /** `success` also if the target had it already. With a `conflict` nothing has left. */
  status: 'success' | 'conflict';
  target: string;
  branch: string;
  /** The branch's commit at the target, if that is what was to be pushed. */
  commitSha: string | null;
  /** What was sent, oldest first, with its ids in the sandbox and at the target. */
  commits: { id: string; commitSha: string; subject: string }[];
  /** How many earlier ones are not listed. */
  commitsOmitted: number;
  /** What is in the way: `non-fast-forward` if the target has commits that the sandbox has not. */
  conflict: { reason: string; message: string; targetHead: string | null } | null;
  hint: string;
}

/** What an export ends with. */
export type Exported = (Done & { bytes: Uint8Array }) | Failed | Pending;

/**
 * The same on its way to whoever asked: a text is copied and parsed sooner than a value is cloned.
 */
export type Sent<R> = R extends Done ? Omit<R, 'structured'> & { structured: string } : R;

function value(structured: string): Json {
  // The host has checked that it is JSON.
  const parsed: Json = JSON.parse(structured);
  return parsed;
}

export function received(sent: Sent<Reply>): Reply {
  return sent.outcome === 'done' ? { ...sent, structured: value(sent.structured) } : sent;
}

export function receivedExport(sent: Sent<Exported>): Exported {
  return sent.outcome === 'done' ? { ...sent, structured: value(sent.structured) } : sent;
}
