// The component as jco transpiles it. Its modules are compiled once, and an instance is there at once: jco's `instantiate` waits
// only for what is a promise.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What makes instances, from the folder of the transpiled component. */
export async function components(folder) {
  const { instantiate } = await import(pathToFileURL(join(folder, 'gitgate.js')));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.wasm'));
  const compiled = await Promise.all(
    names.map(async (name) => [name, await WebAssembly.compile(await readFile(join(folder, name)))]),
  );
  const modules = new Map(compiled);
  // A clock that stands still, as on edge functions.
  const imports = { 'wasi:clocks/monotonic-clock': { now: () => 0n } };
  const instance = (module, from) => new WebAssembly.Instance(module, from);
  return { instance: () => instantiate((name) => modules.get(name), imports, instance) };
}
