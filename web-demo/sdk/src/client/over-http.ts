// A sandbox on a server: each method of the protocol becomes a request.

import { GitgateError, gitgateError } from '../error.js';
import type { Advance, Args, Call, Method, Result } from '../protocol.js';
import type { Answer, Question } from '../question.js';
import type { Exported, Reply, Sent } from '../reply.js';
import type { Context, Handlers, Watch } from '../rpc.js';
import { inAdvance } from './advance.js';
import { askedAsAgent, askedAsUser } from './asking.js';
import type { Work } from './asking.js';
import { anything } from './check.js';
import { closed } from './line.js';
import type { Asking, Line } from './line.js';
import { Person } from './person.js';
import { exportTo, replyTo } from './replies.js';
import { parsed, part, strange } from './server.js';
import type { Ask, Server } from './server.js';
import { decisions, tools } from './shapes.js';

/** The server connections, each with its own token. There is at least one. */
export interface Tokens {
  agent: Server | undefined;
  /** A reviewer or an owner. */
  user: Server | undefined;
}

/** The arguments of a user's push. */
const PUSH = ['commitId', 'target', 'only'];

export class OverHttp implements Line {
  // No tab has a Worker.
  readonly isHere = false;
  readonly #tokens: Tokens;
  readonly #isAsked: () => boolean;
  readonly #end: () => void;
  readonly #closed = new AbortController();
  #next = 1;

  /** `end` is the additional work of closing it. */
  constructor(tokens: Tokens, isAsked: () => boolean, end: () => void) {
    this.#tokens = tokens;
    this.#isAsked = isAsked;
    this.#end = end;
  }

  request<M extends Method>(method: M, args: Args<M>, watch: Watch): Asking<M> {
    const off = new AbortController();
    const end = (): void => off.abort();
    if (this.#closed.signal.aborted) return { reply: Promise.reject(closed()), cancel: end };
    this.#closed.signal.addEventListener('abort', end);
    const reply = this.#answer(method, args, watch, off.signal).finally(() =>
      this.#closed.signal.removeEventListener('abort', end),
    );
    return { reply, cancel: end };
  }

  close(): Promise<void> {
    this.#closed.abort();
    this.#end();
    return Promise.resolve();
  }

  async #answer<M extends Method>(
    method: M,
    args: Args<M>,
    { perform, state }: Watch,
    signal: AbortSignal,
  ): Promise<Result<M>> {
    const context: Context = {
      id: this.#next++,
      signal,
      need: async (what) => {
        state?.('away', what);
        try {
          return await perform(what, signal);
        } finally {
          state?.('running');
        }
      },
    };
    try {
      return await this.#handlers[method](args, context);
    } catch (error) {
      throw this.#closed.signal.aborted ? closed() : gitgateError(error);
    }
  }

  #as(caller: 'agent' | 'user'): Server {
    const found = this.#tokens[caller];
    if (found) return found;
    throw caller === 'user'
      ? new GitgateError(
          'usage',
          "the token is an agent's, and makes no calls as the user",
          'connect with a token of an owner or a reviewer, or make the call as an agent',
        )
      : new GitgateError(
          'usage',
          "the token is a person's, and a call with it would be made as the user, not as an agent",
          "connect with an agent's token, or make the call with { as: 'user' } if no agent chooses it",
        );
  }

  /** The connection that may do a person's reading. The server tells an agent that it may not. */
  get #person(): Server {
    return this.#tokens.user ?? this.#as('agent');
  }

  #work({ need }: Context): Work {
    const ask = async (question: Question): Promise<Answer> => {
      const given = await need({ tag: 'question', val: question });
      if (given.tag === 'question') return given.val;
      throw new GitgateError('usage', 'the answer is to another question');
    };
    return { ask, isAsked: this.#isAsked() };
  }

  async #call(call: Call, context: Context): Promise<Sent<Reply>> {
    const work = this.#work(context);
    const { signal } = context;
    const server = this.#as(call.caller);
    const args = fields(call.arguments);
    const isPush = call.caller === 'user' && call.tool === 'git_push';
    if (isPush && Object.keys(args).every((name) => PUSH.includes(name))) {
      const push = (more: Advance): Promise<Sent<Reply>> =>
        replyTo(server, { method: 'POST', path: '/pushes', body: { ...args, ...more }, signal });
      const ended = await push(inAdvance(call));
      return call.ask ? askedAsUser(ended, push, work) : ended;
    }
    const ask: Ask = { method: 'POST', path: `/tools/${part(call.tool)}`, body: args, signal };
    const make = (): Promise<Sent<Reply>> => replyTo(server, ask);
    const ended = await make();
    const { user } = this.#tokens;
    if (!call.ask || call.caller === 'user' || !user) return ended;
    return askedAsAgent(ended, { tool: call.tool, args, make, person: new Person(user, signal) }, work);
  }

  async #export(wanted: Args<'export'>, context: Context): Promise<Sent<Exported>> {
    const work = this.#work(context);
    const { signal } = context;
    const server = this.#as('user');
    const branch = wanted.branch !== undefined && { branch: wanted.branch };
    const make = (more: Advance): Promise<Sent<Exported>> =>
      exportTo(server, { method: 'POST', path: '/bundle', body: { ...branch, ...more }, signal });
    return askedAsUser(await make(inAdvance(wanted)), make, work);
  }

  readonly #handlers: Handlers = {
    open: () => Promise.reject(new GitgateError('usage', 'the sandbox is opened by the server')),
    call: (call, context) => this.#call(call, context),
    export: (wanted, context) => this.#export(wanted, context),
    tools: async (_, { signal }) => {
      const server = this.#tokens.agent ?? this.#person;
      return (await server.get({ method: 'GET', path: '/tools', signal }, tools)).tools;
    },
    waiting: (_, { signal }) => new Person(this.#person, signal).waiting(),
    review: (id, { signal }) => new Person(this.#person, signal).review(id),
    decide: async ({ id, answer }, { signal }) => {
      const person = new Person(this.#person, signal);
      if (answer.say !== 'later') return person.decide(id, answer);
      // A postponed answer sends nothing, but reports that the call waits.
      const asked = await person.review(id);
      const push = asked.about === 'push' ? asked.push.push : null;
      const reason = answer.reason ?? 'nobody has decided yet';
      return { outcome: 'pending', reason, hint: '', waits: true, push, inside: null };
    },
    reject: async ({ id, reason }, { signal }) => {
      const ended = await new Person(this.#person, signal).decide(id, { say: 'reject', reason });
      if (ended === null || ended.outcome === 'done' || (ended.outcome === 'failed' && ended.kind === 'rejected')) {
        return null;
      }
      // The server makes the push before it rejects it, and the result may differ.
      if (ended.outcome === 'failed') throw new GitgateError(ended.kind, ended.message, ended.hint);
      throw new GitgateError('not-approved', ended.reason, ended.hint);
    },
    comments: (about, { signal }) => new Person(this.#person, signal).comments(about),
    comment: ({ about, draft }, { signal }) => new Person(this.#person, signal).comment(about, draft),
    changeComment: ({ about, comment, change }, { signal }) =>
      new Person(this.#person, signal).changeComment(about, comment, change),
    markSeen: ({ about, looks }, { signal }) => new Person(this.#person, signal).markSeen(about, looks),
    audit: async (_, { signal }) => {
      const ask: Ask = { method: 'GET', path: '/audit', signal };
      const said = await this.#person.say(ask, undefined, 'text/plain');
      if (said.type !== 'text/plain') throw strange(said, ask);
      return new TextDecoder().decode(said.body);
    },
    decisions: async (_, { signal }) =>
      (await this.#person.get({ method: 'GET', path: '/decisions', signal }, decisions)).decisions,
    settings: (_, { signal }) => this.#person.get({ method: 'GET', path: '/settings', signal }, anything),
    fsck: () => Promise.reject(ownAffair()),
    compact: () => Promise.reject(ownAffair()),
    fork: async (name, { signal }) => {
      const ask: Ask = { method: 'POST', path: '/forks', body: { name }, signal };
      const said = await this.#person.say(ask);
      if (said.status !== 201) throw strange(said, ask);
      return null;
    },
    close: () => this.close().then(() => null),
  };
}

function ownAffair(): GitgateError {
  return new GitgateError('usage', 'the server does this itself', 'ask whoever runs it');
}

/** The arguments of a call. Other code checks that they fit the tool. */
function fields(json: string): object {
  const value = parsed(json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new GitgateError('usage', 'the arguments are no JSON object', 'give an object');
}
