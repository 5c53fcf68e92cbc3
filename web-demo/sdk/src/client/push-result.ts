// Parses the result of a push, as `component/tools/src/toolset/git/push/report.rs` writes it. A reply may belong to
// any call, so each field is checked.

import { GitgateError } from '../error.js';
import type { Done, PushResult } from '../reply.js';
import type { Json } from '../tools.js';

/**
 * The result of a push, from a reply to `git_push`, whoever called it, or from the decision about a waiting
 * push.
 */
export function pushResult({ structured }: Done): PushResult {
  const row = fields(structured);
  const { status, conflict } = row;
  if (status !== 'success' && status !== 'conflict' && status !== 'changes-requested') throw wrong('status');
  return {
    status,
    target: text(row, 'target'),
    branch: text(row, 'branch'),
    commitSha: textOrNull(row, 'commitSha'),
    commits: list(row, 'commits').map((commit) => ({
      id: text(commit, 'id'),
      commitSha: text(commit, 'commitSha'),
      subject: text(commit, 'subject'),
    })),
    commitsOmitted: row['commitsOmitted'] === undefined ? 0 : number(row, 'commitsOmitted'),
    conflict: conflict === undefined ? null : conflictOf(fields(conflict)),
    hint: text(row, 'hint'),
  };
}

type Row = { [name: string]: Json };

function conflictOf(row: Row): NonNullable<PushResult['conflict']> {
  return {
    reason: text(row, 'reason'),
    message: text(row, 'message'),
    targetHead: textOrNull(row, 'targetHead'),
  };
}

function wrong(name: string): GitgateError {
  return new GitgateError('usage', `this is not the reply to a push: ${name}`, 'give the reply to git_push');
}

function fields(value: Json): Row {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong('it has no fields');
}

function text(row: Row, name: string): string {
  const { [name]: value } = row;
  if (typeof value === 'string') return value;
  throw wrong(name);
}

function textOrNull(row: Row, name: string): string | null {
  return row[name] === undefined || row[name] === null ? null : text(row, name);
}

function number(row: Row, name: string): number {
  const { [name]: value } = row;
  if (typeof value === 'number') return value;
  throw wrong(name);
}

function list(row: Row, name: string): Row[] {
  const { [name]: value } = row;
  if (Array.isArray(value)) return value.map(fields);
  throw wrong(name);
}
