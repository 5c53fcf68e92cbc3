// Loads the shim and the component, and compiles each once.

import { GitgateError, told } from '../error.js';
import type { Assets, Modules } from '../protocol.js';
import type { Clock } from './clock.js';
import type { ComponentModule, Components, ShimModule } from './shim.js';

const CLOCK = 'wasi:clocks/monotonic-clock';
/** By the names that the core modules import. */
const CORE_CLOCK = `${CLOCK}@0.2.0`;

export interface Engine {
  shim: ShimModule;
  modules: Modules;
  components(clock: Clock): Components;
}

export async function load(assets: Assets, compiled?: Modules): Promise<Engine> {
  const [shim, component, modules] = await Promise.all([
    script<ShimModule>(assets.shim),
    script<ComponentModule>(assets.component),
    compiled ?? compileAll(assets),
  ]);
  shim.initSync({ module: modules.shim });
  return { shim, modules, components: (clock) => componentsOf(component, modules.component, clock) };
}

/** Instances of the component, whose `modules` are compiled. */
export function componentsOf(
  { instantiate }: ComponentModule,
  modules: Modules['component'],
  clock: Pick<Clock, 'now'>,
): Components {
  const module = (name: string): WebAssembly.Module => {
    const found = modules.get(name);
    if (!found) throw new GitgateError('component', `the component needs ${name}, which is not among the assets`);
    return found;
  };
  const now = (): bigint => clock.now();
  // A synchronous instantiation is ready at once: jco waits only for promises. jco's path to the clock
  // takes 5 to 8 us, and a tool may read it 1,500 times, so this bypasses it.
  const instance = (module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance =>
    new WebAssembly.Instance(module, imports?.[CORE_CLOCK] ? { ...imports, [CORE_CLOCK]: { now } } : imports);
  return { instance: () => instantiate(module, { [CLOCK]: { now } }, instance) };
}

async function compileAll(assets: Assets): Promise<Modules> {
  const named = Object.entries(assets.componentWasm).map(async ([name, url]) => [name, await compile(url)] as const);
  const [shim, ...component] = await Promise.all([compile(assets.shimWasm), ...named]);
  return { shim, component: new Map(component) };
}

async function compile(url: string): Promise<WebAssembly.Module> {
  // A bundler may inline small files as data URLs, and a page's policy may block fetching those.
  const inline = /^data:[^,]*;base64,(.*)$/.exec(url)?.[1];
  try {
    if (inline) return await WebAssembly.compile(Uint8Array.from(atob(inline), (letter) => letter.charCodeAt(0)));
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    const isNamed = response.headers.get('content-type')?.startsWith('application/wasm');
    return await (isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch (error) {
    throw new GitgateError(
      'component',
      `cannot load ${inline ? 'a module' : url}: ${told(error).message}`,
      "serve the package's files, and allow 'wasm-unsafe-eval' in the content security policy",
    );
  }
}

async function script<T>(url: string): Promise<T> {
  try {
    // The module is generated, and has the types in ./shim.ts.
    const loaded: T = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
    return loaded;
  } catch (error) {
    throw new GitgateError('component', `cannot load ${url}: ${told(error).message}`, "serve the package's files");
  }
}
