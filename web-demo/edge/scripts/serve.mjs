// Runs the worker with the page on loopback, and prints addresses and tokens. Its data is in a folder.
//
//   node scripts/serve.mjs [--folder FOLDER] [--port PORT]
//
// It passes on GITHUB_TOKEN, GITHUB_API_URL, GITHUB_TIMEOUT, GIT_CREDENTIALS and ALLOW_ORIGINS, if they are set. It
// answers only to the names of this machine, and to those in ALLOW_HOSTS.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { HEADERS } from '../../app/scripts/policy.mjs';
import { start } from './workerd.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

const { values } = parseArgs({
  options: { folder: { type: 'string', default: join(root, '.gitgate') }, port: { type: 'string', default: '0' } },
});
const dist = join(root, 'dist');
if (!existsSync(join(dist, 'worker.js'))) {
  console.error('error: the worker is not built\nhint: cargo xtask edge --build');
  process.exit(1);
}
const folder = resolve(values.folder);
await mkdir(folder, { recursive: true, mode: 0o700 });
const operator = await token(join(folder, 'operator-token'));
const page = join(root, '../app/dist');
const { GITHUB_TOKEN, GITHUB_API_URL, GITHUB_TIMEOUT, GIT_CREDENTIALS } = process.env;
const { ALLOW_HOSTS = '', ALLOW_ORIGINS } = process.env;
const worker = await start({
  dist,
  folder,
  port: Number(values.port),
  ...(existsSync(join(page, 'index.html')) && { page, headers: HEADERS }),
  vars: {
    OPERATOR_TOKEN: operator,
    ALLOW_HOSTS: `localhost 127.0.0.1 [::1] ${ALLOW_HOSTS}`,
    ...(ALLOW_ORIGINS && { ALLOW_ORIGINS }),
    ...(GITHUB_TOKEN && { GITHUB_TOKEN }),
    ...(GITHUB_API_URL && { GITHUB_API_URL }),
    ...(GITHUB_TIMEOUT && { GITHUB_TIMEOUT }),
    ...(GIT_CREDENTIALS && { GIT_CREDENTIALS }),
  },
});
console.log(`Sandboxes: ${worker.url}/sandboxes
  Authorization: Bearer ${operator}
Description: ${worker.url}/openapi.json${existsSync(join(page, 'index.html')) ? `\nPage: ${worker.url}/` : ''}
Kept in: ${folder}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => worker.child.kill('SIGTERM'));
await worker.ended;

/** The operator's token, created once. */
async function token(file) {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const made = `gitgate_operator_${randomBytes(32).toString('hex')}`;
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
