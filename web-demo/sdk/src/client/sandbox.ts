// The sandbox in the public API.

import type { About, Comment, CommentChange, Draft, Look } from '../comment.js';
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
import * as whole from './whole.js';
import type { Ask } from './whole.js';

export interface CallOptions extends Limits {
  /** The caller. Default: an agent. Never let an agent choose. A server needs a token for it. */
  as?: 'agent' | 'user';
  /** Whether to ask a person now, the default, or to return the call as pending. */
  wait?: 'ask' | 'pending';
}

export interface PushOptions extends Limits, Advance {
  /** Default: HEAD. */
  commitId?: string;
  target?: ToolArguments['git_push']['target'];
  only?: boolean;
}

/** The parts of a sandbox. */
export interface Parts {
  name: string;
  line: Line;
  needs: Needs;
  events: Emitter;
  timeoutMs: number;
  /** Runs a function while nobody else can open the sandbox of that name. */
  alone: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export class Sandbox {
  readonly name: string;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  /** Sends any request to the sandbox, for callers that reach it through this one. */
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
    // The tools' own tests check every result against the schema behind the type.
    return reply as Reply<ToolResults[T]>;
  }

  /** Runs a script, an agent's unless the options say otherwise. Folder and exported variables stay for the next. */
  bash(command: string, options: CallOptions = {}): Promise<Reply<ToolResults['bash']>> {
    return this.call('bash', { command }, options);
  }

  readonly #asUser: Ask = async (tool, args) => done(await this.call(tool, args, { as: 'user' }));

  /** The enabled tools. */
  tools(): Promise<ToolSpec[]> {
    return this.request('tools', null);
  }

  /** With all staged commits and all changed files, however many calls that takes. */
  status(): Promise<Done<ToolResults['git_status']>> {
    return whole.status(this.#asUser);
  }

  /** Everything below a folder, however many calls that takes. `truncated` says that some entries are still missing. */
  files(path = '/workspace'): Promise<Done<ToolResults['list_files']>> {
    return whole.files(this.#asUser, path);
  }

  /** The staged commits that wait for a push, oldest first. */
  async staged(): Promise<ToolResults['git_status']['staged']> {
    return (await this.status()).structured.staged;
  }

  /**
   * Pushes as the user. Asks a person, unless the options give the digest that they saw. A push that the
   * target refuses is also `done`: `pushResult` reads the details.
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

  /** Undoes the latest calls that changed something. */
  undo(steps = 1): Promise<Done<ToolResults['sandbox_undo']>> {
    return this.#asUser('sandbox_undo', { steps });
  }

  /** The latest calls that changed something, newest first. `truncated` says that there are earlier ones. */
  history(limit = 20): Promise<Done<ToolResults['sandbox_history']>> {
    return whole.history(this.#asUser, limit);
  }

  /** The calls that wait for a person, oldest first. */
  waiting(): Promise<Waiting[]> {
    return this.request('waiting', null);
  }

  /**
   * The question to a person about a waiting call. A push is made in its present state, and keeps waiting.
   */
  review(id: string, limits?: Limits): Promise<Question> {
    return this.request('review', id, limits);
  }

  /**
   * Answers a waiting call. The approval of a push names the digest from `review`. A call that stays inside
   * runs when the agent repeats it, and the answer is `null`; a push runs now.
   */
  async decide(id: string, answer: Answer, limits?: Limits): Promise<Reply | null> {
    const sent = await this.request('decide', { id, answer }, limits);
    return sent && received(sent);
  }

  /** Rejects a waiting call. The agent reads the reason when it repeats the call. */
  async reject(id: string, reason: string): Promise<void> {
    await this.request('reject', { id, reason });
  }

  /** The comments on the pushes to a branch, in the order in which they were made, those that are settled too. */
  comments(about: About): Promise<Comment[]> {
    return this.request('comments', about);
  }

  /** Comments on a push. The agent is told when somebody asks for changes. */
  comment(about: About, draft: Draft): Promise<Comment> {
    return this.request('comment', { about, draft });
  }

  /** Settles a comment, opens it again, withdraws or answers it. */
  changeComment(about: About, comment: string, change: CommentChange): Promise<Comment> {
    return this.request('changeComment', { about, comment, change });
  }

  /** Keeps which parts of a push a person has seen. A later push says what is new since then. */
  async markSeen(about: About, looks: Look[]): Promise<void> {
    await this.request('markSeen', { about, looks });
  }

  /** The decisions and their outcomes, for a person. */
  audit(): Promise<string> {
    return this.request('audit', null);
  }

  /** The decisions as records, oldest first. */
  decisions(): Promise<Json[]> {
    return this.request('decisions', null);
  }

  settings(): Promise<Json> {
    return this.request('settings', null);
  }

  /** Verifies everything in the storage, and changes nothing. */
  fsck(): Promise<Report> {
    return this.request('fsck', null);
  }

  /** Compacts the journal. */
  async compact(): Promise<void> {
    await this.request('compact', null);
  }

  /** Copies the sandbox in its current state to an unused name. */
  async fork(name: string): Promise<void> {
    await this.#parts.alone(name, () => this.request('fork', name));
  }

  /**
   * A branch with its history, by default the current one, after a person approves it.
   */
  async exportBundle(branch?: string, { digest, revision, ...limits }: Limits & Advance = {}): Promise<Exported> {
    const wanted = { ...(branch !== undefined && { branch }), ...inAdvance({ digest, revision }) };
    return receivedExport(await this.request('export', wanted, limits));
  }

  /** The latest `owner` event: the first occurs before anybody can listen. */
  get owner(): Events['owner'] {
    return { isHere: this.#parts.line.isHere };
  }

  /** Adds a listener, until the caller calls the returned function. */
  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): () => void {
    return this.#parts.events.on(event, listener);
  }

  /**
   * Answers the questions of this tab's calls, until the caller calls the returned function. There is only
   * one handler. Without one, such calls return as pending.
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

  /** Ends the Worker, unless another tab has it, or disconnects from the server. */
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
