// The events of a sandbox over HTTP.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';

import { Listening } from '../src/client/listening.js';
import { Server as Connection } from '../src/client/server.js';
import type { Waiting } from '../src/question.js';
import { FORBIDDEN, Fake, hang, problem } from './fake-server.js';
import type { Answer } from './fake-server.js';

test('what waits is told as it changes, over connections that end', async (t) => {
  const item = (id: string): Waiting => ({ id, tool: 'git_push', arguments: '{}', at: 1, inside: null });
  const tell = (response: ServerResponse, ...ids: string[]): void =>
    void response.write(`event: waiting\ndata: ${JSON.stringify({ waiting: ids.map(item) })}\n\n`);
  const stream =
    (work: (response: ServerResponse) => void) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      work(response);
    };
  const fake = new Fake({
    'GET /events': [
      stream((response) => {
        response.write(': hello\n\n');
        tell(response);
        tell(response, 'a');
        response.write('event: other\ndata: {}\n\n');
        setTimeout(() => response.end(), 20);
      }),
      problem(503, 'busy'),
      stream((response) => {
        // It equals the last list.
        tell(response, 'a');
        response.write('event: waiting\ndata: {"waiting": 1}\n\n');
        response.write('event: waiting\ndata: {\n\n');
      }),
      // This one sends nothing at all.
      stream(hang),
      stream((response) => tell(response, 'a', 'b')),
    ],
  });
  const server = new Connection(await fake.start(t), 'hunter2', fetch);
  const listening = new Listening(server, { soonMs: 5, lateMs: 20, silenceMs: 100 });
  const told: string[] = [];
  const all = new Promise<void>((resolve) => {
    listening.on('waiting', (waiting) => {
      told.push(waiting.map(({ id }) => id).join(' '));
      if (told.length === 2) resolve();
    });
  });
  await all;
  assert.deepEqual(told, ['a', 'a b']);
  assert.equal(fake.asked.length, 5);
  listening.close();
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(fake.asked.length, 5, 'nobody listens any more');
});

test('a server that tells nothing is not asked again, and nobody is asked unless somebody listens', async (t) => {
  for (const answer of [
    FORBIDDEN,
    problem(401, 'unauthorized'),
    problem(404, 'not-found'),
    [200, '<p>', 'text/html'] as Answer,
  ]) {
    const fake = new Fake({ 'GET /events': [answer] });
    const server = new Connection(await fake.start(t), 'hunter2', fetch);
    const listening = new Listening(server, { soonMs: 1, lateMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(fake.asked.length, 0);
    const remove = listening.on('waiting', () => assert.fail('it was told'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(fake.asked.length, 1);
    remove();
    listening.close();
  }
});
