// A sandbox whose calls take long enough to observe them.

import type { Page } from 'playwright-core';

/** Creates a sandbox where a diff takes seconds, and reads the clock often. */
export async function slow(page: Page, storage: 'memory' | 'opfs'): Promise<void> {
  await page.evaluate(async (storage) => {
    const sandbox = await gitgate.openSandbox({
      name: 'slow',
      storage: gitgate[storage](),
      identity: 'Ada <ada@example.org>',
    });
    const files = Array.from({ length: 16 }, (_, at) => `f${at}`);
    const write = async (seed: number): Promise<void> => {
      for (const path of files) {
        const lines = Array.from({ length: 20_000 }, () => {
          seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
          return (seed >>> 20).toString(36);
        });
        await sandbox.call('write_file', { path, content: lines.join('\n') });
      }
    };
    await write(1);
    await sandbox.call('git_stage', { files, message: 'Add much' });
    await write(2);
    Object.assign(globalThis, { sandbox });
  }, storage);
}

declare global {
  var sandbox: import('../src/index.js').Sandbox;
}
