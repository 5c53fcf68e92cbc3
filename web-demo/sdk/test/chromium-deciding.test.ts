// A call waits for a person in one tab, and somebody decides about it in another.

import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { both, chrome } from './both.js';
import { Hub } from './hub.js';

interface Asked {
  /** The id of the waiting call. */
  id: string;
  /** The digest of its push. */
  digest: string;
  /** Resolves once nobody waits for an answer to the question any more. */
  isWithdrawn: Promise<void>;
}

declare global {
  var asked: Promise<Asked>;
}

/** Opens the sandbox. Nobody in that tab answers the questions of its calls. */
const open = (page: Page, base: string, isNew: boolean) =>
  page.evaluate(
    async ([base, isNew]) => {
      const { openSandbox, opfs } = gitgate;
      const from = { github: 'Ada/Project' };
      const made = { identity: 'Ada <ada@example.org>', push: 'assisted', policy: 'strict', from, pushTo: 'main' } as const;
      const github = { base, token: () => Promise.resolve('hunter2') };
      const sandbox = await openSandbox({ name: 'decided', storage: opfs(), github, ...(isNew && made) });
      Object.assign(globalThis, { sandbox });
    },
    [base, isNew] as const,
  );

/** The agent of that tab makes a call, whose question appears there. */
const begin = (page: Page, tool: 'git_stage' | 'git_push', args: object): Promise<void> =>
  page.evaluate(
    ([tool, args]) => {
      const asked = new Promise<Asked>((found) => {
        const remove = sandbox.onQuestion((question, signal) => {
          remove();
          const digest = question.about === 'push' ? (question.push.push?.digest ?? '') : '';
          const isWithdrawn = new Promise<void>((end) => signal.addEventListener('abort', () => end()));
          found({ id: question.id ?? '', digest, isWithdrawn });
          return isWithdrawn.then(() => undefined);
        });
      });
      const reply = sandbox.call(tool as 'git_push', args as { commitId: string });
      Object.assign(globalThis, { asked, reply });
    },
    [tool, args] as const,
  );

const asked = (page: Page) =>
  page.evaluate(async () => {
    const { id, digest } = await globalThis.asked;
    return { id, digest };
  });

/** How that call ended, once its question is gone. */
const ended = (page: Page) =>
  page.evaluate(async () => {
    const { isWithdrawn } = await globalThis.asked;
    await isWithdrawn;
    return Reflect.get(globalThis, 'reply') as Promise<import('../src/index.js').Reply>;
  });

both('who waits for a call reads what it came to, whoever has decided and wherever', async (first, t, kind) => {
  const hub = await Hub.start();
  t.after(() => hub.close());
  const second = await chrome.page(chrome.served[kind]);
  await open(first, hub.base, true);
  await open(second, hub.base, false);
  const decide = (page: Page, id: string, answer: import('../src/index.js').Answer) =>
    page.evaluate(([id, answer]) => sandbox.decide(id, answer), [id, answer] as const);

  await first.evaluate(() => sandbox.call('write_file', { path: 'a.md', content: 'one\n' }));
  const stage = { files: ['a.md'], message: 'Add a file' };
  await begin(second, 'git_stage', stage);
  await decide(first, (await asked(second)).id, { say: 'reject', reason: 'not yet' });
  const rejected = await ended(second);
  assert.ok(rejected.outcome === 'failed' && rejected.reason === 'not yet', JSON.stringify(rejected));

  await begin(first, 'git_stage', stage);
  await decide(second, (await asked(first)).id, { say: 'approve' });
  assert.equal((await ended(first)).outcome, 'done');

  // Both tabs decide at once: the second gets the outcome of the first.
  await begin(second, 'git_push', { commitId: 'HEAD' });
  const { id, digest } = await asked(second);
  const said = { say: 'approve', digest } as const;
  const replies = await Promise.all([decide(first, id, said), decide(second, id, said)]);
  const pushed = await ended(second);
  assert.ok(pushed.outcome === 'done', JSON.stringify(pushed));
  assert.match(pushed.text, /^To github:ada\/project\n.*main -> main/);
  assert.deepEqual(replies, [pushed, pushed]);
  assert.deepEqual(hub.files(), { 'README.md': '# Project\n', 'a.md': 'one\n' });
  assert.deepEqual(await first.evaluate(() => sandbox.waiting()), []);
  const again = await second.evaluate(() => sandbox.call('git_push', { commitId: 'HEAD' }));
  assert.equal(again.outcome === 'done' && again.text, 'Everything up-to-date\n', 'what has landed is told once');
  // The browser gives back what a closed page held, but not at once.
  await second.evaluate(() => sandbox.close());
  await second.close();
  await first.evaluate(async () => {
    await sandbox.close();
    await gitgate.removeSandbox('decided');
  });
});
