// A sandbox, as a web developer uses it.

import { GitgateError, told } from '../error.js';
import type { Advance, Args, EventName, Events, Method, Report, Result } from '../protocol.js';
import type { Answer, Question, Waiting } from '../question.js';
import { received, receivedExport } from '../reply.js';
import type { Done, Exported, Reply } from '../reply.js';
import type { Json, ToolArguments, ToolName, ToolResults, ToolSpec } from '../tools.js';
import { inAdvance } from './advance.js';
import type { Emitter } from './events.js';
import { Limit } from './limit.js';
import type { Limits } from './limit.js';
import type { Line } from './line.js';
import type { Asked, Needs } from './needs.js';

export interface CallOptions extends Limits {
  /** Who calls. Default: an agent. Never let an agent choose. A server must have a token for it. */
  as?: 'agent' | 'user';
  /** Whether a person is asked now, which is the default, or the call comes back as pending. */
  wait?: 'ask' | 'pending';
}

export interface PushOptions extends Limits, Advance {
  /** Default: HEAD. */
  commitId?: string;
  target?: ToolArguments['git_push']['target'];
  only?: boolean;
}

/** What the sandbox is made of. */
export interface Parts {
  name: string;
  line: Line;
  needs: Needs;
  events: Emitter;
  timeoutMs: number;
  /** Does something while nobody else can open the sandbox of that name. */
  alone: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export class Sandbox {
  readonly name: string;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  /** Asks for anything that can be asked of a sandbox, for whoever reaches it through this one. */
  async request<M extends Method>(method: M, args: Args<M>, limits: Limits = {}): Promise<Result<M>> {
    const { line, needs, timeoutMs } = this.#parts;
    const limit = new Limit({ ...limits, timeoutMs: limits.timeoutMs ?? timeoutMs });
    const { reply, cancel } = line.request(method, args, { perform: needs.perform, state: limit.state });
    return limit.hold(reply, cancel);
  }

  /** Calls a tool. */
  async call<T extends ToolName>(
    tool: T,
    args: ToolArguments[T],
    options: CallOptions = {},
  ): Promise<Reply<ToolResults[T]>> {
    const { as: caller = 'agent', wait = 'ask', ...limits } = options;
    const call = { tool, arguments: text(args), caller, ask: wait === 'ask' };
    const reply: Reply<unknown> = received(await this.request('call', call, limits));
    // The tools' own tests hold every result to the schema that the type is made from.
    return reply as Reply<ToolResults[T]>;
  }

  async #asUser<T extends ToolName>(tool: T, args: ToolArguments[T]): Promise<Done<ToolResults[T]>> {
    return done(await this.call(tool, args, { as: 'user' }));
  }

  /** The tools that are switched on. */
  tools(): Promise<ToolSpec[]> {
    return this.request('tools', null);
  }

  status(): Promise<Done<ToolResults['git_status']>> {
    return this.#asUser('git_status', {});
  }

  /** The staged commits that wait for a push, oldest first. */
  async staged(): Promise<ToolResults['git_status']['staged']> {
    return (await this.status()).structured.staged;
  }

  /**
   * Pushes as the user. A person is asked, or gives the digest of what they have seen. One that the
   * target refuses is `done`: `pushResult` reads which.
   */
  async push({ commitId = 'HEAD', target, only, digest, revision, ...limits }: PushOptions = {}): Promise<Reply> {
    const args: ToolArguments['git_push'] = {
      commitId,
      ...(target && { target }),
      ...(only !== undefined && { only }),
    };
    const advance = inAdvance({ digest, revision });
    const call = { tool: 'git_push', arguments: text(args), caller: 'user', ask: true, ...advance } as const;
    return received(await this.request('call', call, limits));
  }

  /** Takes back the latest calls that changed something. */
  undo(steps = 1): Promise<Done<ToolResults['sandbox_undo']>> {
    return this.#asUser('sandbox_undo', { steps });
  }

  /** The calls that changed something, newest first. */
  history(limit?: number): Promise<Done<ToolResults['sandbox_history']>> {
    return this.#asUser('sandbox_history', limit === undefined ? {} : { limit });
  }

  /** The calls that wait for a person, oldest first. */
  waiting(): Promise<Waiting[]> {
    return this.request('waiting', null);
  }

  /**
   * What a person is asked about a waiting call. A push is made in its present state, and waits on.
   */
  review(id: string, limits?: Limits): Promise<Question> {
    return this.request('review', id, limits);
  }

  /**
   * Answers a waiting call. An approval of a push names the digest that `review` gave. A call that
   * stays inside runs when the agent makes it again, and the answer is `null`; a push is made now.
   */
  async decide(id: string, answer: Answer, limits?: Limits): Promise<Reply | null> {
    const sent = await this.request('decide', { id, answer }, limits);
    return sent && received(sent);
  }

  /** Rejects a waiting call. The agent reads the reason when it makes the call again. */
  async reject(id: string, reason: string): Promise<void> {
    await this.request('reject', { id, reason });
  }

  /** What was decided and what became of it, for a person. */
  audit(): Promise<string> {
    return this.request('audit', null);
  }

  /** The same as records, oldest first. */
  decisions(): Promise<Json[]> {
    return this.request('decisions', null);
  }

  settings(): Promise<Json> {
    return this.request('settings', null);
  }

  /** Checks everything that is stored, and changes nothing. */
  fsck(): Promise<Report> {
    return this.request('fsck', null);
  }

  /** Makes the journal as short as it can be. */
  async compact(): Promise<void> {
    await this.request('compact', null);
  }

  /** Copies the sandbox, as it is now, to a name that is free. */
  async fork(name: string): Promise<void> {
    await this.#parts.alone(name, () => this.request('fork', name));
  }

  /**
   * A branch with its history, by default the one that is checked out, once a person has approved
   * it.
   */
  async exportBundle(branch?: string, { digest, revision, ...limits }: Limits & Advance = {}): Promise<Exported> {
    const wanted = { ...(branch !== undefined && { branch }), ...inAdvance({ digest, revision }) };
    return receivedExport(await this.request('export', wanted, limits));
  }

  /** The latest `owner`: the first is told before anybody can listen. */
  get owner(): Events['owner'] {
    return { isHere: this.#parts.line.isHere };
  }

  /** Listens, until the function that this gives is called. */
  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): () => void {
    return this.#parts.events.on(event, listener);
  }

  /**
   * Answers what this tab's calls ask a person, until the function that this gives is called. Only
   * one answers: without one, such calls come back as pending.
   */
  onQuestion(person: Asked): () => void {
    const { needs } = this.#parts;
    if (needs.person)
      throw new GitgateError('usage', 'somebody answers questions already', 'remove that listener first');
    needs.person = person;
    return () => {
      if (needs.person === person) needs.person = undefined;
    };
  }

  /** Ends the Worker, unless another tab has it, or leaves the server. */
  close(): Promise<void> {
    return this.#parts.line.close();
  }
}

function text(args: object): string {
  try {
    return JSON.stringify(args);
  } catch (error) {
    throw new GitgateError('usage', `the arguments are not JSON: ${told(error).message}`);
  }
}

function done<S>(reply: Reply<S>): Done<S> {
  if (reply.outcome === 'done') return reply;
  if (reply.outcome === 'failed') throw new GitgateError(reply.kind, reply.message, reply.hint);
  throw new GitgateError('not-approved', reply.reason, reply.hint);
}
