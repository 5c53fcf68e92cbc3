// The agent's script of each sandbox, what the agent has read, and where it is, kept for the tab.

import { signal } from '@preact/signals';

import type { Step } from './agent.js';
import { session } from './kept.js';

export interface KeptScript {
  /** When its sandbox was made. Another one may have its name. */
  created: number;
  script: string;
  next: number;
  steps: Step[];
  /** Whether the script was to run to its end. */
  isAll: boolean;
  /** The id of the waiting call that the last step asks about. */
  asks?: string;
  /** Whether the page was left with it. Otherwise it may run on there: this tab can be a copy of that one. */
  isLeft: boolean;
}

const KEY = 'gitgate.scripts';
/** Characters of all results of a script that are kept. */
const ROOM = 400_000;

/** The sandbox whose script was too large to be kept. */
export const lost = signal<string | undefined>(undefined);

type Scripts = { [name: string]: KeptScript | 'lost' };

/** A value that this page has put there itself. */
function read(): Scripts {
  try {
    return JSON.parse(session.getItem(KEY) ?? '{}') as Scripts;
  } catch {
    return {};
  }
}

const sum = (sizes: number[]): number => sizes.reduce((all, one) => all + one, 0);

/** The longest results are cut first, and say so. */
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

/** The ones that were kept last are the first to stay. */
function put(all: Scripts): void {
  for (const names = Object.keys(all); ; delete all[names.shift() ?? '']) {
    try {
      return session.setItem(KEY, JSON.stringify(all));
    } catch (error) {
      if (names.length <= 1) throw error;
    }
  }
}

export function keepScript(name: string, now: KeptScript): void {
  const { [name]: _, ...others } = read();
  try {
    put({ ...others, [name]: { ...now, steps: cut(now.steps) } });
  } catch {
    // There is no room for it, but to say that.
    put({ [name]: 'lost' });
  }
}

export function keptScript(name: string, created: number): KeptScript | undefined {
  const found = read()[name];
  lost.value = found === 'lost' ? name : undefined;
  return found !== 'lost' && found?.created === created ? found : undefined;
}
