// Requests to the interface, and their answers.

import assert from 'node:assert/strict';

/** JSON of which a test checks some fields. */
export type Answer = { status: number; body: Fields; text: string; bytes: Uint8Array; headers: Headers };
export interface Fields {
  readonly [name: string]: Fields;
}

export class Api {
  constructor(
    public url: string,
    readonly operator: string,
  ) {}

  async ask(method: string, path: string, token?: string, body?: unknown, headers: object = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    // Events do not end, and another helper reads them.
    const goesOn = type.startsWith('text/event-stream');
    if (goesOn) await response.body?.cancel();
    const bytes = goesOn ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const isProblem = type.startsWith('application/problem+json');
    // git shows a person plain text only.
    const saysWrong = path.startsWith('/git/') ? type.startsWith('text/plain') : isProblem;
    assert.equal(saysWrong, response.status >= 400, `${method} ${path}: ${response.status} ${type}`);
    const parsed: Fields = type.includes('json') ? JSON.parse(text) : {};
    if (isProblem) {
      for (const name of ['detail', 'kind', 'hint']) assert.equal(typeof parsed[name], 'string', `${name} in ${text}`);
    }
    return { status: response.status, body: parsed, text, bytes, headers: response.headers };
  }

  /** Creates a sandbox, and returns its owner's token. */
  async create(body: { name: string; from?: object; identity?: string; policy?: string; pushTo?: string }): Promise<string> {
    const made = await this.ask('POST', '/sandboxes', this.operator, body);
    assert.equal(made.status, 201, made.text);
    return words(made.body['owner']?.['token']);
  }

  async token(name: string, owner: string, role: string, more: object = {}): Promise<string> {
    const made = await this.ask('POST', `/sandboxes/${name}/tokens`, owner, { role, note: role, ...more });
    assert.equal(made.status, 201, made.text);
    return words(made.body['token']);
  }

  call(name: string, token: string, tool: string, args: object): Promise<Answer> {
    return this.ask('POST', `/sandboxes/${name}/tools/${tool}`, token, args);
  }

  /** Writes and stages a file. */
  async stage(name: string, token: string, path: string, content = 'one\n', message = `Write ${path}`): Promise<void> {
    const written = await this.call(name, token, 'write_file', { path, content });
    assert.equal(written.status, 200, written.text);
    const staged = await this.call(name, token, 'git_stage', { files: [path], message });
    assert.equal(staged.status, 200, staged.text);
  }
}

/** A field that is a text. */
export function words(value: unknown): string {
  return typeof value === 'string' ? value : assert.fail(`${JSON.stringify(value)} is no text`);
}

/** The answer, or nothing if the server was killed first. */
export async function unlessCut(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return undefined;
  }
}
