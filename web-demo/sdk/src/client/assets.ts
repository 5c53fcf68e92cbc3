// The URLs of everything the SDK loads. A bundler recognizes these URLs by their form, and a plain server
// by the places of the files.

import type { Assets, Modules } from '../protocol.js';

export function assets(overrides: Partial<Assets> = {}): Assets {
  return {
    shim: new URL('../../generated/shim/shim.js', import.meta.url).href,
    shimWasm: new URL('../../generated/shim/shim_bg.wasm', import.meta.url).href,
    component: new URL('../../generated/component/gitgate.js', import.meta.url).href,
    componentWasm: {
      'gitgate.core.wasm': new URL('../../generated/component/gitgate.core.wasm', import.meta.url).href,
      'gitgate.core2.wasm': new URL('../../generated/component/gitgate.core2.wasm', import.meta.url).href,
      'gitgate.core3.wasm': new URL('../../generated/component/gitgate.core3.wasm', import.meta.url).href,
      'gitgate.core4.wasm': new URL('../../generated/component/gitgate.core4.wasm', import.meta.url).href,
    },
    ...overrides,
  };
}

/** A function that creates the Worker, or another URL for it. */
export type WorkerSource = string | (() => Worker);

export function newWorker(source?: WorkerSource): Worker {
  if (typeof source === 'function') return source();
  if (source !== undefined) return new Worker(source, { type: 'module' });
  return new Worker(new URL('../worker/main.js', import.meta.url), { type: 'module' });
}

const compiled = new Map<string, { modules?: Modules }>();

/** The modules that this page's Workers have compiled from these files. */
export function compiledOf(all: Assets): { modules?: Modules } {
  const key = JSON.stringify(all);
  const found = compiled.get(key) ?? {};
  compiled.set(key, found);
  return found;
}
