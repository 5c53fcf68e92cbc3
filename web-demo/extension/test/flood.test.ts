import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Agents } from '../src/desk/agents.js';
import type { Sandboxes } from '../src/desk/sandboxes.js';
import type { ToAgent } from '../src/common/agent.js';

/** The end of a port that the document with the sandboxes ended, with its last message. */
class Port {
  readonly said: ToAgent[] = [];
  readonly #listeners: ((message: unknown) => void)[] = [];
  readonly onMessage = { addListener: (listener: (message: unknown) => void) => void this.#listeners.push(listener) };
  readonly onDisconnect = { addListener: (): void => undefined };

  postMessage(message: ToAgent): void {
    this.said.push(message);
  }

  disconnect(): void {}

  say(message: unknown): void {
    for (const listener of this.#listeners) listener(message);
  }

  get end(): string | undefined {
    const last = this.said.at(-1);
    return last?.type === 'over' ? last.error.kind : undefined;
  }
}

const A = 'https://a.example';
const B = 'https://b.example';

function scene() {
  let now = 0;
  const none = { list: async () => ['project'] } as unknown as Sandboxes;
  const agents = new Agents(
    none,
    Promise.resolve([]),
    async () => undefined,
    () => undefined,
    () => now,
  );
  const connect = (agent: string): Port => {
    const port = new Port();
    agents.connect(agent, port as unknown as chrome.runtime.Port);
    return port;
  };
  const hello = async (agent: string, sandbox?: string): Promise<Port> => {
    const port = connect(agent);
    port.say({ type: 'hello', name: 'Robot', ...(sandbox !== undefined && { sandbox }) });
    await new Promise(setImmediate);
    return port;
  };
  return { agents, connect, hello, wait: (ms: number) => void (now += ms) };
}

test('who connects again has no new burst of messages', () => {
  const { connect, wait } = scene();
  const count = (agent: string): number => {
    for (let ports = 0; ports < 3000; ports += 1) {
      const port = connect(agent);
      if (port.end === 'busy') return ports;
      port.say({ type: 'tools', id: 1 });
      assert.equal(port.end, 'refused');
    }
    return Number.POSITIVE_INFINITY;
  };
  assert.equal(count(A), 500);
  assert.equal(count(A), 0);
  assert.equal(count(B), 500, 'another agent has its own');
  wait(1000);
  assert.equal(count(A), 100);
});

test('an agent asks once, however many ports it has', async () => {
  const { agents, hello } = scene();
  for (let ports = 0; ports < 5; ports += 1) await hello(A, `wish ${ports}`);
  await hello(B);
  assert.deepEqual(
    agents.asking.map(({ agent }) => agent),
    [A, B],
  );
});

test('who was refused is refused for a while, on all ports', async () => {
  const { agents, hello, wait } = scene();
  const ports = [await hello(A), await hello(A, 'project')];
  const other = await hello(B);
  const [asked] = agents.asking;
  assert.ok(asked);
  agents.refuse(asked.id);
  assert.deepEqual(
    ports.map(({ end }) => end),
    ['refused', 'refused'],
  );
  assert.equal((await hello(A)).end, 'refused');
  assert.equal(other.end, undefined);
  assert.equal(agents.asking.length, 1);
  wait(61_000);
  await hello(A);
  assert.equal(agents.asking.length, 2);
});
