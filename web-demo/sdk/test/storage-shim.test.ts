import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Keeping } from '../src/storage/keeping.js';
import type { ShimHost, ShimReply, ShimSandbox } from '../src/worker/shim.js';
import { load } from './shim.js';
import { Disk, random } from './storage/disk.js';

const OPENED = { name: 'one' };

function call(sandbox: ShimSandbox, tool: string, args: object, caller: 'agent' | 'user' = 'agent'): ShimReply {
  const run = sandbox.call({ tool, arguments: JSON.stringify(args), caller });
  const turn = run.advance();
  run.free();
  return 'done' in turn ? turn.done : assert.fail(`${tool} needs ${turn.need.tag}`);
}

function done(reply: ShimReply): string {
  return reply.tag === 'result' ? reply.val.text : assert.fail(JSON.stringify(reply));
}

test('the host finds in the files what it has answered, and a torn end of its journal', async () => {
  const { shim, components } = await load();
  const around = { who: 'ada', isWanted: () => true, doing: () => () => {} };
  const host = (): ShimHost => new shim.Host(components, around, { create: () => assert.fail('nothing is exported') });
  const disk = new Disk();
  const first = new Keeping(disk.files());
  await first.ready();
  const sandbox = host().create(first, OPENED, { identity: 'Ada <ada@example.org>' });
  done(call(sandbox, 'sandbox_import', {}, 'user'));
  done(call(sandbox, 'write_file', { path: 'a.md', content: 'one\n' }));
  done(call(sandbox, 'git_stage', { files: ['a.md'], message: 'Add a file' }));
  done(call(sandbox, 'write_file', { path: 'b.md', content: 'two\n' }));
  const expected = done(call(sandbox, 'git_status', {}));
  assert.match(expected, /b\.md/);

  // Opened from the durable bytes.
  const second = new Keeping(disk.crashed('none').files());
  await second.ready();
  const reopened = host().open(second, OPENED);
  assert.equal(done(call(reopened, 'git_status', {})), expected);
  assert.match(done(call(reopened, 'git_log', {})), /Add a file/);
  const { sound, findings } = host().fsck(second, OPENED);
  assert.ok(sound, JSON.stringify(findings));

  // Cut off at any point of a call.
  let torn = 0;
  for (let step = 0; ; step += 1) {
    const failing = disk.crashed('none');
    const dying = new Keeping(failing.files());
    await dying.ready();
    const last = host().open(dying, OPENED);
    done(call(last, 'git_status', {}));
    failing.fails = { from: failing.steps + step, to: Infinity };
    const isDone = (() => {
      try {
        return call(last, 'write_file', { path: 'c.md', content: 'three\n'.repeat(50) }).tag === 'result';
      } catch (error) {
        assert.ok(error instanceof Error && 'kind' in error, String(error));
        return false;
      }
    })();
    for (const survival of ['none', 'all', random(step), random(step + 9)] as const) {
      const kept = new Keeping(failing.crashed(survival).files());
      await kept.ready();
      const again = host().open(kept, OPENED);
      const status = done(call(again, 'git_status', {}));
      assert.ok(status === expected ? !isDone : /c\.md/.test(status), status);
      torn += again.notes().length;
      done(call(again, 'write_file', { path: 'd.md', content: 'four\n' }));
      assert.ok(host().fsck(kept, OPENED).sound);
    }
    if (isDone) break;
  }
  assert.ok(torn > 0, 'a torn end was seen and told of');
});
