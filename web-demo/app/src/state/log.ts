// What the screen of the commits asks for beyond the log: names, one commit, what a merge brought in.

import { list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { MOST_TEXT } from './room.js';
import { mine, need } from './session.js';

export interface Ref {
  name: string;
  kind: 'branch' | 'remote' | 'tag';
  isHead: boolean;
}

/** The names of commits, by their ids. */
type Refs = Map<string, Ref[]>;

interface Named {
  of: Refs;
  /** How many branches the tool has not listed. It has no next page. */
  more: number;
}

// No name of a ref has a space or a colon.
const TAGS = '%H%(decorate:prefix=%x20,suffix=,separator=%x20,tag=tag:)';

async function branches(refs: Refs): Promise<number> {
  const found = row(await mine('git_branch', { list_all: true }));
  for (const one of rows(found.branches)) {
    // Such as origin/HEAD, which is another name of a branch that is listed itself.
    if (one.symbolic !== undefined) continue;
    const id = text(one.commitId);
    const kind = one.remote === true ? 'remote' : 'branch';
    refs.set(id, [...(refs.get(id) ?? []), { name: text(one.name), kind, isHead: one.current === true }]);
  }
  return number(found.branchesOmitted);
}

async function tags(refs: Refs, most: number): Promise<void> {
  for (let skip = 0; skip < most;) {
    const args = {
      format: TAGS,
      skip,
      max_count: most - skip,
      max_bytes: MOST_TEXT,
    };
    const reply = await need().call('git_log', args, { as: 'user' });
    // Whoever reads the log says what is wrong with it.
    if (reply.outcome !== 'done') return;
    for (const line of reply.text.split('\n')) {
      const [id = '', ...names] = line.split(' ');
      const found = names.filter((name) => name.startsWith('tag:')).map((name) => name.slice('tag:'.length));
      const all = found.map((name): Ref => ({
        name,
        kind: 'tag',
        isHead: false,
      }));
      if (all.length > 0) refs.set(id, [...(refs.get(id) ?? []), ...all]);
    }
    const next = number(row(row(reply.structured).next).skip);
    if (next <= skip) return;
    skip = next;
  }
}

/** Of the latest commits, the branches and the tags. */
export async function loadRefs(most: number): Promise<Named> {
  const of: Refs = new Map();
  const more = await branches(of);
  await tags(of, most);
  return { of, more };
}

/** Up to `most` commits, in as many calls as that takes. */
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

/** A commit that the log, as far as it is read, does not have. */
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

/** The commits that a merge brought to its first parent, without the merge itself. */
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
