// One port of an agent, from its first message to its end.

import { GitgateError, told } from 'gitgate/extension';

import type { FromAgent, ToAgent } from '../common/agent.js';
import { parse } from './parse.js';
import { LONGEST } from './rate.js';
import type { Share } from './rate.js';
import { Work } from './work.js';
import type { Used } from './sandboxes.js';

type Hello = FromAgent & { type: 'hello' };

export class Visitor {
  readonly id = crypto.randomUUID();
  hello: Hello | undefined;
  /** The sandbox that it uses, or is about to use. */
  sandbox: string | undefined;
  readonly #port: chrome.runtime.Port;
  #work: Work | undefined;
  #used: Used | undefined;
  readonly #share: Share;
  readonly #onEnd: (visitor: Visitor) => void;
  #isOver = false;

  /** `agent` is the browser's information about the port. */
  constructor(
    readonly agent: string,
    port: chrome.runtime.Port,
    share: Share,
    onHello: (visitor: Visitor) => void,
    onEnd: (visitor: Visitor) => void,
  ) {
    this.#port = port;
    this.#share = share;
    this.#onEnd = onEnd;
    port.onMessage.addListener((message: unknown) => this.#hear(message, onHello));
    port.onDisconnect.addListener(() => {
      this.#leave();
      onEnd(this);
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #post(message: ToAgent): void {
    if (!this.#isOver) this.#port.postMessage(message);
  }

  #hear(message: unknown, onHello: (visitor: Visitor) => void): void {
    if (this.#isOver) return;
    if (!this.#share.take()) return this.end('busy', 'too many messages', 'make fewer calls at once');
    if (JSON.stringify(message).length > LONGEST)
      return this.end('too-large', 'the message is too long', 'send less at a time');
    const said = parse(message);
    if (!said) return this.end('usage', 'this is no message of the protocol', 'use window.gitgate');
    if (said.type === 'hello') {
      if (this.hello) return this.end('usage', 'it has said hello already');
      this.hello = said;
      return onHello(this);
    }
    if (!this.#work) return this.end('refused', 'no person has allowed this agent', 'ask, and wait for the welcome');
    this.#work.hear(said);
  }

  /** From now on it works in the sandbox. */
  admit(used: Used): void {
    if (this.#isOver) return used.release();
    this.#used = used;
    this.#work = new Work(used.sandbox, this.#share, (message) => this.#post(message));
    this.#post({ type: 'welcome', sandbox: used.sandbox.name });
  }

  fail(error: unknown): void {
    const { kind, message, hint } = told(error);
    this.end(kind, message, hint);
  }

  /** Ends the port at once, and tells the agent why. */
  end(kind: string, message: string, hint = ''): void {
    if (this.#isOver) return;
    this.#post({ type: 'over', error: told(new GitgateError(kind, message, hint)) });
    this.#leave();
    // This end does not receive its own disconnect event.
    this.#port.disconnect();
    this.#onEnd(this);
  }

  #leave(): void {
    this.#isOver = true;
    this.#work?.end();
    this.#work = undefined;
    this.#used?.release();
    this.#used = undefined;
  }
}
