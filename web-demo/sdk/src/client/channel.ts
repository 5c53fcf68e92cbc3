// What tabs that have the same sandbox open say to each other.

import type { Event, ToClient, ToServer } from '../protocol.js';

/** What is used of a `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<Said>) => void): void;
  close(): void;
}

/** Tabs are named by ids. One that is to all is heard by all others. */
export type Said =
  /** Who has the sandbox? */
  | { say: 'who' }
  /** It is here. */
  | { say: 'here'; owner: string }
  | { say: 'event'; event: Event }
  | { say: 'ask'; to: string; from: string; message: ToServer }
  | { say: 'reply'; to: string; from: string; message: ToClient };

/** The lock that a tab has while it lives. */
export function tabLock(tab: string): string {
  return `gitgate:tab:${tab}`;
}
