// Tabs of a browser, as an owner sees them: locks and a channel. A tab can vanish at any time.

import type { Channel, Said } from '../src/client/channel.js';
import type { Locks } from '../src/client/locks.js';

interface Claim {
  tab: Tab;
  grant: () => void;
}

/** The first in the list has the lock. */
export class Browser {
  readonly queues = new Map<string, Claim[]>();
  readonly tabs = new Set<Tab>();

  tab(): Tab {
    const tab = new Tab(this);
    this.tabs.add(tab);
    return tab;
  }

  leave(name: string, claim: Claim): void {
    const queue = this.queues.get(name) ?? [];
    const wasFirst = queue[0] === claim;
    queue.splice(queue.indexOf(claim), 1);
    if (wasFirst) queue[0]?.grant();
  }
}

export class Tab implements Channel {
  readonly #browser: Browser;
  readonly #listeners: ((event: MessageEvent<Said>) => void)[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  readonly locks: Locks = {
    request: (name, options, callback) =>
      new Promise((resolve, reject) => {
        const queue = this.#browser.queues.get(name) ?? [];
        this.#browser.queues.set(name, queue);
        const lock: Lock = { name, mode: 'exclusive' };
        if (options.ifAvailable && queue.length > 0) return void callback(null).then(resolve, reject);
        const claim: Claim = {
          tab: this,
          grant: () => {
            options.signal?.removeEventListener('abort', withdraw);
            const over = (): void => this.#browser.leave(name, claim);
            callback(lock).then((value) => (over(), resolve(value)), reject);
          },
        };
        const withdraw = (): void => {
          this.#browser.leave(name, claim);
          reject(options.signal?.reason);
        };
        options.signal?.addEventListener('abort', withdraw);
        queue.push(claim);
        if (queue[0] === claim) claim.grant();
      }),
  };

  postMessage(message: Said): void {
    if (!this.#browser.tabs.has(this)) throw new Error('the channel is closed');
    const data = structuredClone(message);
    for (const other of this.#browser.tabs) {
      if (other !== this) queueMicrotask(() => other.#hear(data));
    }
  }

  #hear(data: Said): void {
    if (!this.#browser.tabs.has(this)) return;
    for (const listener of this.#listeners) listener(new MessageEvent('message', { data }));
  }

  addEventListener(_: 'message', listener: (event: MessageEvent<Said>) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#browser.tabs.delete(this);
  }

  /** Ends it as a browser does: nothing from it arrives any more, and its locks are free. */
  kill(): void {
    this.close();
    for (const [name, queue] of this.#browser.queues) {
      for (const claim of queue.filter(({ tab }) => tab === this)) this.#browser.leave(name, claim);
    }
  }
}
