// Follows the state of the document with the sandboxes, and reconnects when that document is gone.

import { signal } from '@preact/signals';

import { fail, problem } from '../../../app/src/state/toast.js';
import { insist } from '../common/ask.js';
import type { Account, State } from '../common/kept.js';
import { whenGone } from '../common/ports.js';

export const state = signal<State | undefined>(undefined);
export const account = signal<Account | undefined>(undefined);

/** When this ends, the document is gone. */
async function once(): Promise<void> {
  await insist('wake', null);
  const port = chrome.runtime.connect();
  const gone = new Promise<void>((resolve) => whenGone(port, resolve));
  // Only the document of this extension sends through this port.
  port.onMessage.addListener((message: State) => void (state.value = message));
  await gone;
}

export async function follow(): Promise<void> {
  let told = '';
  for (;;) {
    try {
      await once();
      told = '';
    } catch (error) {
      // It retries for ever, but reports once.
      const { message } = problem(error);
      if (message !== told) fail(error);
      told = message;
    }
    // A document that ends at once must not keep the machine busy.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

let asked = 0;
let shown = 0;

/** Shows the service worker's answer about the account. */
export async function put(answer: Promise<Account>): Promise<void> {
  const mine = (asked += 1);
  const now = await answer;
  // A later answer is visible already, and either may be the newer one.
  if (mine < shown) return loadAccount();
  shown = mine;
  account.value = now;
}

export const loadAccount = (): Promise<void> => put(insist('account', null));
