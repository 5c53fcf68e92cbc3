// Random kills of the worker: every answered change survives, and no push lands twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Hub } from '../../sdk/test/hub.js';
import { random } from '../../sdk/test/storage/disk.js';
import { unlessCut, words } from './api.js';
import { edge } from './bodies.js';
import type { Body } from './bodies.js';

/** The number of kills. The soak test asks for 200. */
const KILLS = Number(process.env['GITGATE_KILLS'] ?? 8);
/** Calls between two kills. The last one may be cut off. */
const CALLS = 5;

let hub: Hub;
let body: Body;

before(async () => {
  hub = await Hub.start();
  body = await edge(hub.base);
});
after(async () => {
  await body?.stop();
  hub?.close();
});

test(`killed ${KILLS} times at random, it loses no answered call, and no push lands twice`, async () => {
  const pick = random(Number(process.env['GITGATE_SEED'] ?? 1));
  const { api } = body;
  const owner = await api.create({ name: 'one', from: { github: 'ada/project' }, pushTo: 'main', identity: 'Ada <ada@example.org>' });
  const answered: string[] = [];
  /** Files whose push was reported as landed. */
  const landed: string[] = [];
  const moves = (): number => hub.requests.filter((request) => request.startsWith('PATCH ')).length;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const isPush = pick(4) === 0;
    const work = async (): Promise<void> => {
      for (let call = 0; call < CALLS; call += 1) {
        const path = `f-${kill}-${call}.md`;
        const written = await unlessCut(api.call('one', owner, 'write_file', { path, content: `${path}\n` }));
        if (!written) return;
        assert.equal(written.status, 200, written.text);
        answered.push(path);
      }
      if (!isPush) return;
      const path = `f-${kill}-0.md`;
      const args = { files: [path], message: `Write ${path}` };
      if (!(await unlessCut(api.call('one', owner, 'git_stage', args)))) return;
      const asked = await unlessCut(api.ask('POST', '/sandboxes/one/pushes', owner, {}));
      if (!asked) return;
      const digest = words(asked.body['push']?.['digest']);
      const pushed = await unlessCut(api.ask('POST', '/sandboxes/one/pushes', owner, { digest }));
      if (pushed?.body['structured']?.['status'] === ('success' as unknown)) landed.push(path);
    };
    const [before, from] = [hub.head, moves()];
    const working = work();
    // At any instant of the work, or just after it.
    await Promise.race([working, new Promise((resolve) => setTimeout(resolve, pick(isPush ? 120 : 40)))]);
    await body.crash();
    await working;
    const list = await api.call('one', owner, 'list_files', {});
    assert.equal(list.status, 200, list.text);
    for (const path of answered) assert.ok(list.text.includes(path), `${path} is lost after kill ${kill}`);
    for (const path of landed) assert.equal(hub.files()[path], `${path}\n`);
    assert.ok(moves() - from <= 1, `${moves() - from} moves of the branch at kill ${kill}`);
    // Whatever happened to the push: when repeated, it has landed or lands now, once.
    const again = await api.ask('POST', '/sandboxes/one/pushes', owner, {});
    if (again.status === 202) {
      const digest = words(again.body['push']?.['digest']);
      const done = await api.ask('POST', '/sandboxes/one/pushes', owner, { digest });
      assert.equal(done.body['structured']?.['status'], 'success', done.text);
    } else assert.equal(again.status, 200, again.text);
    assert.ok(moves() - from <= 1, `a push has landed twice at kill ${kill}`);
    if (moves() === from) assert.equal(hub.head, before);
  }
  const log = await api.call('one', owner, 'git_log', { maxCount: 1000 });
  const subjects = [...log.text.matchAll(/Write f-\d+-0\.md/g)].map(([subject]) => subject);
  assert.equal(new Set(subjects).size, subjects.length, 'no commit is there twice');
});
