// The messages between an agent and the extension: JSON through a port.

import type { Reply, ToolSpec } from 'gitgate';
import type { Told } from 'gitgate/extension';

export type FromAgent =
  /** The first. The browser reports its origin. */
  | { type: 'hello'; name: string; sandbox?: string }
  | { type: 'tools'; id: number }
  | { type: 'call'; id: number; tool: string; args: { [name: string]: unknown }; wait: 'ask' | 'pending' }
  | { type: 'cancel'; id: number };

export type ToAgent =
  | { type: 'welcome'; sandbox: string }
  | { type: 'done'; id: number; value: Reply | ToolSpec[] }
  | { type: 'failed'; id: number; error: Told }
  /** The last. */
  | { type: 'over'; error: Told };
