// A Worker that plays a script on a sandbox in OPFS.

import { assets } from '../../src/client/assets.js';
import { openOpfs } from '../../src/storage/index.js';
import type { Kept } from '../../src/storage/index.js';
import { Clock } from '../../src/worker/clock.js';
import { load } from '../../src/worker/engine.js';
import type { Components, ShimModule } from '../../src/worker/shim.js';

/** web-demo/shim/tests/play.mjs. */
interface Script {
  Player: new (
    shim: ShimModule,
    components: Components,
    transcript: object,
    drops: boolean,
    storage: Kept,
  ) => {
    play(look: (at: number, step: object) => void): Promise<void>;
    kept(): object;
  };
}

export interface Wanted {
  player: string;
  transcript: string;
  way: string;
}

/** The result of each step, and the storage at the end, or the reason for having neither. */
export type Played = { steps: object[]; kept: object } | { failed: string };

async function play({ player, transcript, way }: Wanted): Promise<Played> {
  const engine = await load(assets());
  const { Player }: Script = await import(player);
  const native: object = await (await fetch(transcript)).json();
  const storage = await openOpfs(`${transcript} ${way}`.slice(-90));
  try {
    const steps: object[] = [];
    const playing = new Player(engine.shim, engine.components(new Clock()), native, way === 'dropped', storage);
    await playing.play((_, step) => steps.push(step));
    return { steps, kept: playing.kept() };
  } finally {
    storage.close();
  }
}

onmessage = ({ data }: MessageEvent<Wanted>) => {
  // The comparison covers values that JSON can represent.
  const answer = (played: Played): void => postMessage(JSON.stringify(played));
  play(data).then(answer, (error: unknown) => answer({ failed: error instanceof Error ? `${error.stack}` : `${error}` }));
};
