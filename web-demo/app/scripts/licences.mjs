// The licences of the fonts. They accompany every copy of the fonts.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const licences = {
  name: 'licences',
  apply: 'build',
  async generateBundle() {
    for (const name of ['ibm-plex-sans', 'jetbrains-mono']) {
      const source = await readFile(require.resolve(`@fontsource/${name}/LICENSE`), 'utf8');
      this.emitFile({ type: 'asset', fileName: `assets/${name}-licence.txt`, source });
    }
  },
};
