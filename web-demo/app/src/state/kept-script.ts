// The agent's script of each sandbox, its results and its position, stored for the tab.

import { signal } from '@preact/signals';

import type { Step } from './agent.js';
import { shelf } from './shelf.js';

export interface KeptScript {
  /** When its sandbox was created. Another sandbox may have the same name later. */
  created: number;
  script: string;
  next: number;
  steps: Step[];
  /** Whether the script was running to its end. */
  isAll: boolean;
  /** The id of the waiting call that the last step asks about. */
  asks?: string;
  /** Whether the page was left with it. If not, it may still run there: this tab can be a copy of that one. */
  isLeft: boolean;
}

/** The most characters of a script's results that are stored. */
const ROOM = 400_000;

/** The sandbox whose script was too large to store. */
export const lost = signal<string | undefined>(undefined);

const scripts = shelf<KeptScript | 'lost'>('gitgate.scripts');

const sum = (sizes: number[]): number => sizes.reduce((all, one) => all + one, 0);

/** Cuts the longest results first, with a note. */
function cut(steps: Step[]): Step[] {
  const sizes = steps.map(({ said }) => said.length);
  let most = Math.max(0, ...sizes);
  while (sum(sizes.map((size) => Math.min(size, most))) > ROOM) most = Math.floor(most / 2);
  return steps.map((step) => {
    const left = step.said.length - most;
    if (left <= 0) return step;
    return { ...step, said: `${step.said.slice(0, most)}\n… ${left} more characters were not kept.` };
  });
}

export function keepScript(name: string, now: KeptScript): void {
  const { [name]: _, ...others } = scripts.read();
  try {
    scripts.put({ ...others, [name]: { ...now, steps: cut(now.steps) } });
  } catch {
    // There is only room to say so.
    scripts.put({ [name]: 'lost' });
  }
}

export function keptScript(name: string, created: number): KeptScript | undefined {
  const found = scripts.read()[name];
  lost.value = found === 'lost' ? name : undefined;
  return found !== 'lost' && found?.created === created ? found : undefined;
}
