// Builds the extension into dist, which Chromium loads unpacked, and with Firefox's manifest into
// dist-firefox. Pages and the service worker are modules. Content scripts cannot be modules, so each is one
// file.

import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

import { licences } from '../../app/scripts/licences.mjs';

const root = fileURLToPath(new URL('../src', import.meta.url));
const outDir = fileURLToPath(new URL('../dist', import.meta.url));
const firefox = fileURLToPath(new URL('../dist-firefox', import.meta.url));
const common = { root, base: './', configFile: false, logLevel: 'warn' };
const out = { target: 'es2022', outDir, emptyOutDir: false };

for (const folder of [outDir, firefox]) await rm(folder, { recursive: true, force: true });
await build({
  ...common,
  plugins: [licences],
  build: {
    ...out,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: {
        panel: `${root}/panel/index.html`,
        desk: `${root}/desk/index.html`,
        worker: `${root}/worker/main.ts`,
      },
      output: { entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js') },
    },
  },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[hash].js' } } },
});
for (const name of ['bridge', 'connect']) {
  await build({
    ...common,
    build: {
      ...out,
      lib: { entry: `${root}/page/${name}.ts`, formats: ['iife'], name: 'gitgate_', fileName: () => `${name}.js` },
    },
  });
}
for (const size of [16, 32, 48, 128]) {
  await cp(new URL(`../../app/icon/${size}.png`, import.meta.url), `${outDir}/icon/${size}.png`);
}
await cp(outDir, firefox, { recursive: true });
for (const [name, folder] of [
  ['manifest.json', outDir],
  ['manifest.firefox.json', firefox],
]) {
  await cp(new URL(`../${name}`, import.meta.url), `${folder}/manifest.json`);
}
