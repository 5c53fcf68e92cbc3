// A person's view of waiting calls, and their answers, over HTTP.

import type { About, Comment, CommentChange, Draft, Look } from '../comment.js';
import { GitgateError } from '../error.js';
import type { Answer, Question, Waiting } from '../question.js';
import type { Reply, Sent } from '../reply.js';
import { replyIn } from './replies.js';
import { comment, comments } from './noted-shapes.js';
import { checked, part } from './server.js';
import type { Ask, Server } from './server.js';
import { question, waiting } from './shapes.js';

export class Person {
  readonly #server: Server;
  readonly #signal: AbortSignal;

  constructor(server: Server, signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  async waiting(): Promise<Waiting[]> {
    const ask: Ask = { method: 'GET', path: '/waiting', signal: this.#signal };
    return (await this.#server.get(ask, waiting)).waiting;
  }

  review(id: string): Promise<Question> {
    return this.#server.get({ method: 'GET', path: `/waiting/${part(id)}`, signal: this.#signal }, question);
  }

  /** A call that stays inside has no result yet: it runs when the agent repeats it. */
  async decide(id: string, answer: Exclude<Answer, { say: 'later' }>): Promise<Sent<Reply> | null> {
    const path = `/waiting/${part(id)}/decision`;
    const ask: Ask = { method: 'POST', path, body: answer, signal: this.#signal };
    const said = await this.#server.say(ask, 422);
    return said.status === 204 ? null : replyIn(said, ask);
  }

  async comments(about: About): Promise<Comment[]> {
    const ask: Ask = { method: 'GET', path: `${pathOf(about)}/comments`, signal: this.#signal };
    return (await this.#server.get(ask, comments)).comments;
  }

  comment(about: About, draft: Draft): Promise<Comment> {
    return this.#post(`${pathOf(about)}/comments`, draft);
  }

  changeComment(about: About, id: string, change: CommentChange): Promise<Comment> {
    return this.#post(`${pathOf(about)}/comments/${part(id)}`, change);
  }

  async markSeen(about: About, looks: Look[]): Promise<null> {
    await this.#server.say({ method: 'POST', path: `${pathOf(about)}/seen`, body: { looks }, signal: this.#signal });
    return null;
  }

  async #post(path: string, body: object): Promise<Comment> {
    const ask: Ask = { method: 'POST', path, body, signal: this.#signal };
    return checked(await this.#server.say(ask), ask, comment);
  }
}

function pathOf({ id }: About): string {
  if (id !== null) return `/waiting/${part(id)}`;
  throw new GitgateError('usage', 'a server takes comments only on a push that waits', 'say it to the agent');
}
