// Copies the generated files beside tsc's output. Both then have the same place relative to the sources,
// and the package is one folder.

import { cp } from 'node:fs/promises';

const root = new URL('../', import.meta.url);
for (const part of ['shim', 'component']) {
  const [from, to] = ['generated/', 'dist/generated/'].map((folder) => new URL(folder + part, root));
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.d.ts') });
}
