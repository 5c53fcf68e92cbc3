// The platform's configuration of the worker agrees with workerd's here.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { COMPATIBILITY_DATE, config } from '../../../scripts/config.mjs';
import { ROOT } from './bodies.js';

interface Deployed {
  main: string;
  compatibility_date: string;
  assets: { binding: string; run_worker_first: string[] };
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes: string[] }[];
}

test('the platform and workerd have the same classes, bindings and day', async () => {
  const text = await readFile(join(ROOT, 'wrangler.jsonc'), 'utf8');
  const deployed: Deployed = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
  const own = await config({ folder: ROOT, dist: join(ROOT, 'dist'), page: ROOT, vars: {} });
  assert.equal(deployed.main, 'dist/worker.js');
  assert.equal(deployed.compatibility_date, COMPATIBILITY_DATE);
  const classes = deployed.durable_objects.bindings.map((one) => one.class_name);
  assert.deepEqual(deployed.migrations.flatMap((one) => one.new_sqlite_classes), classes);
  assert.deepEqual([...own.matchAll(/className = "(\w+)".*enableSql = true/g)].map(([, name]) => name), classes);
  for (const { name, class_name } of deployed.durable_objects.bindings) {
    assert.ok(own.includes(`(name = "${name}", durableObjectNamespace = "${class_name}")`), name);
  }
  assert.ok(own.includes(`(name = "${deployed.assets.binding}", service = "page")`));
});
