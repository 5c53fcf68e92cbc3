// The configuration of workerd for one process on loopback. The platform's own configuration is
// wrangler.jsonc. `test/config.test.ts` keeps the two consistent.

import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compatibility date of the worker. */
export const COMPATIBILITY_DATE = '2026-11-01';

const PAGE = fileURLToPath(new URL('page.mjs', import.meta.url));

const text = (value) => JSON.stringify(value);

/** workerd resolves an embedded file relative to the configuration's folder. */
const embed = (folder, file) => `embed ${text(relative(folder, file))}`;

async function modules(dist, main, folder) {
  const wasm = (await readdir(dist)).filter((name) => name.endsWith('.wasm'));
  const of = (name, kind) => `(name = ${text(name)}, ${kind} = ${embed(folder, join(dist, name))})`;
  return [of(`${main}.js`, 'esModule'), ...wasm.sort().map((name) => of(name, 'wasm'))];
}

const variables = (vars) =>
  Object.entries(vars).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`);

/**
 * The text of the configuration that lies in `folder`.
 *
 * @param {{ dist: string, main?: string, folder: string, page?: string,
 *   headers?: Record<string, string>, vars: Record<string, string>,
 *   callers?: { name: string, dist: string, vars: Record<string, string> }[] }} options
 */
export async function config({ dist, main = 'worker', folder, page, headers = {}, vars, callers = [] }) {
  const bindings = [
    '(name = "SANDBOXES", durableObjectNamespace = "SandboxObject")',
    '(name = "DIRECTORY", durableObjectNamespace = "Directory")',
    ...variables(vars),
    ...(page ? ['(name = "ASSETS", service = "page")'] : []),
  ];
  const services = [
    '(name = "main", worker = .main)',
    `(name = "storage", disk = (path = ${text(join(folder, 'objects'))}, writable = true))`,
    // GitHub, or a fake one on this machine.
    '(name = "net", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)))',
    ...(page
      ? ['(name = "page", worker = .page)', `(name = "files", disk = (path = ${text(page)}, writable = false))`]
      : []),
    ...callers.map(({ name }) => `(name = ${text(name)}, worker = .${name})`),
  ];
  const sockets = ['main', ...callers.map(({ name }) => name)].map(
    (name) => `(name = ${text(name)}, address = "127.0.0.1:0", http = (), service = ${text(name)})`,
  );
  // Workers that reach the one with the sandboxes through a binding.
  const callerWorkers = callers.map(
    async ({ name, dist, vars }) => `
const ${name} :Workerd.Worker = (
  modules = [
    ${(await modules(dist, name, folder)).join(',\n    ')},
  ],
  compatibilityDate = ${text(COMPATIBILITY_DATE)},
  bindings = [
    ${['(name = "GITGATE", service = "main")', ...variables(vars)].join(',\n    ')},
  ],
);
`,
  );
  const pageWorker = `
const page :Workerd.Worker = (
  modules = [(name = "page.js", esModule = ${embed(folder, PAGE)})],
  compatibilityDate = ${text(COMPATIBILITY_DATE)},
  bindings = [(name = "FILES", service = "files"), (name = "HEADERS", json = ${text(text(headers))})],
);`;
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    ${services.join(',\n    ')},
  ],
  sockets = [
    ${sockets.join(',\n    ')},
  ],
);

const main :Workerd.Worker = (
  modules = [
    ${(await modules(dist, main, folder)).join(',\n    ')},
  ],
  compatibilityDate = ${text(COMPATIBILITY_DATE)},
  durableObjectNamespaces = [
    (className = "SandboxObject", uniqueKey = "gitgate.SandboxObject", enableSql = true),
    (className = "Directory", uniqueKey = "gitgate.Directory", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "storage"),
  globalOutbound = "net",
  bindings = [
    ${bindings.join(',\n    ')},
  ],
);
${page ? pageWorker : ''}${(await Promise.all(callerWorkers)).join('')}`;
}
