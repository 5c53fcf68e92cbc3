// How a call ends.

import type { Push, Waiting } from './question.js';
import type { Json } from './tools.js';

/** The tool ran to its end. For a push, that does not mean that it landed: see `pushResult`. */
export interface Done<S = Json> {
  outcome: 'done';
  /** The result for an agent. */
  text: string;
  /** The result for a program. */
  structured: S;
  truncated: boolean;
}

/** The tool refused, or a person rejected the call. Nothing changed. */
export interface Failed {
  outcome: 'failed';
  kind: string;
  message: string;
  hint: string;
  /** The words of the person who rejected it. */
  reason: string | null;
  /** The partial result of a call that took too long. */
  partial: string | null;
}

/**
 * Nobody has approved the call yet, and nothing changed. If `waits` is set, somebody can still decide.
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

/** The result of a push. Its texts come from an agent or the target. */
export interface PushResult {
  /**
   * `success` also if the target had it already. With `conflict` nothing left, and with `changes-requested` a person
   * wants it otherwise.
   */
  status: 'success' | 'conflict' | 'changes-requested';
  target: string;
  branch: string;
  /** The branch's commit at the target, if that is the pushed one. */
  commitSha: string | null;
  /** The sent commits, oldest first, with their ids in the sandbox and at the target. */
  commits: { id: string; commitSha: string; subject: string }[];
  /** The number of earlier ones that are not listed. */
  commitsOmitted: number;
  /** The obstacle: `non-fast-forward` if the target has commits that the sandbox lacks. */
  conflict: { reason: string; message: string; targetHead: string | null } | null;
  hint: string;
}

/** The result of an export. */
export type Exported = (Done & { bytes: Uint8Array }) | Failed | Pending;

/**
 * The same in transit: copying and parsing a text is faster than cloning a value.
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

/** Whether a person wants a push otherwise. */
export function isToChange(sent: Sent<Reply>): boolean {
  if (sent.outcome !== 'done') return false;
  const found = value(sent.structured);
  return typeof found === 'object' && found !== null && !Array.isArray(found) && found['status'] === 'changes-requested';
}
