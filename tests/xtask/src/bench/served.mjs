// Serves the SDK, the others, and a repository to a page that is cross-origin isolated, from a free
// port on loopback.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { entries } from './repository.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  // As a page is usually served, so that a browser can keep what it has compiled.
  'cache-control': 'max-age=3600',
};
const page = (scripts) => `<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,">${scripts}`;

/** What is made here: pages, and the scripts that are too short for a file. */
const TEXTS = {
  '/': page('<script type="module" src="/page.mjs"></script>'),
  '/first': page('<script type="module" src="/first.mjs"></script>'),
  // From navigation to a sandbox that answers.
  '/first.mjs': `import { openSandbox, opfs } from '/src/index.js';
    const sandbox = await openSandbox({ name: 'first', storage: opfs() });
    await sandbox.status();
    globalThis.answered = performance.now();`,
  '/worker.mjs': `import '/noted.mjs'; import '/src/worker/main.js';`,
  // Before anything else in the Worker: how long each flush takes, and each call from the message that asks for it
  // up to the reply that is sent.
  '/noted.mjs': `const noted = { flushes: [], calls: [] };
    const { flush } = FileSystemSyncAccessHandle.prototype;
    FileSystemSyncAccessHandle.prototype.flush = function () {
      const begin = performance.now();
      flush.call(this);
      noted.flushes.push(performance.now() - begin);
    };
    const calls = new Map();
    addEventListener('message', (event) => {
      const begin = performance.now();
      const { type, method, id } = event.data;
      if (type === 'request' && method === 'call') calls.set(id, begin);
    });
    const post = self.postMessage.bind(self);
    self.postMessage = (message) => {
      const begin = message.type === 'done' ? calls.get(message.id) : undefined;
      if (begin !== undefined) noted.calls.push(performance.now() - begin);
      post(message);
    };
    const channel = new BroadcastChannel('noted');
    channel.onmessage = () => channel.postMessage(noted);`,
};

function* contents(repository) {
  for (const { data } of entries(repository)) if (data) yield data;
}

const listed = (repository) =>
  JSON.stringify([...entries(repository)].map(({ path, target, data }) => ({ path, target, size: data?.length })));

/** `files` are served by their paths, and what is in the SDK's `dist` by its own. */
export async function serve(dist, files, repository) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const begin = (type) => response.writeHead(200, { ...HEADERS, 'content-type': type });
    const text = path === '/repository.json' ? listed(repository) : TEXTS[path];
    if (text !== undefined) return begin(path.endsWith('js') ? 'text/javascript' : 'text/html').end(text);
    if (path === '/repository.bin') {
      return pipeline(contents(repository), begin('application/octet-stream')).catch((error) => response.destroy(error));
    }
    const file = files[path] ?? join(dist, path);
    const isFile = await stat(file).then((found) => found.isFile(), () => false);
    if (!isFile) return response.writeHead(404, HEADERS).end();
    return createReadStream(file).pipe(begin(TYPES[extname(file)] ?? 'application/octet-stream'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => (server.closeAllConnections(), server.close());
  return { at: `http://127.0.0.1:${server.address().port}`, close };
}
