import { defineConfig } from 'vite';

import { licences } from './scripts/licences.mjs';
import { META } from './scripts/policy.mjs';

const policy = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'content-security-policy', content: META }, injectTo: 'head-prepend' },
  ],
};

export default defineConfig({
  base: './',
  plugins: [policy, licences],
  optimizeDeps: { exclude: ['gitgate'] },
  build: {
    target: 'es2022',
    // The policy does not allow scripts or modules in data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[hash].js' } } },
});
