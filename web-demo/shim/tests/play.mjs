// Plays a script, as host-cli/src/driver/script/play.rs does natively: in node and in a browser, on any storage.

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const sha256 = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
const mapped = (entries) => Object.fromEntries([...entries].map(([key, bytes]) => [key, hex(bytes)]));

function hold(isSo, message) {
  if (!isSo) throw new Error(message);
}

/** A log, from that place on. */
function read(storage, name, from = 0) {
  const mark = storage.mark(name);
  if (!mark) return new Uint8Array();
  const bytes = new Uint8Array(Number(mark.length) - from);
  for (let at = 0; at < bytes.length; ) {
    const part = storage.read(name, mark.generation, BigInt(from + at), bytes.length - at);
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export class Player {
  #shim;
  #components;
  #script;
  #imported;
  #drops;
  #host;
  #sandbox;
  #digest;
  #topic;
  #now;
  #random = 7;
  #storage;
  #files = new Map();
  #lengths = new Map();

  /** A storage that opens files asynchronously has `ready`, which comes before each turn. */
  constructor(shim, components, { script, import: imported }, drops, storage) {
    this.#storage = storage;
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
  async play(look) {
    await this.#ready();
    this.#sandbox = this.#host.create(this.#storage, this.#script.opened, this.#script.new);
    for (const [at, step] of this.#script.steps.entries()) {
      await this.#ready();
      if (this.#drops) this.#reopen();
      const turns = await this.#step(step);
      const logs = await Promise.all(['journal', 'audit.log'].map((name) => this.#log(name)));
      look(at, { turns, notes: this.#sandbox.notes(), logs });
    }
  }

  /** How long a log is, and the hash of what is new in it since the last step. */
  async #log(name) {
    const length = Number(this.#storage.mark(name)?.length ?? 0n);
    const before = this.#lengths.get(name) ?? 0;
    this.#lengths.set(name, length);
    return [length, await sha256(read(this.#storage, name, before <= length ? before : 0))];
  }

  async #ready() {
    await this.#storage.ready?.(this.#imported.attached.length);
  }

  #step(step) {
    switch (step.do) {
      case 'call':
      case 'export':
        return this.#turns(step);
      case 'tools':
        return this.#sandbox
          .tools()
          .map(({ name, schema, outputSchema, description }) => [name, schema, outputSchema, description]);
      case 'waiting':
        return this.#storage.records('waiting').length === 0 ? [] : this.#waiting();
      case 'decide': {
        const { id } = this.#find(step);
        this.#decide(id, step.answer);
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
        throw new Error(`the script cannot do ${step.do}`);
    }
  }

  #waiting() {
    return this.#sandbox.waiting();
  }

  #find({ tool }) {
    const found = this.#waiting().find((waiting) => waiting.tool === tool);
    hold(found, `${tool} does not wait`);
    return found;
  }

  #decide(id, answer) {
    const since = this.#sandbox.decide(id, this.#given({ tag: 'call' }, answer));
    hold(since === undefined, 'it was decided about already');
  }

  async #turns(step) {
    const answers = (step.answers ?? []).values();
    const turns = [];
    let run = this.#make(step);
    for (;;) {
      await this.#ready();
      const turn = run.advance();
      turns.push(turn);
      if (turn.done) {
        this.#digest = turn.done.val.push?.digest ?? this.#digest;
        run.free();
        hold(answers.next().done, 'the script has an answer too many');
        return turns;
      }
      const answer = answers.next().value ?? step.always;
      this.#note(turn.need.val, answer);
      if (!this.#drops) {
        run.give(this.#given(turn.need, answer));
        continue;
      }
      // The host is gone while the person thinks. A question that was kept is answered elsewhere.
      run.free();
      this.#reopen();
      if (step.takesTime) {
        const { id } = this.#find(step);
        hold(this.#sandbox.question(id).tool === step.tool, 'another call waits');
        this.#decide(id, answer);
        this.#reopen();
        run = this.#make(step);
        continue;
      }
      run = this.#make(step);
      await this.#ready();
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
        arguments: step.imports ? imported : (step.text ?? this.#answered(step['answers-comment'])),
        caller: step.as,
        takesTime: step.takesTime === true,
      },
      step.imports ? attached.map(bytesOf) : [],
    );
  }

  /** The notes of an answer, as host-cli/src/driver/script/notes.rs makes them. */
  #note({ push, listed }, { notes = [] }) {
    for (const { comment, change, look } of notes) {
      const topic = JSON.stringify({ target: push.target, reference: push.review.reference });
      this.#topic = topic;
      if (comment) this.#sandbox.comment(topic, JSON.stringify({ ...comment, commit: push.review.new }));
      if (change) this.#sandbox.changeComment(topic, this.#sandbox.comments(topic)[0].id, JSON.stringify(change));
      if (look) {
        const { key } = listed.find(({ path }) => path === look.path).units[0];
        this.#sandbox.markSeen(topic, JSON.stringify([{ ...look, key }]));
      }
    }
  }

  /** The arguments with which the agent answers the first comment that there is. */
  #answered(text) {
    return JSON.stringify({ answers: [{ id: this.#sandbox.comments(this.#topic)[0].id, text }] });
  }

  #given(need, { said, reason = '', revision }) {
    const answer = {
      approve: { tag: 'given', val: { tag: 'approve', val: need.val?.push?.digest } },
      reject: { tag: 'given', val: { tag: 'reject', val: reason } },
      'ask-changes': { tag: 'given', val: { tag: 'ask-changes', val: reason } },
      revise: { tag: 'given', val: { tag: 'revise', val: revision } },
      nobody: { tag: 'unavailable', val: { reason: 'nobody is there', hint: 'ask again' } },
    }[said];
    return { tag: need.tag, val: { said: answer, how: 'prompt', wasShown: false } };
  }

  /** All that is stored, and the files that were written. */
  kept() {
    const storage = this.#storage;
    const records = (kind) => mapped(storage.records(kind).map((key) => [key, storage.record(kind, key)]));
    const blobs = storage.blobs().map((id) => [id, storage.blob(id)]);
    return {
      journal: hex(read(storage, 'journal')),
      audit: hex(read(storage, 'audit.log')),
      pending: records('pending'),
      waiting: records('waiting'),
      comments: records('comments'),
      seen: records('seen'),
      blobs: mapped(blobs.map(([id, blob]) => [id, blob.read(0n, Number(blob.size))])),
      settings: storage.text('sandbox.toml'),
      files: mapped(this.#files),
    };
  }
}
