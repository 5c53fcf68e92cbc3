// A fake GitHub for pages: one repository with a flat folder, and pull requests, in the form of its REST
// API.

import { fail } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Person {
  name: string;
  email: string;
  date: string;
}

interface Entry {
  path: string;
  mode: string;
  type: string;
  sha: string;
}

interface Commit {
  tree: string;
  parents: string[];
  author: Person;
  committer: Person;
  message: string;
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST, PATCH',
};

interface Pull {
  number: number;
  html_url: string;
  title: string;
  head: string;
  base: string;
}

/** Operations that GitHub refuses to repeat. */
const THERE = Symbol('it is there already');

export class Hub {
  readonly requests: string[] = [];
  /** For this many seconds, it only asks clients to retry later. */
  busy: number | undefined;
  /** Whether it alternately answers nothing, or starts an answer and never finishes it. */
  hangs = false;
  readonly tokens = new Set<string | undefined>();
  /** Branches besides `main`, whose commit is `head`. */
  readonly branches = new Map<string, string>();
  readonly pulls: Pull[] = [];
  /** Whether the token may open pull requests. */
  takesPulls = true;
  readonly #blobs = new Map<string, Buffer>();
  readonly #trees = new Map<string, Entry[]>();
  readonly #commits = new Map<string, Commit>();
  readonly #server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, CORS).end();
    const path = (request.url ?? '').replace(/^\/repos\/ada\/project/, '');
    this.requests.push(`${request.method} ${path}`);
    this.tokens.add(request.headers.authorization);
    const text = (await buffer(request)).toString();
    if (this.hangs) {
      const head = { ...CORS, 'content-type': 'application/json' };
      if (this.requests.length % 2) response.writeHead(200, head).flushHeaders();
      return undefined;
    }
    if (this.busy !== undefined) {
      const busy = { ...CORS, 'content-type': 'application/json', 'retry-after': `${this.busy}` };
      return response.writeHead(429, busy).end('{"message":"You have exceeded a secondary rate limit"}');
    }
    const answer = this.#answer(`${request.method} ${path}`, text ? JSON.parse(text) : undefined);
    const [status, body] =
      answer === undefined
        ? [404, { message: 'Not Found' }]
        : answer === THERE
          ? [422, { message: 'Validation Failed' }]
          : [200, answer];
    return response.writeHead(status, { ...CORS, 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  head: string;

  private constructor() {
    const sha = this.#blob(Buffer.from('# Project\n'));
    const tree = this.#tree([{ path: 'README.md', mode: '100644', type: 'blob', sha }]);
    const ada = { name: 'Ada', email: 'ada@example.org', date: '2026-11-20T10:00:00Z' };
    this.head = this.#commit({ tree, parents: [], author: ada, committer: ada, message: 'Begin\n' });
  }

  static async start(): Promise<Hub> {
    const hub = new Hub();
    await new Promise<void>((resolve) => hub.#server.listen(0, '127.0.0.1', resolve));
    return hub;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The files of a branch. */
  files(branch = 'main'): { [path: string]: string } {
    const head = this.#tip(branch) ?? fail('it has the branch');
    const entries = this.#trees.get(this.#commits.get(head)?.tree ?? '') ?? [];
    return Object.fromEntries(entries.map(({ path, sha }) => [path, this.#blobs.get(sha)?.toString() ?? '']));
  }

  /** Adds files to the branch, in a separate commit. */
  commit(files: { [path: string]: Buffer }): void {
    const parent = this.#commits.get(this.head) ?? fail('it has a commit');
    const added = Object.entries(files).map(([path, content]) => {
      return { path, mode: '100644', type: 'blob', sha: this.#blob(content) };
    });
    const tree = this.#tree([...(this.#trees.get(parent.tree) ?? []), ...added]);
    this.head = this.#commit({ ...parent, tree, parents: [this.head], message: 'Add files\n' });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #tip(branch: string): string | undefined {
    return branch === 'main' ? this.head : this.branches.get(branch);
  }

  #ref(branch: string): object | undefined {
    const sha = this.#tip(branch);
    return sha === undefined ? undefined : { ref: `refs/heads/${branch}`, object: { sha, type: 'commit' } };
  }

  #move(branch: string, sha: string): object | undefined {
    if (this.#tip(branch) === undefined) return undefined;
    if (branch === 'main') this.head = sha;
    else this.branches.set(branch, sha);
    return this.#ref(branch);
  }

  #pull({ title, head, base }: Pull): unknown {
    if (!this.takesPulls) return undefined;
    if (this.pulls.some((one) => one.head === head)) return THERE;
    const number = this.pulls.length + 1;
    const pull = { number, html_url: `https://github.com/ada/project/pull/${number}`, title, head, base };
    this.pulls.push(pull);
    return pull;
  }

  #id(kind: string, content: Buffer): string {
    return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex');
  }

  #blob(content: Buffer): string {
    const sha = this.#id('blob', content);
    this.#blobs.set(sha, content);
    return sha;
  }

  #tree(entries: Entry[]): string {
    const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const parts = sorted.map(({ mode, path, sha }) =>
      Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(sha, 'hex')]),
    );
    const sha = this.#id('tree', Buffer.concat(parts));
    this.#trees.set(sha, sorted);
    return sha;
  }

  #commit(commit: Commit): string {
    const person = ({ name, email, date }: Person): string => {
      const zone = /([+-]\d\d):(\d\d)$/.exec(date);
      return `${name} <${email}> ${Date.parse(date) / 1000} ${zone ? `${zone[1]}${zone[2]}` : '+0000'}`;
    };
    const { tree, parents, author, committer, message } = commit;
    const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`)];
    const people = [`author ${person(author)}`, `committer ${person(committer)}`];
    const sha = this.#id('commit', Buffer.from([...lines, ...people, '', message].join('\n')));
    this.#commits.set(sha, commit);
    return sha;
  }

  #answer(asked: string, body: unknown): unknown {
    const [, what = asked, id = ''] = /^(\S+ \/git\/\w+)\/([0-9a-f]{40})/.exec(asked) ?? [];
    const utc = (person: Person): Person => ({ ...person, date: new Date(person.date).toISOString() });
    switch (what) {
      case 'GET ':
        return { full_name: 'Ada/Project', default_branch: 'main' };
      case 'GET /git/blobs':
        return this.#blobs.has(id)
          ? { content: this.#blobs.get(id)?.toString('base64'), encoding: 'base64' }
          : undefined;
      case 'GET /git/trees':
        return this.#trees.has(id) ? { sha: id, tree: this.#trees.get(id) } : undefined;
      case 'GET /git/commits': {
        const commit = this.#commits.get(id);
        return commit && this.#shown(id, commit, utc);
      }
      case 'POST /git/blobs':
        return { sha: this.#blob(Buffer.from((body as { content: string }).content, 'base64')) };
      case 'POST /git/trees':
        return { sha: this.#tree((body as { tree: Entry[] }).tree) };
      case 'POST /git/commits':
        return { sha: this.#commit(body as Commit) };
      case 'POST /git/refs': {
        const { ref, sha } = body as { ref: string; sha: string };
        const branch = ref.replace('refs/heads/', '');
        if (this.#tip(branch) !== undefined) return THERE;
        this.branches.set(branch, sha);
        return this.#ref(branch);
      }
      case 'POST /pulls':
        return this.#pull(body as Pull);
    }
    const [, branch] = /^GET \/git\/ref\/heads\/(.+)$/.exec(asked) ?? [];
    if (branch !== undefined) return this.#ref(decodeURIComponent(branch));
    const [, moved] = /^PATCH \/git\/refs\/heads\/(.+)$/.exec(asked) ?? [];
    if (moved !== undefined) return this.#move(decodeURIComponent(moved), (body as { sha: string }).sha);
    const [, head] = /^GET \/pulls\?.*head=ada(?::|%3A)([^&]+)/.exec(asked) ?? [];
    if (head !== undefined) return this.pulls.filter((one) => one.head === decodeURIComponent(head));
    if (asked.startsWith('GET /git/matching-refs/heads/')) {
      return ['main', ...this.branches.keys()].map((branch) => this.#ref(branch));
    }
    if (asked.startsWith('GET /git/matching-refs/tags/')) return [];
    if (asked.startsWith('GET /commits?')) {
      // The whole history fits on one page.
      return [...this.#commits].toReversed().map(([sha, commit]) => {
        const { parents, ...rest } = this.#shown(sha, commit, utc);
        return { sha, parents, commit: rest };
      });
    }
    return undefined;
  }

  #shown(sha: string, { tree, parents, author, committer, message }: Commit, utc: (person: Person) => Person) {
    const named = { tree: { sha: tree }, parents: parents.map((parent) => ({ sha: parent })) };
    return { sha, ...named, author: utc(author), committer: utc(committer), message };
  }
}
