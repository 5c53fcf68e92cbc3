// An object's storage and answers, compared with a model and with the native host.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { bundle } from '../../../scripts/build.mjs';
import { start } from '../../../scripts/workerd.mjs';
import { ROOT } from './bodies.js';

interface Transcript {
  script: { steps: { do: string; tool?: string }[] };
  ways: { [way: string]: { steps: object[]; kept: object } };
}
interface Played {
  steps: object[];
  kept: object;
}

/** The scripts that the native host's tests have played. */
const TRANSCRIPTS = process.env['GITGATE_TEST_TRANSCRIPTS'];
const names = TRANSCRIPTS === undefined ? [] : await readdir(TRANSCRIPTS);

let folder: string;
let worker: Awaited<ReturnType<typeof start>>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gitgate-trial-'));
  const dist = join(ROOT, '.test/trial');
  await bundle('test/trial/worker.ts', dist, 'trial');
  worker = await start({ folder, dist, main: 'trial', vars: {} });
});
after(async () => {
  worker?.child.kill('SIGKILL');
  await worker?.ended;
  await rm(folder, { recursive: true, force: true });
});

async function ask<T>(name: string, asked: object): Promise<T> {
  const response = await fetch(`${worker.url}/${encodeURIComponent(name)}`, {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  assert.equal(response.status, 200);
  const answer: T = JSON.parse(await response.text());
  return answer;
}

test('rows, and a copy of them, show what any changes have left, and one that fails leaves none', async () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    assert.deepEqual(await ask(`storage ${seed}`, { seed, steps: 300 }), {}, `seed ${seed}`);
  }
});

for (const name of names) {
  const transcript: Transcript = JSON.parse(await readFile(join(TRANSCRIPTS ?? '', name), 'utf8'));
  for (const [way, native] of Object.entries(transcript.ways)) {
    test(`what ${name} does in an object is what it does natively, with a host that has ${way}`, async () => {
      const played = await ask<Played>(`${name} ${way}`, { transcript, way });
      for (const [at, step] of played.steps.entries()) {
        const { do: what, tool = '' } = transcript.script.steps[at] ?? assert.fail('there is a step too many');
        assert.deepEqual(step, native.steps[at], `step ${at}, ${what} ${tool}`);
      }
      assert.equal(played.steps.length, native.steps.length);
      assert.deepEqual(played.kept, native.kept);
    });
  }
}

test('scripts that were played natively are there', { skip: TRANSCRIPTS === undefined && 'cargo xtask test plays them' }, () => {
  assert.ok(names.length >= 2, names.join());
});
