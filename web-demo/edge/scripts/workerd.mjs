// Runs workerd, which prints its address.

import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import workerd from 'workerd';

import { config } from './config.mjs';

/**
 * Starts it with its configuration in `folder`. With `port` 0 it chooses a free one.
 *
 * @param {{ folder: string, port?: number } & Parameters<typeof config>[0]} options
 */
export async function start({ folder, port = 0, ...options }) {
  await mkdir(join(folder, 'objects'), { recursive: true, mode: 0o700 });
  const file = join(folder, 'workerd.capnp');
  // The file contains the secrets.
  await writeFile(file, await config({ ...options, folder }), { mode: 0o600 });
  const arguments_ = ['serve', '--experimental', file, '--control-fd=3', `--socket-addr=main=127.0.0.1:${port}`];
  const child = spawn(workerd.default ?? workerd, arguments_, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const urls = new Map();
  const listening = new Promise((resolve) => {
    createInterface({ input: child.stdio[3] }).on('line', (line) => {
      const told = JSON.parse(line);
      if (told.event !== 'listen') return;
      urls.set(told.socket, `http://127.0.0.1:${told.port}`);
      if (urls.size === 1 + (options.callers?.length ?? 0)) resolve(undefined);
    });
  });
  await Promise.race([
    listening,
    ended.then((code) => {
      throw new Error(`workerd has ended at once: ${code}`);
    }),
  ]);
  return { url: urls.get('main'), urls, child, ended };
}
