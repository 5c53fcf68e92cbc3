// Groups the audit log into decisions as a person remembers them: a push and its outcome are one.

import type { Json } from 'gitgate';

import { list, number, row, text } from './json.js';
import type { Row } from './json.js';

export type Kind = 'push' | 'bundle' | 'call' | 'rule' | 'unknown';
/** `open` is a push whose outcome is unknown so far. */
export type Result = 'landed' | 'not-landed' | 'in-doubt' | 'settled' | 'open';

export interface Decision {
  kind: Kind;
  /** In milliseconds. */
  at: number;
  who: string;
  /** The decision in words without its author. `at the prompt` goes without saying. */
  how: string;
  isRejected: boolean;
  reason: string;
  result: Result | undefined;
  /** Who settled a push with a doubtful outcome. */
  settledBy: string;
  target: string;
  branch: string;
  old: string;
  new: string;
  digest: string;
  tool: string;
  caller: string;
  summary: string;
  rule: string;
  /** Its log records, unchanged. */
  records: Json[];
}

const NONE: Omit<Decision, 'records'> = {
  kind: 'unknown',
  at: 0,
  who: '',
  how: '',
  isRejected: false,
  reason: '',
  result: undefined,
  settledBy: '',
  target: '',
  branch: '',
  old: '',
  new: '',
  digest: '',
  tool: '',
  caller: '',
  summary: '',
  rule: '',
};

function howOf(how: Json | undefined): string {
  const rule = row(row(how).rule);
  if (rule.name !== undefined) return `by the rule ${text(rule.name)}`;
  const known: { [how: string]: string } = {
    prompt: '',
    digest: 'by its digest',
    unattended: 'without being asked',
    command: 'on the command line',
  };
  return known[text(how)] ?? text(how);
}

const decided = (by: Json | undefined) => ({ who: text(row(by).by), how: howOf(row(by).how) });
const time = (at: Json | undefined): number => number(at) * 1000;

function pushed(record: Row, by: Json | undefined): Partial<Decision> {
  return {
    kind: record.host === 'export' ? 'bundle' : 'push',
    ...decided(by),
    target: text(record.target),
    branch: text(record.reference).replace(/^refs\/heads\//, ''),
    old: text(record.old),
    new: text(record.new),
    digest: text(record.digest),
    at: time(record.at),
  };
}

function rejected(record: Row): Partial<Decision> {
  const isBundle = text(record.target).startsWith('bare:/exports/');
  const kind = isBundle ? 'bundle' : 'push';
  return { ...pushed(record, record.rejected), kind, isRejected: true, reason: text(record.reason) };
}

function called(record: Row): Partial<Decision> {
  const why = row(record.verdict).rejected;
  return {
    kind: 'call',
    ...decided(record.decided),
    isRejected: why !== undefined,
    reason: text(why),
    tool: text(record.tool),
    caller: text(record.caller),
    summary: text(record.summary),
    at: time(record.at),
  };
}

function known(record: Row): Partial<Decision> {
  if (record.intent !== undefined) {
    const intent = row(record.intent);
    return { ...pushed(intent, intent.approved), result: 'open' };
  }
  if (record.rejection !== undefined) return rejected(row(record.rejection));
  if (record.call !== undefined) return called(row(record.call));
  if (record.remembered === undefined) return {};
  const saved = row(record.remembered);
  return { kind: 'rule', ...decided(saved.decided), rule: text(saved.rule), at: time(saved.at) };
}

const RESULTS: Result[] = ['landed', 'not-landed', 'in-doubt', 'settled'];

/** The decisions in records that are oldest first, newest first. Each record belongs to one of them. */
export function decisionsOf(records: Json[]): Decision[] {
  const found: Decision[] = [];
  const byNonce = new Map<string, Decision>();
  for (const one of records) {
    const record = row(one);
    const outcome = row(record.outcome);
    const push = byNonce.get(text(outcome.nonce));
    const result = RESULTS.find((known) => known === outcome.result);
    if (push && result) {
      push.result = result;
      push.settledBy = text(outcome.by);
      push.records.push(one);
      continue;
    }
    const decision: Decision = { ...NONE, ...known(record), records: [one] };
    found.push(decision);
    if (record.intent !== undefined) byNonce.set(text(row(record.intent).nonce), decision);
  }
  return found.reverse();
}

/** The number of commits that a branch got, if all of them are known. */
export function countBetween(commits: Row[], old: string, now: string): number | undefined {
  const parents = new Map(commits.map((one) => [text(one.commitId), list(one.parents).map(text)]));
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = from === '' ? [] : [from];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(parents.get(id) ?? []));
    }
    return seen;
  };
  const before = reached(old);
  const got = [...reached(now)].filter((id) => !before.has(id));
  return got.every((id) => parents.has(id)) ? got.length : undefined;
}
