// A repository on disk, for who keeps it in memory.
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every folder, file and link below `folder`. One at a time: their contents are not held. */
export function* entries(folder, below = '') {
  for (const name of readdirSync(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const from = join(folder, path);
    const stat = lstatSync(from);
    if (stat.isSymbolicLink()) yield { path, target: readlinkSync(from) };
    else if (stat.isFile()) yield { path, data: readFileSync(from) };
    else yield { path };
    if (stat.isDirectory()) yield* entries(folder, path);
  }
}

/** What a revision is, with a line feed. */
export const resolve = (folder, revision) =>
  execFileSync('git', ['-C', folder, 'rev-parse', revision], { encoding: 'utf8' });
