// The messages between tabs that have the same sandbox open.

import type { Event, ToClient, ToServer } from '../protocol.js';

/** The used part of a `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<Said>) => void): void;
  close(): void;
}

/** Tabs have ids. A message without a receiver goes to all others. */
export type Said =
  /** Asks which tab has the sandbox. */
  | { say: 'who' }
  /** Says that this tab has it. */
  | { say: 'here'; owner: string }
  | { say: 'event'; event: Event }
  | { say: 'ask'; to: string; from: string; message: ToServer }
  | { say: 'reply'; to: string; from: string; message: ToClient };

/** The lock that a tab holds while it lives. */
export function tabLock(tab: string): string {
  return `gitgate:tab:${tab}`;
}
