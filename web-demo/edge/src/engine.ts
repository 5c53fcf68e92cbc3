// The shim and the component, from modules that the platform compiled.

import core from '../../sdk/generated/component/gitgate.core.wasm';
import core2 from '../../sdk/generated/component/gitgate.core2.wasm';
import core3 from '../../sdk/generated/component/gitgate.core3.wasm';
import core4 from '../../sdk/generated/component/gitgate.core4.wasm';
import * as component from '../../sdk/generated/component/gitgate.js';
import * as generated from '../generated/shim.js';
import shimModule from '../generated/shim_bg.wasm';
import { componentsOf } from 'gitgate/edge';
import type { ComponentModule, Components } from 'gitgate/edge';

import { Clock } from './clock.js';
import type { EdgeShim } from './shim.js';

const MODULES = new Map([core, core2, core3, core4].map((module, at) => [name(at), module]));

/** By the names in the component's JavaScript. */
function name(at: number): string {
  return `gitgate.core${at === 0 ? '' : at + 1}.wasm`;
}

let loaded: EdgeShim | undefined;

/** The shim. Each isolate has one. */
export function shim(): EdgeShim {
  if (loaded) return loaded;
  // Both are generated, and have the types declared for them.
  const made: EdgeShim = generated as unknown as EdgeShim;
  made.initSync({ module: shimModule });
  loaded = made;
  return made;
}

/** Instances of the component. */
export function components(): Components {
  return componentsOf(component as unknown as ComponentModule, MODULES, new Clock());
}
