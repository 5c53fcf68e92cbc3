declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
declare module '*/shim.js' {
  export const initSync: unknown;
}
declare module '*/play.mjs' {
  import type { Components, ShimModule, Storage } from 'gitgate/edge';
  export class Player {
    constructor(shim: ShimModule, components: Components, transcript: object, drops: boolean, storage: Storage);
    play(look: (at: number, step: object) => void): Promise<void>;
    kept(): object;
  }
}
