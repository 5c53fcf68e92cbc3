// Permissions of agents. A person allows an agent once for each sandbox, and can revoke that.

import { GitgateError } from 'gitgate/extension';

import type { Asking, Grant, State } from '../common/kept.js';
import { PORTS, Share } from './rate.js';
import type { Sandboxes } from './sandboxes.js';
import { Visitor } from './visitor.js';

export class Agents {
  readonly #visitors = new Set<Visitor>();
  readonly #sandboxes: Sandboxes;
  readonly #changed: () => void;
  readonly #save: () => Promise<void>;
  readonly #loaded: Promise<void>;
  readonly #shares = new Map<string, Share>();
  readonly #now: () => number;
  #grants: Grant[] = [];

  /**
   * `save` stores the grants, and `changed` is called when the display of agents changes. Agents get no
   * answer before the grants are `loaded`, but their messages are read meanwhile.
   */
  constructor(
    sandboxes: Sandboxes,
    loaded: Promise<Grant[]>,
    save: () => Promise<void>,
    changed: () => void,
    now = (): number => performance.now(),
  ) {
    this.#sandboxes = sandboxes;
    this.#loaded = loaded.then((grants) => void (this.#grants = grants));
    this.#save = save;
    this.#changed = changed;
    this.#now = now;
  }

  get grants(): Grant[] {
    return this.#grants;
  }

  /** The first request of each agent: one agent has one place among them. */
  get asking(): Asking[] {
    const found = new Map<string, Asking>();
    for (const { id, agent, hello, sandbox, isOver } of this.#visitors) {
      if (!hello || sandbox !== undefined || isOver || found.has(agent)) continue;
      found.set(agent, { id, agent, name: hello.name, sandbox: hello.sandbox ?? null });
    }
    return [...found.values()];
  }

  get here(): State['here'] {
    return [...this.#visitors].flatMap(({ agent, sandbox, isOver }) =>
      sandbox !== undefined && !isOver ? [{ agent, sandbox }] : [],
    );
  }

  connect(agent: string, port: chrome.runtime.Port): void {
    const onHello = (visitor: Visitor): void => {
      this.#loaded.then(
        () => this.#hello(visitor),
        (error: unknown) => this.#end(visitor, error),
      );
    };
    const share = this.#shareOf(agent);
    const visitor = new Visitor(agent, port, share, onHello, (gone) => {
      this.#visitors.delete(gone);
      this.#changed();
    });
    const ports = [...this.#visitors].filter((one) => one.agent === agent).length;
    this.#visitors.add(visitor);
    if (ports >= PORTS) visitor.end('busy', 'too many connections', 'close some');
    else if (!share.take()) visitor.end('busy', 'too many connections in a short time', 'wait a second');
  }

  #shareOf(agent: string): Share {
    for (const [name, share] of this.#shares) {
      if (share.isIdle && ![...this.#visitors].some((one) => one.agent === name)) this.#shares.delete(name);
    }
    const share = this.#shares.get(agent) ?? new Share(this.#now);
    this.#shares.set(agent, share);
    return share;
  }

  #hello(visitor: Visitor): void {
    if (visitor.isOver) return;
    const wanted = visitor.hello?.sandbox;
    const grant = this.#grants.find(
      ({ agent, sandbox }) => agent === visitor.agent && (wanted === undefined || sandbox === wanted),
    );
    if (grant) return void this.#admit(visitor, grant.sandbox);
    if (this.#shares.get(visitor.agent)?.isRefused) return this.#refuse(visitor);
    this.#changed();
  }

  async #admit(visitor: Visitor, sandbox: string): Promise<void> {
    visitor.sandbox = sandbox;
    this.#changed();
    try {
      const gone = (): void => this.#end(visitor, new GitgateError('not-found', 'the sandbox was removed'));
      const used = await this.#sandboxes.use(sandbox, gone);
      // The person may have revoked it while the sandbox opened.
      if (this.#isAllowed(visitor.agent, sandbox)) visitor.admit(used);
      else used.release();
    } catch (error) {
      this.#end(visitor, error);
    }
  }

  #isAllowed(agent: string, sandbox: string): boolean {
    return this.#grants.some((one) => one.agent === agent && one.sandbox === sandbox);
  }

  #end(visitor: Visitor, error: unknown): void {
    visitor.fail(error);
  }

  /** A grant to one port holds for its agent, so that its other ports need not ask. */
  async allow(id: string, sandbox: string): Promise<void> {
    const asked = [...this.#visitors].find((one) => one.id === id);
    if (!asked?.hello) throw new GitgateError('not-found', 'that agent is gone', 'it can ask again');
    if (!(await this.#sandboxes.list()).includes(sandbox)) {
      throw new GitgateError('not-found', `there is no sandbox '${sandbox}'`, 'choose another');
    }
    const { agent, hello } = asked;
    const others = this.#grants.filter((one) => one.agent !== agent || one.sandbox !== sandbox);
    const grant: Grant = { agent, sandbox, name: hello.name, since: Date.now() };
    // The latest is first: an agent that names no sandbox gets that one.
    await this.#keep([grant, ...others]);
    const waiting = [...this.#visitors].filter((one) => one.agent === agent && one.hello && one.sandbox === undefined);
    const fitting = waiting.filter((one) => one === asked || [undefined, sandbox].includes(one.hello?.sandbox));
    await Promise.all(fitting.map((one) => this.#admit(one, sandbox)));
  }

  /** Holds for all requests of its agent, for a while, so that a person need not refuse over and over. */
  refuse(id: string): void {
    const asked = [...this.#visitors].find((one) => one.id === id);
    if (!asked) return;
    this.#shares.get(asked.agent)?.refuse();
    for (const one of [...this.#visitors]) {
      if (one.agent === asked.agent && one.hello && one.sandbox === undefined) this.#refuse(one);
    }
  }

  #refuse(visitor: Visitor): void {
    visitor.end('refused', 'a person has refused', 'do not ask again soon');
  }

  /** Ends the ports before anything else. */
  async takeBack(agent: string, sandbox: string): Promise<void> {
    this.#cut((visitor) => visitor.agent === agent && visitor.sandbox === sandbox);
    await this.#keep(this.#grants.filter((one) => one.agent !== agent || one.sandbox !== sandbox));
  }

  async forget(sandbox: string): Promise<void> {
    await this.#keep(this.#grants.filter((one) => one.sandbox !== sandbox));
    this.#cut((visitor) => visitor.sandbox === sandbox);
  }

  #cut(isMeant: (visitor: Visitor) => boolean): void {
    for (const visitor of [...this.#visitors].filter(isMeant)) {
      this.#end(visitor, new GitgateError('refused', 'a person has taken the permission back', 'ask again'));
    }
  }

  async #keep(grants: Grant[]): Promise<void> {
    this.#grants = grants;
    this.#changed();
    await this.#save();
  }
}
