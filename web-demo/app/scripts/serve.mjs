// Serves the built page on loopback, on a free port or the given one. The optional second argument is the
// address of `gitgate serve`, whose sandboxes then appear beside the page.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { preview } from 'vite';

import { HEADERS } from './policy.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
if (!existsSync(new URL('../dist/index.html', import.meta.url))) {
  console.error('error: the page is not built\nhint: npm run build');
  process.exit(1);
}
const [, , port = '0', sandboxes] = process.argv;
const proxy = sandboxes === undefined ? {} : { '/sandboxes': sandboxes };
const server = await preview({
  root,
  logLevel: 'warn',
  preview: { host: 'localhost', port: Number(port), headers: HEADERS, proxy },
});
const address = server.httpServer.address();
if (address === null || typeof address === 'string') throw new Error('the server has no port');
console.log(`http://localhost:${address.port}/`);
