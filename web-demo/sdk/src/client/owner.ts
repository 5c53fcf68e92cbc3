// One tab has a sandbox's Worker, and the others reach it through that tab. When it is gone, another tab
// takes over. Web Locks decide which.

import { calledOff } from '../error.js';
import type { Args, Event, Method, Result, ToClient, ToServer } from '../protocol.js';
import { Caller, serve } from '../rpc.js';
import type { Handlers, Serving, Watch } from '../rpc.js';
import { tabLock } from './channel.js';
import type { Channel, Said } from './channel.js';
import { forward } from './forward.js';
import { closed, unknown } from './line.js';
import type { Asking, Line } from './line.js';
import { onceFree, takeIfFree } from './locks.js';
import type { Locks, Release } from './locks.js';

export interface Sharing {
  name: string;
  locks: Locks;
  channel: Channel;
  /** The line through a Worker of this tab. `onEvent` receives its events. */
  own: (onEvent: (event: Event) => void) => Line;
  onEvent: (event: Event) => void;
}

/** This tab's connection to the sandbox. */
type Way =
  { is: 'own'; line: Line } | { is: 'other'; owner: string; caller: Caller; hear: (message: ToClient) => void };

/** Another tab that reaches the sandbox through this one. */
interface Served {
  serving: Serving;
  hear: (message: ToServer) => void;
}

export class Owner implements Line {
  readonly #sharing: Sharing;
  readonly #id = crypto.randomUUID();
  readonly #closing = new AbortController();
  /** The locks that this tab holds while it has the sandbox open. */
  readonly #held: Release[] = [];
  /** The tabs served here. */
  readonly #served = new Map<string, Served>();
  #way: Way | undefined;
  /** The requests that wait for a connection. */
  #waiting: (() => void)[] = [];

  private constructor(sharing: Sharing) {
    this.#sharing = sharing;
  }

  static async open(sharing: Sharing): Promise<Owner> {
    const owner = new Owner(sharing);
    const { channel, locks, name } = sharing;
    channel.addEventListener('message', ({ data }) => owner.#hear(data));
    const alive = await takeIfFree(locks, tabLock(owner.#id));
    if (alive) owner.#held.push(alive);
    const lock = `gitgate:${name}`;
    const mine = await takeIfFree(locks, lock);
    if (mine) owner.#own(mine);
    else {
      const failed = (error: unknown): void => console.error('gitgate: cannot wait for the sandbox', error);
      onceFree(locks, lock, owner.#closing.signal, (release) => owner.#own(release)).catch(failed);
      owner.#say({ say: 'who' });
    }
    return owner;
  }

  get isHere(): boolean {
    return this.#way?.is === 'own';
  }

  /** Sends nothing once this tab leaves: the next owner reports what that ended. */
  #say(said: Said): void {
    if (!this.#closing.signal.aborted) this.#sharing.channel.postMessage(said);
  }

  /** Makes this tab the owner of the sandbox. */
  #own(release: Release): void {
    if (this.#closing.signal.aborted) return release();
    this.#held.push(release);
    this.#leave('the tab that had the sandbox is gone');
    const { own, onEvent } = this.#sharing;
    const line = own((event) => {
      onEvent(event);
      this.#say({ say: 'event', event });
    });
    this.#found({ is: 'own', line });
    this.#say({ say: 'here', owner: this.#id });
  }

  #found(way: Way): void {
    this.#way = way;
    this.#sharing.onEvent({ tag: 'owner', val: { isHere: way.is === 'own' } });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Fails the open requests to another tab. Answered ones stay answered. */
  #leave(what: string): void {
    if (this.#way?.is === 'other') this.#way.caller.fail(unknown(what));
    this.#way = undefined;
  }

  #hear(said: Said): void {
    switch (said.say) {
      case 'who':
        if (this.isHere) this.#say({ say: 'here', owner: this.#id });
        return;
      case 'here': {
        const way = this.#way;
        if (way?.is === 'own' || (way?.is === 'other' && way.owner === said.owner)) return;
        this.#leave('another tab has the sandbox now');
        return this.#found(this.#through(said.owner));
      }
      case 'event':
        return this.#sharing.onEvent(said.event);
      case 'ask':
        if (said.to === this.#id && this.#way?.is === 'own') this.#serve(said.from, this.#way.line).hear(said.message);
        return;
      case 'reply':
        if (said.to === this.#id && this.#way?.is === 'other' && said.from === this.#way.owner)
          this.#way.hear(said.message);
        return;
    }
  }

  /** The connection through another tab. */
  #through(owner: string): Way {
    let hear: (message: ToClient) => void = () => undefined;
    const post = (message: ToServer): void => this.#say({ say: 'ask', to: owner, from: this.#id, message });
    const caller = new Caller({ post, listen: (listener) => (hear = listener) }, this.#sharing.onEvent);
    return { is: 'other', owner, caller, hear };
  }

  /** Serves a tab from its first request until it is gone. */
  #serve(tab: string, line: Line): Served {
    const found = this.#served.get(tab);
    if (found) return found;
    let hear: (message: ToServer) => void = () => undefined;
    const post = (message: ToClient): void => this.#say({ say: 'reply', to: tab, from: this.#id, message });
    const serving = serve({ post, listen: (listener) => (hear = listener) }, through(line));
    const served = { serving, hear };
    this.#served.set(tab, served);
    const gone = (release: Release): void => {
      release();
      this.#served.delete(tab);
      serving.gone();
    };
    onceFree(this.#sharing.locks, tabLock(tab), this.#closing.signal, gone).catch((error: unknown) => {
      console.error('gitgate: cannot notice that a tab is closed', error);
    });
    return served;
  }

  request<M extends Method>(method: M, args: Args<M>, watch: Watch): Asking<M> {
    if (this.#closing.signal.aborted) return { reply: Promise.reject(closed()), cancel: () => undefined };
    const way = this.#way;
    if (way) return way.is === 'own' ? way.line.request(method, args, watch) : way.caller.request(method, args, watch);
    let asking: Asking<M> | undefined;
    let isOff = false;
    const reply = new Promise<Result<M>>((resolve, reject) => {
      this.#waiting.push(() => {
        if (isOff) return reject(calledOff());
        asking = this.request(method, args, watch);
        asking.reply.then(resolve, reject);
      });
    });
    const cancel = (): void => {
      isOff = true;
      asking?.cancel();
    };
    return { reply, cancel };
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const way = this.#way;
    try {
      if (way?.is === 'own') await way.line.close();
      else this.#leave('the sandbox was closed');
    } finally {
      for (const { serving } of this.#served.values()) serving.gone();
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const go of waiting) go();
      this.#sharing.channel.close();
      for (const release of this.#held) release();
    }
  }
}

/**
 * Another tab's request goes through this tab's line, and that tab performs the needs.
 */
function through(line: Line): Handlers {
  return forward((method, args, context) => {
    const asking = line.request(method, args, { perform: (need, off) => context.need(need, off) });
    context.signal.addEventListener('abort', () => asking.cancel());
    return asking.reply;
  });
}
