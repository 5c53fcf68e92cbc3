// A worker that exercises the storage of an object, and plays scripts in it. It runs in workerd.

import assert from 'node:assert/strict';

import { DurableObject } from 'cloudflare:workers';

import { Player } from '../../../shim/tests/play.mjs';
import { random } from '../../../sdk/dist/test/storage/disk.js';
import { Model, changes, make, note, parts, seen } from '../../../sdk/dist/test/storage/model.js';
import { BEGINNING } from '../../src/copies.js';
import type { Part, Place } from '../../src/copies.js';
import { Directory } from '../../src/directory.js';
import { components, shim } from '../../src/engine.js';
import type { Env } from '../../src/env.js';
import { Rows } from '../../src/rows.js';

export { Directory };

const LOGS = ['journal', 'audit.log'];

/** The place of an object's name in a test's URL. */
interface Asked {
  seed?: number;
  steps?: number;
  transcript?: object;
  way?: string;
}

export class SandboxObject extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    const asked: Asked = await request.json();
    try {
      if (asked.transcript) return Response.json(await this.#script(asked.transcript, asked.way ?? ''));
      this.#storage(asked);
      await this.#copy();
      return Response.json({});
    } catch (error) {
      return Response.json({ failed: error instanceof Error ? error.stack : `${error}` });
    }
  }

  /** Makes random changes to the storage and to a model of it. */
  #storage({ seed = 1, steps = 400 }: Asked): void {
    const pick = random(seed);
    const model = new Model();
    const change = changes(pick, model);
    // So that most values have several rows.
    let rows = new Rows(this.ctx.storage, 40);
    for (let step = 0; step < steps; step += 1) {
      const next = change();
      const mark = make(rows, next);
      note(model, next);
      if (mark && 'log' in next) assert.deepEqual(mark, rows.mark(next.log), `step ${step}`);
      if (pick(20) === 0) rows = new Rows(this.ctx.storage, 40);
      assert.deepEqual(seen(rows), model.seen(), `step ${step}: ${next.do}`);
    }
    const [id, content] = ['00'.repeat(32), new Uint8Array(50)];
    const isKnownWhole = (): boolean | undefined => new Rows(this.ctx.storage, 40).blob(id)?.isKnownWhole;
    rows.addBlob(id, parts(content));
    const opened = rows.blob(id);
    assert.equal(isKnownWhole(), false);
    opened?.noteWhole?.();
    assert.equal(isKnownWhole(), true);
    rows.addBlob(id, parts(content));
    opened?.noteWhole?.();
    assert.equal(isKnownWhole(), false, 'a note is about what was read');
    rows.removeBlob(id);
    const [before, generation] = [seen(rows), rows.mark('journal')?.generation ?? 0n];
    let calls = 0;
    const next = (): Uint8Array => {
      calls += 1;
      if (calls % 4 === 0) throw new Error('the parts end');
      return new Uint8Array(50);
    };
    assert.throws(() => rows.addBlob(id, next), { message: 'the parts end' });
    assert.deepEqual(seen(rows), before);
    assert.throws(() => rows.append('journal', generation, 0n, next), { message: 'the parts end' });
    assert.deepEqual(seen(rows), before);
    assert.throws(() => rows.replace('journal', next), { message: 'the parts end' });
    assert.deepEqual(seen(rows), before);
  }

  /** Copies the storage to an empty one, in parts of a few rows, and checks the result. */
  async #copy(): Promise<void> {
    const rows = new Rows(this.ctx.storage, 40);
    const [before, marks] = [seen(rows), LOGS.map((log) => rows.mark(log))];
    const parts: Part[] = [];
    for (let at: Place | undefined = BEGINNING; at; at = parts.at(-1)?.next) {
      parts.push(rows.copies.read(at, shim().copied(), 100));
    }
    assert.ok(parts.length > 3, `${parts.length} parts`);
    await this.ctx.storage.deleteAll();
    const copy = new Rows(this.ctx.storage, 40);
    for (const part of parts) {
      assert.equal(copy.mark('journal'), undefined, 'it is no sandbox before the last part');
      copy.copies.write(part);
    }
    const isCopied = ([name]: [string, string]): boolean => !name.startsWith('pending/');
    const records = Object.fromEntries(Object.entries(before.records).filter(isCopied));
    assert.deepEqual(seen(copy), { ...before, records, texts: { ...before.texts, 'b.text': undefined } });
    assert.deepEqual(LOGS.map((log) => copy.mark(log)), marks);
  }

  async #script(transcript: object, way: string): Promise<object> {
    const steps: object[] = [];
    const playing = new Player(shim(), components(), transcript, way === 'dropped', new Rows(this.ctx.storage));
    await playing.play((_: number, step: object) => steps.push(step));
    return { steps, kept: playing.kept() };
  }
}

export default {
  fetch(request, env): Promise<Response> {
    return env.SANDBOXES.getByName(new URL(request.url).pathname).fetch(request);
  },
} satisfies ExportedHandler<Env>;
