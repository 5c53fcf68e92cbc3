// What one sandbox has written to a bundle, another one begins with.

import assert from 'node:assert/strict';

import { MemoryStorage } from './storage.mjs';

/** Reads a bundle that the player's sandbox has written. */
export function bundle(shim, engine, bytes) {
  const host = new shim.Host(engine, { who: 'ada' }, { create: () => undefined });
  const call = (sandbox, tool, args = '{}', attached = []) => {
    const { done } = sandbox.call({ tool, arguments: args, caller: 'user' }, attached).advance();
    assert.equal(done.tag, 'result', JSON.stringify(done.val));
    return JSON.parse(done.val.structured);
  };
  const found = host.bundle(bytes, '/work.bundle');
  assert.deepEqual(found.skipped, []);
  const sandbox = host.create(new MemoryStorage(), { name: 'copy' }, {});
  call(sandbox, 'sandbox_import', found.arguments, found.attached);
  const listed = JSON.parse(found.arguments);
  const { commits } = call(sandbox, 'git_log', '{"max_count": 1}');
  assert.equal(commits[0].commitId, listed.refs.find(({ name }) => name === listed.head.branch).id);

  const cut = bytes.subarray(0, bytes.length - 1);
  const partial = new Uint8Array([...'# v2 git bundle\n-0123456789012345678901234567890123456789 \n'].map((c) => c.charCodeAt(0)));
  for (const damaged of [new Uint8Array(), cut, partial]) {
    assert.throws(() => host.bundle(damaged, '/work.bundle'), { name: 'HostError', kind: 'refused' });
  }
  assert.throws(() => host.bundle(bytes, 'no absolute path'), { name: 'HostError', kind: 'refused' });
}
