// Further data for the commits screen: refs, single commits, and the commits of a merge.

import { list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { MOST_TEXT } from './room.js';
import { mine, need } from './session.js';

export interface Ref {
  name: string;
  kind: 'branch' | 'tag';
  isHead: boolean;
}

/** The names of commits, by their ids. */
type Refs = Map<string, Ref[]>;

// No ref name contains a space or a colon. This asks the log, not the list of branches, because the log has
// pages, and a reviewer on a server may call it.
const NAMES = '%H%(decorate:prefix=%x20,suffix=,separator=%x20,tag=tag%x3A,pointer=%x3A)';

function refOf(said: string): Ref | undefined {
  const [, mark, name = ''] = /^(tag:|HEAD:)?(.+)$/.exec(said) ?? [];
  // Such as origin/HEAD, which is another name of a listed branch.
  if (name.endsWith('/HEAD')) return undefined;
  // Without a branch, HEAD is the checked-out commit.
  return { name, kind: mark === 'tag:' ? 'tag' : 'branch', isHead: mark === 'HEAD:' || said === 'HEAD' };
}

/** The branches and tags of the latest commits. */
export async function loadRefs(most: number): Promise<Refs> {
  const refs: Refs = new Map();
  for (let skip = 0; skip < most;) {
    const args = { format: NAMES, skip, max_count: most - skip, max_bytes: MOST_TEXT };
    const reply = await need().call('git_log', args, { as: 'user' });
    // The caller that reads the log reports its errors.
    if (reply.outcome !== 'done') break;
    for (const line of reply.text.split('\n')) {
      const [id = '', ...names] = line.split(' ');
      const found = names.map(refOf).filter((ref) => ref !== undefined);
      if (found.length > 0) refs.set(id, found);
    }
    const next = number(row(row(reply.structured).next).skip);
    if (next <= skip) break;
    skip = next;
  }
  return refs;
}

/** Up to `most` commits, in as many calls as necessary. */
export async function readLog(most: number): Promise<Row[]> {
  const found: Row[] = [];
  while (found.length < most) {
    const args = {
      skip: found.length,
      max_count: most - found.length,
      max_bytes: MOST_TEXT,
    };
    const part = row(await mine('git_log', args));
    const commits = rows(part.commits);
    found.push(...commits);
    if (part.truncated !== true || commits.length === 0) break;
  }
  return found;
}

/** A commit outside the loaded part of the log. */
export async function loadCommit(commit: string): Promise<Row> {
  const found = row(await mine('git_show', { commit, name_only: true }));
  return row(rows(found.commits)[0]);
}

export const parentsOf = (commit: Row): string[] => list(commit.parents).map(text);

export interface Merged {
  commits: Row[];
  /** How many of them are not among `commits`. */
  more: number;
}

/** The commits that a merge added to its first parent, without the merge itself. */
export async function merged(commit: Row): Promise<Merged> {
  const id = text(commit.commitId);
  const range = `${parentsOf(commit)[0] ?? ''}..${id}`;
  const found = row(
    await mine('git_show', {
      commit: range,
      name_only: true,
      max_bytes: MOST_TEXT,
    }),
  );
  return {
    commits: rows(found.commits).filter((one) => text(one.commitId) !== id),
    more: number(found.commitsOmitted),
  };
}
