// Prints all tools, as `gitgate tools --json` does: node scripts/tools.mjs GENERATED, the folder with the
// shim and the transpiled component.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { components } from '../../shim/tests/component.mjs';
import { MemoryStorage } from '../../shim/tests/storage.mjs';

const generated = resolve(process.argv[2]);
const shim = await import(pathToFileURL(join(generated, 'shim/shim.js')));
shim.initSync({ module: await readFile(join(generated, 'shim/shim_bg.wasm')) });
const host = new shim.Host(await components(join(generated, 'component')), { who: 'types' }, { create: () => undefined });
const tools = host.create(new MemoryStorage(), { name: 'types', config: '[tools.tasks]\nenabled = true\n' }, {}).tools();
const described = ({ schema, outputSchema, ...tool }) => ({
  ...tool,
  inputSchema: JSON.parse(schema),
  outputSchema: JSON.parse(outputSchema),
});
process.stdout.write(JSON.stringify(tools.map(described)));
