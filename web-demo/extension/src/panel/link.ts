// Follows what the document with the sandboxes tells, and begins again when that document is gone.

import { signal } from '@preact/signals';

import { fail } from '../../../app/src/state/toast.js';
import { insist } from '../common/ask.js';
import type { Account, State } from '../common/kept.js';

export const state = signal<State | undefined>(undefined);
export const account = signal<Account | undefined>(undefined);

/** Once it is over, the document is gone. */
async function once(): Promise<void> {
  await insist('wake', null);
  const port = chrome.runtime.connect();
  const gone = new Promise<void>((resolve) => port.onDisconnect.addListener(() => resolve()));
  // Only the document sends through this port, which is of this extension.
  port.onMessage.addListener((message: State) => void (state.value = message));
  await gone;
}

export async function follow(): Promise<void> {
  for (;;) {
    await once().catch(fail);
    // A document that ends at once must not keep the machine busy.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

export async function loadAccount(): Promise<void> {
  account.value = await insist('account', null);
}
