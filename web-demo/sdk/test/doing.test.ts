import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Clock } from '../src/worker/clock.js';
import { Doing } from '../src/worker/doing.js';

function watched(): { doing: Doing; told: string[] } {
  const told: string[] = [];
  return { doing: new Doing(({ what, isOver }) => told.push(`${what} ${isOver ? 'ends' : 'begins'}`)), told };
}

test('what is over soon is not told of', () => {
  const { doing, told } = watched();
  const end = doing.begin('short', 1000);
  doing.look(1049);
  end();
  doing.look(2000);
  assert.deepEqual(told, []);
});

test('what takes its time is told of once, and so is its end', () => {
  const { doing, told } = watched();
  const end = doing.begin('long', 1000);
  doing.look(1050);
  doing.look(1200);
  end();
  assert.deepEqual(told, ['long begins', 'long ends']);
});

test('what is done within something else is told of by its own time', () => {
  const { doing, told } = watched();
  const endOuter = doing.begin('outer', 1000);
  doing.look(1050);
  const endInner = doing.begin('inner', 1060);
  doing.look(1109);
  assert.deepEqual(told, ['outer begins']);
  doing.look(1110);
  endInner();
  endOuter();
  assert.deepEqual(told, ['outer begins', 'inner begins', 'inner ends', 'outer ends']);
});

test('the clock says when it is read', () => {
  const reads: number[] = [];
  const clock = new Clock(undefined, (now) => reads.push(now));
  const now = clock.now();
  assert.deepEqual(reads.map((read) => BigInt(Math.round(read * 1e6))), [now]);
});
