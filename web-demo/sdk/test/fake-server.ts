// A sandbox server with scripted answers, for tests.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

import { connectSandbox } from '../src/client/connect.js';
import type { ConnectOptions } from '../src/client/connect.js';
import type { Sandbox } from '../src/client/sandbox.js';

export interface Asked {
  method: string;
  /** Relative to the sandbox's URL. */
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export type Answer = [status: number, body?: unknown, type?: string] | ((response: ServerResponse) => void);

export class Fake {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  /** The answers, by method and path. The last of several repeats. */
  readonly answers: { [asked: string]: Answer[] };

  constructor(answers: { [asked: string]: Answer[] }) {
    this.answers = { 'GET /waiting': [[200, { waiting: [] }]], ...answers };
    this.#server = createServer(async (request, response) => {
      const path = (request.url ?? '').replace('/sandboxes/one', '');
      const method = request.method ?? '';
      const text = (await buffer(request)).toString();
      this.asked.push({ method, path, headers: request.headers, body: text ? JSON.parse(text) : undefined });
      const all = this.answers[`${method} ${path}`] ?? [];
      const answer = (all.length > 1 ? all.shift() : all[0]) ?? problem(404, 'not-found');
      if (typeof answer === 'function') return answer(response);
      const [status, body, type = 'application/json'] = answer;
      if (body === undefined) return response.writeHead(status).end();
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      return response.writeHead(status, { 'content-type': type }).end(isRaw ? body : JSON.stringify(body));
    });
  }

  async start(t: TestContext): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    t.after(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/sandboxes/one`;
  }

  cut(): void {
    this.#server.closeAllConnections();
  }

  /** The requests, without those of the opening. */
  rest(): string[] {
    return this.asked.slice(1).map(({ method, path }) => `${method} ${path}`);
  }
}

export const problem = (status: number, kind: string, more: object = {}): Answer => [
  status,
  { type: 'about:blank', title: '', status, kind, detail: 'it is wrong', hint: 'mend it', ...more },
  'application/problem+json',
];
export const FORBIDDEN = problem(403, 'forbidden');
export const done = (text: string): Answer => [200, { outcome: 'done', text, structured: { a: [1] }, truncated: false }];
export const hang = (): void => undefined;
export const cut = (response: ServerResponse): void => void response.socket?.destroy();

/** A sandbox with a person's token. */
export async function open(
  t: TestContext,
  answers: { [asked: string]: Answer[] },
  options: ConnectOptions = {},
): Promise<{ fake: Fake; sandbox: Sandbox }> {
  const fake = new Fake(answers);
  const sandbox = await connectSandbox(await fake.start(t), 'hunter2', options);
  t.after(() => sandbox.close());
  return { fake, sandbox };
}

export const USER = { as: 'user' } as const;
export const read = (sandbox: Sandbox) => sandbox.call('read_file', { path: 'a.md' }, USER);
