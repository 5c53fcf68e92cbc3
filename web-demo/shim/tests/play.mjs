// Plays the script on a sandbox in memory, as host-cli/src/turns/script/play.rs does natively.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

import { MemoryStorage } from './storage.mjs';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'hex'));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const mapped = (map) => Object.fromEntries([...map].sort().map(([key, bytes]) => [key, hex(bytes)]));

export class Player {
  #shim;
  #components;
  #script;
  #imported;
  #drops;
  #host;
  #sandbox;
  #digest;
  #now;
  #random = 7;
  #storage = new MemoryStorage();
  #files = new Map();

  constructor(shim, components, { script, import: imported }, drops) {
    this.#shim = shim;
    this.#components = components;
    this.#script = script;
    this.#imported = imported;
    this.#drops = drops;
    this.#now = script.begins;
    this.#host = this.#newHost();
  }

  #newHost() {
    const around = {
      who: this.#script.who,
      now: () => this.#now,
      utcOffset: () => this.#script.utcOffset,
      fill: (bytes) => {
        for (let at = 0; at < bytes.length; at += 1) {
          this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
          bytes[at] = this.#random >>> 24;
        }
      },
    };
    const create = (path, content) => {
      if (this.#files.has(path)) throw Object.assign(new Error(`cannot write ${path}: it exists`), { kind: 'storage' });
      this.#files.set(path, content);
    };
    return new this.#shim.Host(this.#components, around, { create });
  }

  toolNames() {
    return this.#host.toolNames();
  }

  /** The sandbox, opened anew by a new host. */
  #reopen() {
    this.#sandbox.free();
    this.#host.free();
    this.#host = this.#newHost();
    this.#sandbox = this.#host.open(this.#storage, this.#script.opened);
  }

  /** Plays all steps. `look` sees each as soon as it is played. */
  play(look) {
    this.#sandbox = this.#host.create(this.#storage, this.#script.opened, this.#script.new);
    this.#script.steps.forEach((step, at) => {
      if (this.#drops) this.#reopen();
      const turns = this.#step(step);
      const log = (name) => sha256(this.#storage.logs.get(name)?.bytes ?? new Uint8Array());
      look(at, { turns, notes: this.#sandbox.notes(), logs: [log('journal'), log('audit.log')] });
    });
  }

  #step(step) {
    switch (step.do) {
      case 'call':
      case 'export':
        return this.#turns(step);
      case 'tools':
        return this.#sandbox.tools().map(({ name, schema, description }) => [name, schema, description]);
      case 'waiting':
        return this.#storage.records('waiting').length === 0 ? [] : this.#waiting();
      case 'decide': {
        const { id } = this.#find(step);
        assert.equal(this.#sandbox.decide(id, this.#given({ tag: 'call' }, step.answer)), undefined);
        return null;
      }
      case 'reject':
        this.#sandbox.reject(this.#find(step).id, step.reason);
        return null;
      case 'compact':
        this.#sandbox.compact();
        return null;
      case 'reopen':
        this.#reopen();
        return null;
      case 'pass':
        this.#now += step.minutes * 60_000;
        return null;
      case 'fsck':
        return this.#host.fsck(this.#storage, this.#script.opened);
      case 'audit':
        return { text: this.#sandbox.audit(), records: this.#sandbox.decisions() };
      default:
        return assert.fail(`the script cannot do ${step.do}`);
    }
  }

  #waiting() {
    return this.#sandbox.waiting();
  }

  #find({ tool }) {
    return this.#waiting().find((waiting) => waiting.tool === tool) ?? assert.fail(`${tool} does not wait`);
  }

  #turns(step) {
    const answers = (step.answers ?? []).values();
    const turns = [];
    let run = this.#make(step);
    for (;;) {
      const turn = run.advance();
      turns.push(turn);
      if (turn.done) {
        this.#digest = turn.done.val.push?.digest ?? this.#digest;
        run.free();
        assert.ok(answers.next().done, 'the script has an answer too many');
        return turns;
      }
      const answer = answers.next().value;
      if (!this.#drops) {
        run.give(this.#given(turn.need, answer));
        continue;
      }
      // The host is gone while the person thinks. A question that was kept is answered elsewhere.
      run.free();
      this.#reopen();
      if (step.takesTime) {
        const { id } = this.#find(step);
        assert.deepEqual(this.#sandbox.question(id).tool, step.tool);
        assert.equal(this.#sandbox.decide(id, this.#given({ tag: 'call' }, answer)), undefined);
        this.#reopen();
        run = this.#make(step);
        continue;
      }
      run = this.#make(step);
      const again = run.advance();
      turns.push(again);
      run.give(this.#given(again.need, answer));
    }
  }

  #make(step) {
    if (step.do === 'export') {
      return this.#sandbox.export({ file: step.file, branch: 'main', digest: step.approved ? this.#digest : undefined });
    }
    const { arguments: imported, attached } = this.#imported;
    return this.#sandbox.call(
      {
        tool: step.tool,
        arguments: step.imports ? imported : step.text,
        caller: step.as,
        takesTime: step.takesTime === true,
      },
      step.imports ? attached.map(bytesOf) : [],
    );
  }

  #given(need, { said, reason = '' }) {
    const answer = {
      approve: { tag: 'given', val: { tag: 'approve', val: need.val?.push?.digest } },
      reject: { tag: 'given', val: { tag: 'reject', val: reason } },
      nobody: { tag: 'unavailable', val: { reason: 'nobody is there', hint: 'ask again' } },
    }[said];
    return { tag: need.tag, val: { said: answer, how: 'prompt', wasShown: false } };
  }

  /** All that is stored, and the files that were written. */
  kept() {
    const storage = this.#storage;
    return {
      journal: hex(storage.logs.get('journal').bytes),
      audit: hex(storage.logs.get('audit.log').bytes),
      pending: mapped(storage.kinds.pending),
      waiting: mapped(storage.kinds.waiting),
      blobs: mapped(storage.contents),
      settings: storage.texts.get('sandbox.toml'),
      files: mapped(this.#files),
    };
  }
}
