// What a component, a storage or a caller does wrong is an error with a kind, and never more than that.

import assert from 'node:assert/strict';

import { MemoryStorage } from './storage.mjs';

const around = { who: 'ada' };
const files = { create: () => undefined };
const opened = { name: 'one' };

/** What is thrown has this kind. */
function throws(kind, action) {
  assert.throws(action, (error) => {
    assert.ok(error instanceof Error && error.name === 'HostError', String(error));
    assert.equal(error.kind, kind, error.message);
    assert.equal(typeof error.hint, 'string');
    return true;
  });
}

/** A component whose session differs in one function. */
const otherwise = (engine, name, replacement) => ({
  instance: (memory) => {
    const { session } = engine.instance(memory);
    return { session: { ...session, [name]: replacement } };
  },
});

/** The values that a function of the component's could give instead of what it should. */
const wrong = () => [undefined, null, 7, 'text', [], {}, { tag: 'done' }, { tag: 'ask', val: { key: 'k', body: {} } }];

export async function mistakes(shim, engine) {
  const host = (component) => new shim.Host(component, around, files);
  const call = (sandbox, tool, args = {}) =>
    sandbox.call({ tool, arguments: JSON.stringify(args), caller: 'user' }).advance();

  // A component that is no component, or gives what its interface does not have.
  throws('component', () => host({ instance: () => 7 }).create(new MemoryStorage(), opened, {}));
  throws('component', () => host({ instance: () => ({}) }).create(new MemoryStorage(), opened, {}));
  for (const value of wrong()) {
    throws('component', () => host(otherwise(engine, 'start', () => value)).create(new MemoryStorage(), opened, {}));
    const storage = new MemoryStorage();
    const sandbox = host(otherwise(engine, 'call', () => value)).create(storage, opened, {});
    throws('component', () => call(sandbox, 'git_status'));
    // Nothing has changed, and a sound component goes on from there.
    assert.equal(call(host(engine).open(storage, opened), 'sandbox_import').done.tag, 'result');
  }
  const step = (recordSize) => ({
    tag: 'done',
    val: { outcome: { tag: 'ok', val: { text: '', structured: '{}', truncated: false } }, recordSize, packSize: 0n },
  });
  for (const size of [-1n, 1n << 64n, 1n << 63n, 7, '7', undefined]) {
    const sandbox = host(otherwise(engine, 'call', () => step(size))).create(new MemoryStorage(), opened, {});
    throws('component', () => call(sandbox, 'git_status'));
  }
  const long = { ...engine, instance: (memory) => {
    const { session } = engine.instance(memory);
    return { session: { ...session, call: () => step(3n), readOut: () => new Uint8Array(4) } };
  } };
  throws('component', () => call(host(long).create(new MemoryStorage(), opened, {}), 'git_status'));
  const trap = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  const storage = new MemoryStorage();
  throws('component', () => call(host(otherwise(engine, 'call', trap)).create(storage, opened, {}), 'git_status'));
  assert.equal(call(host(engine).open(storage, opened), 'sandbox_import').done.tag, 'result');

  // A storage that fails keeps the kind of its error, if it is one of the host's.
  const failing = (error) => Object.assign(new MemoryStorage(), { append: () => { throw error; } });
  for (const [error, kind] of [
    [new Error('the disk is full'), 'storage'],
    [Object.assign(new Error('somebody else has it'), { kind: 'busy' }), 'busy'],
    [Object.assign(new Error('odd'), { kind: 'no-kind' }), 'storage'],
    [null, 'storage'],
  ]) {
    throws(kind, () => call(host(engine).create(failing(error), opened, {}), 'sandbox_import'));
  }

  // A caller that describes nothing that there is.
  const sound = new MemoryStorage();
  const sandbox = host(engine).create(sound, opened, { policy: 'strict' });
  throws('sandbox-exists', () => host(engine).create(sound, opened, {}));
  throws('usage', () => host(engine).open(sound, { name: 'one', rules: '[[allow]]\ntool = "none"\n' }).call({
    tool: 'git_status', arguments: '{}', caller: 'agent',
  }));
  throws('usage', () => sandbox.call({ tool: 'git_status', arguments: '{}', caller: 'somebody' }));
  throws('usage', () => sandbox.call(undefined));
  throws('usage', () => sandbox.export({ file: 'relative.bundle' }));
  throws('usage', () => sandbox.export({ file: '/a.bundle', branch: 'main', revision: { leave: [] } }));
  throws('usage', () => sandbox.decide('0000', { tag: 'call', val: {} }));
  throws('storage', () => host(engine).open(new MemoryStorage(), opened));
  const run = sandbox.call({ tool: 'git_status', arguments: '{}', caller: 'agent' });
  throws('usage', () => run.give({ tag: 'http', val: {} }));
  throws('usage', () => run.give({ tag: 'call', val: { said: { tag: 'given', val: { tag: 'approve' } }, how: 'rule' } }));
  assert.equal(run.advance().done.tag, 'error');
  throws('usage', () => run.advance());

  // A repository that is not here.
  assert.equal(call(sandbox, 'sandbox_import').done.tag, 'result');
  const pulled = call(sandbox, 'git_pull', { source: { type: 'local', path: '/project' } });
  assert.match(pulled.done.val.message, /cannot reach local:\/project from here/);
  assert.equal(sandbox.settings().policy, 'strict');

  // One on a server: the request has neither address nor token, and what came back is read with suspicion.
  const pull = sandbox.call({
    tool: 'git_pull',
    arguments: JSON.stringify({ source: { type: 'github', repo: 'Ada/Project' } }),
    caller: 'user',
  });
  const { need } = pull.advance();
  assert.equal(need.tag, 'http');
  const { forge, method, body, moves } = need.val;
  assert.deepEqual([forge, method, body, moves], ['github', 'GET', undefined, false]);
  assert.match(need.val.path, /^\/repos\/ada\/project/);
  const answer = (val) => pull.give({ tag: 'http', val: { tag: 'response', val } });
  throws('usage', () => answer({ status: 70_000, headers: {}, body: new Uint8Array() }));
  throws('usage', () => answer({ status: 200, headers: undefined, body: new Uint8Array() }));
  throws('usage', () => answer({ status: 200, headers: {}, body: '{}' }));
  answer({ status: 404, headers: { date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, body: new TextEncoder().encode('{}') });
  const missing = pull.advance();
  assert.equal(missing.done?.tag, 'error', JSON.stringify(missing));
  const again = sandbox.call({
    tool: 'git_pull',
    arguments: JSON.stringify({ source: { type: 'github', repo: 'ada/project' } }),
    caller: 'user',
  });
  assert.equal(again.advance().need.tag, 'http');
  again.give({ tag: 'failed', val: Object.assign(new Error('there is no token'), { kind: 'usage', hint: 'log in' }) });
  throws('usage', () => again.advance());

  // A question that could not be put ends its call, and nothing has happened.
  assert.equal(call(sandbox, 'write_file', { path: 'a.md', content: 'a\n' }).done.tag, 'result');
  const stage = { tool: 'git_stage', arguments: JSON.stringify({ files: ['a.md'], message: 'Add a' }), caller: 'agent' };
  const asked = sandbox.call(stage);
  assert.equal(asked.advance().need.tag, 'call');
  asked.give({ tag: 'failed', val: Object.assign(new Error('nobody is there'), { kind: 'interrupted' }) });
  throws('interrupted', () => asked.advance());
  assert.equal(sandbox.call(stage).advance().need.tag, 'call');
}
