import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { browser } from './browser.js';
import type { Browser } from './browser.js';
import type { Played, Wanted } from './script/worker.js';

interface Transcript {
  script: { steps: { do: string; tool?: string }[] };
  ways: { [way: string]: { steps: object[]; kept: object } };
}

/** The scripts that the native host's tests have played. */
const TRANSCRIPTS = process.env['GITGATE_TEST_TRANSCRIPTS'];
const PLAYER = fileURLToPath(new URL('../../../shim/tests/play.mjs', import.meta.url));

const names = TRANSCRIPTS === undefined ? [] : readdirSync(TRANSCRIPTS);
let chromium: Browser;

before(async () => {
  const transcripts = names.map((name) => [`/transcripts/${name}`, join(TRANSCRIPTS ?? '', name)]);
  chromium = await browser({ '/play.mjs': PLAYER, ...Object.fromEntries(transcripts) });
});

after(() => chromium?.close());

async function play(wanted: Wanted): Promise<Played> {
  const page = await chromium.page(chromium.served.plain);
  const played = await page.evaluate(
    (wanted) =>
      new Promise<string>((resolve, reject) => {
        const worker = new Worker(new URL('/test/script/worker.js', location.href), { type: 'module' });
        worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(wanted);
      }),
    wanted,
  );
  await page.close();
  const parsed: Played = JSON.parse(played);
  return parsed;
}

for (const name of names) {
  const { script, ways }: Transcript = JSON.parse(readFileSync(join(TRANSCRIPTS ?? '', name), 'utf8'));
  for (const [way, native] of Object.entries(ways)) {
    test(`what ${name} does in Chromium, on OPFS, is what it does natively, with a host that has ${way}`, async () => {
      const at = (path: string): string => new URL(path, chromium.served.plain).href;
      const played = await play({ player: at('/play.mjs'), transcript: at(`/transcripts/${name}`), way });
      assert.ok('steps' in played, 'failed' in played ? played.failed : '');
      for (const [at, step] of played.steps.entries()) {
        const { do: what, tool = '' } = script.steps[at] ?? assert.fail('there is a step too many');
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
