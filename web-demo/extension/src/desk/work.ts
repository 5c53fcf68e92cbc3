// What a permitted agent can do in its sandbox: list the tools, and call them as an agent.

import type { Reply, Sandbox, ToolArguments, ToolName } from 'gitgate';
import { GitgateError, told } from 'gitgate/extension';

import type { FromAgent, ToAgent } from '../common/agent.js';
import { AT_ONCE } from './rate.js';
import type { Share } from './rate.js';

type Call = FromAgent & { type: 'call' };

export class Work {
  readonly #sandbox: Sandbox;
  readonly #share: Share;
  readonly #post: (message: ToAgent) => void;
  readonly #underWay = new Map<number, AbortController>();

  constructor(sandbox: Sandbox, share: Share, post: (message: ToAgent) => void) {
    this.#sandbox = sandbox;
    this.#share = share;
    this.#post = post;
  }

  hear(message: Exclude<FromAgent, { type: 'hello' }>): void {
    if (message.type === 'cancel') return this.#underWay.get(message.id)?.abort();
    void this.#answer(message);
  }

  /** Cancels everything in progress. */
  end(): void {
    for (const off of this.#underWay.values()) off.abort();
  }

  async #answer(message: Exclude<FromAgent, { type: 'hello' | 'cancel' }>): Promise<void> {
    const { id } = message;
    try {
      if (this.#underWay.has(id)) throw new GitgateError('usage', `there is a request ${id} already`, 'count them');
      if (this.#share.calls >= AT_ONCE) {
        throw new GitgateError('busy', `more than ${AT_ONCE} calls at once`, 'wait for some to end');
      }
      const off = new AbortController();
      this.#underWay.set(id, off);
      this.#share.calls += 1;
      try {
        const value = message.type === 'tools' ? await this.#sandbox.tools() : await this.#call(message, off.signal);
        this.#post({ type: 'done', id, value });
      } finally {
        this.#underWay.delete(id);
        this.#share.calls -= 1;
      }
    } catch (error) {
      this.#post({ type: 'failed', id, error: told(error) });
    }
  }

  /** The component checks the tool and its arguments, so that an unknown one gets the usual answer. */
  #call({ tool, args, wait }: Call, signal: AbortSignal): Promise<Reply> {
    const name = tool as ToolName;
    return this.#sandbox.call(name, args as unknown as ToolArguments[ToolName], { as: 'agent', wait, signal });
  }
}
