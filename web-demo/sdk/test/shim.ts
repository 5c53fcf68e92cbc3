// The shim and the component, as in a Worker.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';

import type { ComponentModule, Components, ShimModule } from '../src/worker/shim.js';

const GENERATED = new URL('../generated/', import.meta.url);

export async function load(): Promise<{ shim: ShimModule; components: Components }> {
  const shim: ShimModule = await import(new URL('shim/shim.js', GENERATED).href);
  const component: ComponentModule = await import(new URL('component/gitgate.js', GENERATED).href);
  shim.initSync({ module: await WebAssembly.compile(await readFile(new URL('shim/shim_bg.wasm', GENERATED))) });
  const folder = new URL('component/', GENERATED);
  const modules = new Map<string, WebAssembly.Module>();
  for (const name of await readdir(folder)) {
    if (name.endsWith('.wasm')) modules.set(name, await WebAssembly.compile(await readFile(new URL(name, folder))));
  }
  const module = (name: string) => modules.get(name) ?? assert.fail(`there is no ${name}`);
  const imports = { 'wasi:clocks/monotonic-clock': { now: () => 0n } };
  const instance = (from: WebAssembly.Module, given: WebAssembly.Imports) => new WebAssembly.Instance(from, given);
  return { shim, components: { instance: () => component.instantiate(module, imports, instance) } };
}
