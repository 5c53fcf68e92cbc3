// Bundles a worker into one module, and puts the WebAssembly modules beside it. The platform compiles
// those, and the bundle imports them.

import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, resolve, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'rolldown';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Bundles `entry` into `dist`/`name`.js. */
export async function bundle(entry, dist, name) {
  const modules = new Map();
  const beside = {
    name: 'beside',
    resolveId(id, importer) {
      if (/^(cloudflare|node):/.test(id)) return { id, external: true };
      if (!id.endsWith('.wasm') || !importer) return null;
      modules.set(basename(id), resolve(dirname(importer), id));
      return { id: `./${basename(id)}`, external: true };
    },
  };
  await build({
    input: resolve(root, entry),
    plugins: [beside],
    // jco's directive marks the file as a component, which no tool here needs.
    onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
    output: { file: resolve(dist, `${name}.js`), format: 'es', minify: true },
  });
  for (const [module, from] of modules) await copyFile(from, resolve(dist, module));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = resolve(root, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await bundle('src/worker.ts', dist, 'worker');
}
