// Browsers read the manifests first: both name existing files.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

// The tests are compiled to extension/.test/extension/test.
const ROOT = new URL('../../../', import.meta.url);

/** All strings in a JSON value that are file paths. */
function paths(value: unknown): string[] {
  if (typeof value === 'string') return /^[\w./-]+\.(css|html|js|png|svg)$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(paths) : [];
}

for (const [folder, needed] of [
  ['dist', ['worker.js', 'panel/index.html', 'bridge.js', 'connect.js']],
  ['dist-firefox', ['worker.js', 'panel/index.html', 'bridge.js', 'connect.js']],
] as const) {
  test(`the manifest of ${folder} names only files that are in it`, () => {
    const text = readFileSync(new URL(`${folder}/manifest.json`, ROOT), 'utf8');
    const named = paths(JSON.parse(text));
    for (const path of needed) assert.ok(named.includes(path), `${path} is named`);
    for (const path of named) assert.ok(existsSync(new URL(`${folder}/${path}`, ROOT)), `${path} is there`);
  });
}

test('an icon has the size by which a manifest names it', () => {
  for (const folder of ['dist', 'dist-firefox']) {
    const manifest: { icons: Record<string, string>; action: { default_icon: Record<string, string> } } = JSON.parse(
      readFileSync(new URL(`${folder}/manifest.json`, ROOT), 'utf8'),
    );
    assert.deepEqual(Object.keys(manifest.icons), ['16', '32', '48', '128']);
    const named = [...Object.entries(manifest.icons), ...Object.entries(manifest.action.default_icon)];
    for (const [size, path] of named) {
      const png = readFileSync(new URL(`${folder}/${path}`, ROOT));
      assert.equal(png.toString('latin1', 1, 4), 'PNG', path);
      // The header of a PNG has its width and height at this place.
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Number(size), Number(size)], path);
    }
  }
});

test('each browser has its own manifest, of the same extension', () => {
  const [chromium, firefox] = ['dist', 'dist-firefox'].map((folder): Record<string, unknown> =>
    JSON.parse(readFileSync(new URL(`${folder}/manifest.json`, ROOT), 'utf8')),
  );
  assert.ok(chromium && firefox);
  for (const key of ['name', 'version', 'description', 'host_permissions', 'content_scripts']) {
    assert.deepEqual(firefox[key], chromium[key], key);
  }
  assert.ok('side_panel' in chromium && !('side_panel' in firefox), 'Chromium has a side panel');
  assert.ok('sidebar_action' in firefox && !('sidebar_action' in chromium), 'Firefox has a sidebar');
});
