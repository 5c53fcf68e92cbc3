// A sandbox in memory: what a storage of the shim's has to do, and nothing more.

/** Throws as the host expects it. */
function fail(kind, message, hint = '') {
  throw Object.assign(new Error(message), { kind, hint });
}

/** All parts, one after the other. An error of `next` is thrown before anything has changed. */
function gather(next) {
  const parts = [];
  for (let part = next(); part !== undefined; part = next()) parts.push(part);
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

const mark = ({ generation, bytes }) => ({ generation, length: BigInt(bytes.length) });

export class MemoryStorage {
  #held = false;
  #generations = 0n;
  logs = new Map();
  kinds = { pending: new Map(), waiting: new Map(), sent: new Map(), comments: new Map(), seen: new Map() };
  contents = new Map();
  texts = new Map();
  aside = new Map();

  lock(_wait) {
    // Whoever holds it is below this function on the stack, so a wait would never end.
    if (this.#held) fail('busy', 'the sandbox is in use', 'try again when that is done');
    this.#held = true;
    return () => {
      this.#held = false;
    };
  }

  /** The log, if it still has what is before `at`. */
  #at(name, generation, at) {
    const log = this.logs.get(name);
    if (log?.generation !== generation || at > log.bytes.length) fail('storage', `${name} must be opened again`);
    return log;
  }

  mark(name) {
    const log = this.logs.get(name);
    return log && mark(log);
  }

  read(name, generation, at, most) {
    const from = Number(at);
    return this.#at(name, generation, at).bytes.subarray(from, from + most);
  }

  create(name) {
    if (!this.logs.has(name)) this.replace(name, () => undefined);
    return mark(this.logs.get(name));
  }

  append(name, generation, at, next) {
    this.cut(name, generation, at);
    const log = this.#at(name, generation, at);
    log.bytes = joined(log.bytes, gather(next));
    return mark(log);
  }

  cut(name, generation, at) {
    const log = this.#at(name, generation, at);
    log.bytes = log.bytes.subarray(0, Number(at));
  }

  replace(name, next) {
    const bytes = gather(next);
    this.#generations += 1n;
    this.logs.set(name, { generation: this.#generations, bytes });
    return mark(this.logs.get(name));
  }

  setAside(name, generation, from) {
    const place = `${name}.torn.${this.aside.size}`;
    this.aside.set(place, this.#at(name, generation, from).bytes.slice(Number(from)));
    return place;
  }

  records(kind) {
    return [...this.kinds[kind].keys()].sort();
  }

  record(kind, key) {
    return this.kinds[kind].get(key);
  }

  put(kind, key, content) {
    this.kinds[kind].set(key, content);
  }

  remove(kind, key) {
    this.kinds[kind].delete(key);
  }

  blobs() {
    return [...this.contents.keys()].sort();
  }

  blob(id) {
    const content = this.contents.get(id);
    return (
      content && {
        size: BigInt(content.length),
        read: (at, most) => content.subarray(Number(at), Number(at) + most),
      }
    );
  }

  addBlob(id, next) {
    this.contents.set(id, gather(next));
  }

  removeBlob(id) {
    this.contents.delete(id);
  }

  text(name) {
    return this.texts.get(name);
  }

  putText(name, text) {
    this.texts.set(name, text);
  }

  leftovers() {
    return [];
  }

  removeLeftovers() {}
}
