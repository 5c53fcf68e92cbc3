// Plays a script that was played natively, and compares everything. Called with the folder of the shim, the folder of the
// transpiled component, and the native transcript.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import { bundle } from './bundle.mjs';
import { components } from './component.mjs';
import { Player } from './play.mjs';
import { mistakes } from './mistakes.mjs';
import { texts } from './texts.mjs';
import { MemoryStorage } from './storage.mjs';

/** Bytes, compressed, of the module and its JavaScript: what a visitor loads besides the component. */
const MOST = 955_000;

const [folder, component, transcript] = process.argv.slice(2).map((path) => resolve(path));
const shim = await import(pathToFileURL(join(folder, 'shim.js')));
const module = await readFile(join(folder, 'shim_bg.wasm'));
shim.initSync({ module });
const engine = await components(component);
const native = JSON.parse(await readFile(transcript, 'utf8'));

for (const [way, { steps, kept }] of Object.entries(native.ways)) {
  const player = new Player(shim, engine, native, way === 'dropped', new MemoryStorage());
  assert.deepEqual(player.toolNames().sort(), [...native.tools].sort());
  // JSON has no `undefined`, and its texts are compared as well.
  await player.play((at, step) => {
    const { do: what, tool = '' } = native.script.steps[at];
    assert.deepEqual(JSON.parse(JSON.stringify(step)), steps[at], `${way}: step ${at}, ${what} ${tool}`);
  });
  assert.deepEqual(player.kept(), kept, way);
}

await mistakes(shim, engine);
texts(shim, engine);
for (const exported of Object.values(native.ways.lived.kept.files)) {
  bundle(shim, engine, new Uint8Array(Buffer.from(exported, 'hex')));
}

const size = [module, await readFile(join(folder, 'shim.js'))].reduce((sum, file) => sum + brotliCompressSync(file).length, 0);
assert.ok(size <= MOST, `the shim has ${size} bytes, compressed`);
console.log(`the same in node; the shim has ${module.length} bytes, ${size} compressed with its JavaScript`);
