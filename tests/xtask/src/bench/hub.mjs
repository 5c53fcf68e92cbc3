// A repository of git's, as GitHub's REST API has it, to be read.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

/** Answers of `git cat-file --batch`, in order. */
class Objects {
  #process;
  #waiting = [];
  #bytes = Buffer.alloc(0);

  constructor(repository) {
    this.#process = spawn('git', ['-C', repository, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (part) => {
      this.#bytes = Buffer.concat([this.#bytes, part]);
      this.#answer();
    });
  }

  #answer() {
    for (;;) {
      const end = this.#bytes.indexOf(10);
      if (end < 0) return;
      const [sha, kind, size] = this.#bytes.toString('latin1', 0, end).split(' ');
      if (size === undefined) {
        this.#bytes = this.#bytes.subarray(end + 1);
        this.#waiting.shift()(undefined);
        continue;
      }
      const last = end + 1 + Number(size);
      if (this.#bytes.length < last + 1) return;
      const content = Buffer.from(this.#bytes.subarray(end + 1, last));
      this.#bytes = this.#bytes.subarray(last + 1);
      this.#waiting.shift()({ sha, kind, content });
    }
  }

  read(name) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${name}\n`);
    });
  }

  close() {
    this.#process.stdin.end();
  }
}

function person(line) {
  const [, name, email, seconds] = /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(line);
  return { name, email, date: new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z') };
}

function commit(content) {
  const text = content.toString();
  const at = text.indexOf('\n\n');
  const [head, message] = [text.slice(0, at).split('\n'), text.slice(at + 2)];
  const all = (name) => head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return {
    tree: { sha: all('tree')[0] },
    parents: all('parent').map((sha) => ({ sha })),
    author: person(all('author')[0]),
    committer: person(all('committer')[0]),
    message,
  };
}

const KINDS = { 40000: 'tree', 160000: 'commit' };

function entries(content) {
  const found = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space);
    const sha = content.toString('hex', zero + 1, zero + 21);
    const path = content.toString('utf8', space + 1, zero);
    found.push({ path, mode: mode.padStart(6, '0'), type: KINDS[mode] ?? 'blob', sha });
    at = zero + 21;
  }
  return found;
}

/** Serves `repository` as ada/project, on a free port of loopback. */
export async function serve(repository) {
  const objects = new Objects(repository);
  const branch = 'main';
  const answer = async (path) => {
    const [, what, id] = /^\/repos\/ada\/project(\/git\/\w+)?(?:\/([0-9a-f]{40}))?/.exec(path) ?? [];
    const rest = path.replace('/repos/ada/project', '');
    if (rest === '') return { full_name: 'ada/project', default_branch: branch };
    if (rest === `/git/ref/heads/${branch}` || rest.startsWith('/git/matching-refs/heads/')) {
      const { sha } = await objects.read('HEAD');
      const ref = { ref: `refs/heads/${branch}`, object: { sha, type: 'commit' } };
      return rest.startsWith('/git/ref/') ? ref : [ref];
    }
    if (rest.startsWith('/git/matching-refs/')) return [];
    if (rest.startsWith('/commits?')) return log(objects, new URLSearchParams(rest.slice('/commits?'.length)));
    const object = id && (await objects.read(id));
    if (!object) return undefined;
    if (what === '/git/commits') return { sha: id, ...commit(object.content) };
    if (what === '/git/trees') return tree(objects, id, object, rest.includes('recursive='));
    if (what === '/git/blobs') return { sha: id, content: object.content.toString('base64'), encoding: 'base64' };
    return undefined;
  };
  const server = createServer(async (request, response) => {
    const found = await answer(request.url);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { message: 'Not Found' }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    objects.close();
    server.closeAllConnections();
    server.close();
  };
  return { base: `http://127.0.0.1:${server.address().port}`, close };
}

async function tree(objects, sha, object, isWhole) {
  const found = [];
  const walk = async (content, folder) => {
    for (const entry of entries(content)) {
      found.push({ ...entry, path: folder + entry.path });
      if (isWhole && entry.type === 'tree') {
        await walk((await objects.read(entry.sha)).content, `${folder}${entry.path}/`);
      }
    }
  };
  await walk(object.content, '');
  return { sha, tree: found, truncated: false };
}

/** A page of the history, along first parents and others, as they come. */
async function log(objects, query) {
  const [most, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
  const seen = new Set();
  const queue = [query.get('sha') ?? 'HEAD'];
  const found = [];
  while (queue.length > 0 && found.length < most * page) {
    const object = await objects.read(queue.shift());
    if (!object || seen.has(object.sha)) continue;
    seen.add(object.sha);
    const { parents, ...rest } = commit(object.content);
    found.push({ sha: object.sha, parents, commit: rest });
    queue.push(...parents.map((parent) => parent.sha));
  }
  return found.slice(most * (page - 1));
}
