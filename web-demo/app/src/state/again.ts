// Repeats the questions that were open when the page was reloaded or the sandbox was left.

import { pushing, resume } from './push.js';
import { left, take } from './requests.js';
import type { Held } from './requests.js';
import { go } from './route.js';
import { callAgain, handOverAgain, isHandingOver } from './script.js';
import { sandbox } from './session.js';
import { note } from './toast.js';

async function goOn(held: Held, isOfScript: boolean): Promise<void> {
  const { sandbox: name, to } = held.request;
  if (sandbox.peek()?.name !== name) return held.end(true);
  if (isOfScript && to === 'hand_over' && isHandingOver()) return handOverAgain(held);
  // The person started another one meanwhile, which replaces it.
  if (pushing.peek()) return held.end(false);
  resume(held);
}

export async function askAgain(name: string): Promise<void> {
  const ours = left(name).map(async ({ key }) => {
    const held = await take(key, true);
    if (held) await goOn(held, true);
  });
  await Promise.all([...ours, callAgain()]);
}

/** Asks here what a vanished page asked for. */
export async function askHere(key: string): Promise<void> {
  // Only one of the page's own questions is open at a time.
  if (pushing.peek()) return note('Decide what is open here first.');
  const held = await take(key, false);
  if (!held) return note('It is open in another tab.');
  go('review', 'live');
  // This tab's script did not ask for it.
  await goOn(held, false);
}
