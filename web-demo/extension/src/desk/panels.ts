// The open panels: each sees the state, and can use a sandbox as the person.

import { jsonPort, serveSandbox, told } from 'gitgate/extension';
import type { ToClient, ToServer } from 'gitgate/extension';

import type { State } from '../common/kept.js';
import type { Sandboxes, Used } from './sandboxes.js';

export class Panels {
  readonly #ports = new Set<chrome.runtime.Port>();
  readonly #state: () => Promise<State>;
  #telling: Promise<void> = Promise.resolve();

  constructor(state: () => Promise<State>) {
    this.#state = state;
  }

  join(port: chrome.runtime.Port): void {
    this.#ports.add(port);
    port.onDisconnect.addListener(() => void this.#ports.delete(port));
    this.tell();
  }

  /** Sends all panels the current state. The last message is the newest. */
  tell(): void {
    if (this.#ports.size === 0) return;
    this.#telling = this.#telling
      .then(async () => {
        const state = await this.#state();
        for (const port of this.#ports) port.postMessage(state);
      })
      .catch((error: unknown) => console.error('gitgate: the panels are not told', error));
  }
}

/** The document's messages before a sandbox's protocol starts. */
export type Opened = { tag: 'open' } | { tag: 'failed'; error: ReturnType<typeof told> };

/** Serves the sandbox that the port names, until the port ends or the sandbox is removed. */
export async function serveOne(port: chrome.runtime.Port, sandboxes: Sandboxes): Promise<void> {
  let used: Used | undefined;
  let stop = (): void => undefined;
  let isGone = false;
  const leave = (): void => {
    isGone = true;
    stop();
    used?.release();
  };
  port.onDisconnect.addListener(leave);
  const say = (message: Opened): void => port.postMessage(message);
  try {
    used = await sandboxes.use(port.name, () => {
      leave();
      port.disconnect();
    });
    if (isGone) return used.release();
    stop = serveSandbox(used.sandbox, jsonPort<ToClient, ToServer>(port));
    say({ tag: 'open' });
  } catch (error) {
    if (isGone) return;
    say({ tag: 'failed', error: told(error) });
    port.disconnect();
  }
}
