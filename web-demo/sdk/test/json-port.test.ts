import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GitgateError, decode, encode, jsonPort, reachSandbox, serveSandbox } from '../src/extension.js';
import type { ToClient, ToServer } from '../src/extension.js';
import { Emitter } from '../src/client/events.js';
import { GitHub } from '../src/client/github.js';
import type { Line } from '../src/client/line.js';
import { Needs } from '../src/client/needs.js';
import { Sandbox } from '../src/client/sandbox.js';

/** A channel that carries only JSON. */
const through = (value: unknown): unknown => decode(JSON.parse(JSON.stringify(encode(value))));

test('bytes come through JSON, wherever they are', () => {
  const all = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  const values: unknown[] = [
    null,
    'text',
    [1, [true, new Uint8Array()]],
    { a: all, b: [{ c: all.subarray(7, 9) }] },
    { $bytes: 'not bytes', other: all },
    { $object: { $bytes: 'AA==' } },
    { $object: 1, $bytes: 2 },
    JSON.parse('{"__proto__": {"a": 1}}'),
  ];
  for (const value of values) assert.deepEqual(through(value), value);
  assert.deepEqual(through({ a: undefined, b: 1 }), { b: 1 });
});

interface End {
  listener: (message: unknown) => void;
  postMessage(message: unknown): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
}

function ends(): [End, End] {
  const end = (to: () => End): End => {
    const one: End = {
      listener: () => undefined,
      postMessage: (message) => {
        const text = JSON.stringify(message);
        queueMicrotask(() => to().listener(JSON.parse(text)));
      },
      onMessage: { addListener: (listener) => void (one.listener = listener) },
    };
    return one;
  };
  const a: End = end(() => b);
  const b: End = end(() => a);
  return [a, b];
}

test('a sandbox is reached through a port, with its events, until the port is gone', async () => {
  const asked: string[] = [];
  const line: Line = {
    isHere: true,
    request: (method) => {
      asked.push(method);
      let cancel = (): void => undefined;
      const value: unknown = method === 'export' ? { outcome: 'done', structured: '{}', bytes: new Uint8Array([1, 2]) } : [];
      const endless = new Promise<never>(
        (_, reject) => (cancel = () => reject(new GitgateError('interrupted', 'off'))),
      );
      return { reply: method === 'audit' ? endless : Promise.resolve(value as never), cancel: () => cancel() };
    },
    close: () => Promise.resolve(),
  };
  const events = new Emitter();
  const alone = <T>(_: string, work: () => Promise<T>): Promise<T> => work();
  const own = new Sandbox({ name: 'one', line, needs: new Needs(new GitHub()), events, timeoutMs: 60_000, alone });
  const [here, there] = ends();
  const end = serveSandbox(own, jsonPort<ToClient, ToServer>(there));
  let isClosed = false;
  const close = (): Promise<void> => Promise.resolve(void (isClosed = true));
  const { sandbox, lost } = reachSandbox('one', jsonPort<ToServer, ToClient>(here), close);

  const exported = await sandbox.exportBundle();
  assert.ok(exported.outcome === 'done' && exported.bytes.length === 2);
  const heard = new Promise((resolve) => sandbox.on('waiting', resolve));
  events.emit('waiting', []);
  assert.deepEqual(await heard, []);
  const audit = sandbox.audit().catch(({ kind }: GitgateError) => kind);
  lost(new GitgateError('lost', 'the port is gone'));
  assert.equal(await audit, 'lost');
  assert.equal(await sandbox.waiting().catch(({ kind }: GitgateError) => kind), 'lost');
  await sandbox.close();
  assert.equal(isClosed, true);
  end();
  assert.deepEqual(asked, ['export', 'audit']);
});
