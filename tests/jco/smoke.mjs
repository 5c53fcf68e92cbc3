// One sandbox in node: open it, write, stage, push to a target that is made up, undo. Called with the folder of the transpiled component.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
const { instantiate } = await import(pathToFileURL(join(folder, 'gitgate.js')));
const clock = { now: () => process.hrtime.bigint() };
const modules = async (name) => WebAssembly.compile(await readFile(join(folder, name)));
const imports = { 'wasi:clocks/monotonic-clock': clock };

const options = {
  sandbox: new Uint8Array(16).fill(7),
  identity: { name: 'Ada Example', email: 'ada@example.org' },
  zones: [],
  toolsets: ['filesystem', 'git', 'session'],
  git: { enabled: true, timeoutMs: 30_000n, maxBytes: 200_000n },
  tasks: { trailerPrefix: 'Arborist' },
  push: 'manual',
  defaultTarget: undefined,
  limits: {
    bytes: 1n << 28n,
    files: 10_000n,
    fileBytes: 1n << 26n,
    pathBytes: 1024,
    openFiles: 256,
    undoSteps: 20,
    undoBytes: 1n << 24n,
  },
  seed: 1n,
};

/** A new instance that has replayed `journal`, and the journal as it then is. */
async function open(journal) {
  const { session } = await instantiate(modules, imports);
  session.open(options);
  if (journal.length > 0) session.replay(journal);
  const { preamble, validBytes } = session.start();
  return { session, journal: Buffer.concat([journal.subarray(0, Number(validBytes)), preamble]) };
}

/** All the bytes that the last step has left. */
const readOut = (session, size) => Buffer.from(session.readOut(0n, Number(size)));

let second = 0n;

/** Makes a call until it is done. `answer` answers its questions. */
function call(sandbox, tool, args, answer = () => assert.fail('nothing is to be asked')) {
  second += 1n;
  const given = {
    id: `call-${second}`,
    tool,
    arguments: JSON.stringify(args),
    caller: 'user',
    now: (1_700_000_000n + second) * 1_000_000_000n,
    utcOffset: 0,
    timeAllowed: 60_000_000_000n,
  };
  const answers = [];
  for (let round = 0; round < 8; round += 1) {
    const step = sandbox.session.call(given, answers);
    if (step.tag === 'done') {
      const { outcome, recordSize } = step.val;
      sandbox.journal = Buffer.concat([sandbox.journal, readOut(sandbox.session, recordSize)]);
      if (outcome.tag === 'err') throw new Error(`${tool}: ${JSON.stringify(outcome.val)}`);
      return { text: outcome.val.text, structured: JSON.parse(outcome.val.structured) };
    }
    answers.push({ key: step.val.key, body: answer(step.val.body) });
  }
  return assert.fail(`${tool} asks without an end`);
}

const sandbox = await open(Buffer.alloc(0));
assert.ok(sandbox.session.tools().some(({ name }) => name === 'git_stage'));
call(sandbox, 'sandbox_import', {});
call(sandbox, 'write_file', { path: 'a.md', content: 'one\n' });
const approve = (body) => (assert.equal(body.tag, 'approval'), { tag: 'approved' });
const staged = call(sandbox, 'git_stage', { files: ['a.md'], message: 'Add a file' }, approve).structured;
assert.equal(staged.fileCount, 1);

const asked = [];
const pushed = call(
  sandbox,
  'git_push',
  { commitId: staged.commitId, target: { type: 'local', path: '/made/up' } },
  (body) => {
    asked.push(body.tag);
    if (body.tag === 'refs') {
      assert.equal(body.val.location, '/made/up');
      return { tag: 'refs', val: { target: 'local:/made/up', head: 'refs/heads/main', references: [] } };
    }
    assert.equal(body.tag, 'push');
    const { target, reference, old, new: tip, packSize } = body.val;
    assert.equal(readOut(sandbox.session, packSize).subarray(0, 4).toString(), 'PACK');
    assert.equal(tip, staged.commitSha);
    return { tag: 'landed', val: { target, reference, old, new: tip } };
  },
);
assert.deepEqual(asked, ['refs', 'push']);
assert.equal(pushed.structured.status, 'success');
assert.deepEqual(call(sandbox, 'git_status', {}).structured.staged, []);

const undone = sandbox.session.undo(1, 1_800_000_000_000_000_000n);
assert.deepEqual(undone.calls.length, 1);
sandbox.journal = Buffer.concat([sandbox.journal, readOut(sandbox.session, undone.recordSize)]);

// The stage is taken back, the file is not; and an instance that replays the journal agrees.
const status = call(sandbox, 'git_status', {}).text;
assert.match(status, /^\?\? a\.md$/m);
const again = await open(sandbox.journal);
assert.equal(call(again, 'git_status', {}).text, status);
assert.equal(call(again, 'read_file', { path: 'a.md' }).text, 'one\n');

console.log('passed');
