// Serves the package's files to Chromium, on a free loopback port.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: { [ending: string]: string } = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};
const PAGE = '<!doctype html><meta charset="utf-8"><title>gitgate</title><link rel="icon" href="data:,">';
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src data:; connect-src 'self' http://127.0.0.1:*";

export interface Served {
  /** Without cross-origin isolation, and with it. */
  plain: string;
  isolated: string;
  close(): void;
}

/**
 * Serves `dist`, a page at /, and files from elsewhere at their own paths. The address decides about
 * isolation, so each kind of page has its own origin.
 */
export async function serveDist(elsewhere: { [path: string]: string } = {}): Promise<Served> {
  const dist = fileURLToPath(new URL('../', import.meta.url));
  const start = async (headers: { [name: string]: string }) => {
    const server = createServer(async (request, response) => {
      const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
      const all = { ...headers, 'content-security-policy': POLICY, 'cache-control': 'no-store' };
      if (path === '/') return response.writeHead(200, { ...all, 'content-type': 'text/html' }).end(PAGE);
      const file = elsewhere[path] ?? join(dist, path);
      const isFile = await stat(file).then(
        (found) => found.isFile(),
        () => false,
      );
      const type = TYPES[extname(file)];
      if (!isFile || !type) return response.writeHead(404, all).end();
      response.writeHead(200, { ...all, 'content-type': type });
      return createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  };
  const [plain, isolated] = await Promise.all([start({}), start(ISOLATED)]);
  const at = (server: typeof plain): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    plain: at(plain),
    isolated: at(isolated),
    close: () => {
      for (const server of [plain, isolated]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
