import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Done } from '../src/reply.js';
import type { ToolResults } from '../src/tools.js';
import * as whole from '../src/client/whole.js';
import type { Ask } from '../src/client/whole.js';

const done = (text: string, structured: unknown): Done<never> =>
  ({ outcome: 'done', text, structured, truncated: false }) as unknown as Done<never>;

interface Wanted {
  offset?: number;
  limit?: number;
  skip_staged?: number;
  skip_unstaged?: number;
}

/** A sandbox whose tools return `room` entries at a time. */
function tools(room: number, { files = 0, calls = 0, staged = 0, unstaged = 0 }): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  const list = (all: string[], { offset = 1, limit = Infinity }: Wanted) => {
    const some = all.slice(offset - 1, offset - 1 + Math.min(room, limit));
    const truncated = offset - 1 + some.length < all.length;
    const next = truncated && some.length > 0 ? { nextOffset: offset + some.length } : {};
    const text = some.map((one) => `${one}\n`).join('') + (truncated ? '\n\n... [output truncated]' : '');
    return { some, text, said: { count: some.length, truncated, ...next } };
  };
  const named = (what: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${what}-${at}`);
  const ask = (tool: string, args: Wanted): Promise<Done<never>> => {
    asked.push(tool);
    if (tool === 'git_status') {
      const commits = named('commit', staged).slice(0, staged - (args.skip_staged ?? 0));
      const changed = named('file', unstaged).slice(args.skip_unstaged ?? 0);
      const [latest, first] = [commits.slice(Math.max(0, commits.length - room)), changed.slice(0, room)];
      const omitted = { stagedOmitted: commits.length - latest.length, unstagedOmitted: changed.length - first.length };
      return Promise.resolve(
        done('', {
          staged: latest.map((commitId) => ({ commitId })),
          unstaged: first.map((path) => ({ path })),
          ...omitted,
        }),
      );
    }
    const isList = tool === 'list_files';
    const { some, text, said } = list(isList ? named('file', files) : named('call', calls), args);
    const entries = isList ? { entries: some.map((path) => ({ path })) } : { calls: some.map((id) => ({ id })) };
    return Promise.resolve(done(text, { ...entries, ...said }));
  };
  return { ask: ask as unknown as Ask, asked };
}

const sizes = { files: 23, calls: 23, staged: 11, unstaged: 7 };

for (const room of [1, 2, 5, 100]) {
  test(`what tools give ${room} at a time is put together without holes, in its order`, async () => {
    const { ask } = tools(room, sizes);
    const listed: ToolResults['list_files'] = (await whole.files(ask, '.')).structured;
    assert.deepEqual(
      listed.entries.map(({ path }) => path),
      Array.from({ length: 23 }, (_, at) => `file-${at}`),
    );
    assert.deepEqual([listed.count, listed.truncated, listed.nextOffset], [23, false, undefined]);
    const status = (await whole.status(ask)).structured;
    assert.deepEqual(
      [...status.staged.map(({ commitId }) => commitId), ...status.unstaged.map(({ path }) => path)],
      [...Array.from({ length: 11 }, (_, at) => `commit-${at}`), ...Array.from({ length: 7 }, (_, at) => `file-${at}`)],
    );
    assert.deepEqual([status.stagedOmitted, status.unstagedOmitted], [0, 0]);
  });

  test(`as many calls as are wanted are there from pages of ${room}, and whether there are earlier ones`, async () => {
    const { ask } = tools(room, sizes);
    for (const [wanted, isMore] of [[4, true], [22, true], [23, false], [400, false]] as const) {
      const { text, structured } = await whole.history(ask, wanted);
      const count = Math.min(wanted, 23);
      assert.deepEqual([structured.calls.length, structured.truncated], [count, isMore]);
      assert.equal(text.split('\n').filter((line) => line.startsWith('call-')).length, count);
      assert.equal(text.includes('[output truncated]'), isMore);
    }
  });
}

test('what has no room at all is said to be missing, and is not asked for again and again', async () => {
  const { ask, asked } = tools(0, sizes);
  assert.equal((await whole.files(ask, '.')).structured.truncated, true);
  assert.equal((await whole.history(ask, 20)).structured.truncated, true);
  const { structured } = await whole.status(ask);
  assert.deepEqual([structured.stagedOmitted, structured.unstagedOmitted], [11, 7]);
  assert.deepEqual(asked, ['list_files', 'sandbox_history', 'git_status', 'git_status']);
});
