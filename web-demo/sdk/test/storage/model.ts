// The simplest model of a storage, and a storage's visible state.

import type { Mark, Next, Storage } from '../../src/storage/index.js';

const LOGS = ['journal', 'audit.log'];
const KINDS = ['pending', 'waiting', 'sent', 'comments', 'seen'];
const TEXTS = ['sandbox.toml', 'b.text'];

export const ID = 'ab'.repeat(32);
export const OTHER = 'cd'.repeat(32);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

function halves(content: Uint8Array): Next {
  const middle = Math.ceil(content.length / 2);
  return parts(content.subarray(0, middle), content.subarray(middle));
}

export function parts(...all: Uint8Array[]): Next {
  const rest = all.values();
  return () => {
    const { done, value } = rest.next();
    return done ? undefined : value;
  };
}

export interface Seen {
  logs: { [name: string]: string | undefined };
  records: { [name: string]: string };
  blobs: { [name: string]: string };
  texts: { [name: string]: string | undefined };
}

/** The whole content of a log. */
export function content(storage: Storage, log: string): Uint8Array | undefined {
  const mark = storage.mark(log);
  return mark && storage.read(log, mark.generation, 0n, Number(mark.length));
}

/** The whole visible state of a storage, apart from generations. */
export function seen(storage: Storage): Seen {
  const texts = TEXTS.map((name): [string, string | undefined] => [name, storage.text(name)]);
  const logs = LOGS.map((log): [string, string | undefined] => {
    const found = content(storage, log);
    return [log, found && hex(found)];
  });
  const records = KINDS.flatMap((kind) =>
    storage.records(kind).map((key): [string, string] => [`${kind}/${key}`, hex(storage.record(kind, key) ?? bytes('?'))]),
  );
  const blobs = storage.blobs().map((id): [string, string] => {
    const blob = storage.blob(id);
    return [id, blob ? hex(blob.read(0n, Number(blob.size))) : '?'];
  });
  return {
    logs: Object.fromEntries(logs),
    records: Object.fromEntries(records),
    blobs: Object.fromEntries(blobs),
    texts: Object.fromEntries(texts),
  };
}

/** The state that a storage must show after the same changes. */
export class Model {
  readonly logs = new Map<string, Uint8Array>();
  readonly records = new Map<string, Uint8Array>();
  readonly blobs = new Map<string, Uint8Array>();
  readonly texts = new Map<string, string>();

  seen(): Seen {
    const all = (map: Map<string, Uint8Array>) =>
      Object.fromEntries([...map].map(([name, found]) => [name, hex(found)]));
    const log = (name: string) => {
      const found = this.logs.get(name);
      return found && hex(found);
    };
    return {
      logs: Object.fromEntries(LOGS.map((name) => [name, log(name)])),
      records: all(this.records),
      blobs: all(this.blobs),
      texts: Object.fromEntries(TEXTS.map((name) => [name, this.texts.get(name)])),
    };
  }
}

/** A change, for a storage and for the model. */
export type Change =
  | { do: 'create'; log: string }
  | { do: 'append'; log: string; at: number; parts: Uint8Array[] }
  | { do: 'cut'; log: string; at: number }
  | { do: 'replace'; log: string; parts: Uint8Array[] }
  | { do: 'put'; kind: string; key: string; content: Uint8Array }
  | { do: 'remove'; kind: string; key: string }
  | { do: 'addBlob'; id: string; content: Uint8Array }
  | { do: 'removeBlob'; id: string }
  | { do: 'putText'; name: string; text: string };

export function make(storage: Storage, change: Change): Mark | void {
  const generation = 'log' in change ? (storage.mark(change.log)?.generation ?? 0n) : 0n;
  switch (change.do) {
    case 'create':
      return storage.create(change.log);
    case 'append':
      return storage.append(change.log, generation, BigInt(change.at), parts(...change.parts));
    case 'cut':
      return storage.cut(change.log, generation, BigInt(change.at));
    case 'replace':
      return storage.replace(change.log, parts(...change.parts));
    case 'put':
      return storage.put(change.kind, change.key, change.content);
    case 'remove':
      return storage.remove(change.kind, change.key);
    case 'addBlob':
      return storage.addBlob(change.id, halves(change.content));
    case 'removeBlob':
      return storage.removeBlob(change.id);
    case 'putText':
      return storage.putText(change.name, change.text);
  }
}

export function note(model: Model, change: Change): void {
  const joined = (...all: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(all));
  switch (change.do) {
    case 'create':
      if (!model.logs.has(change.log)) model.logs.set(change.log, new Uint8Array());
      return;
    case 'append':
    case 'cut': {
      const kept = (model.logs.get(change.log) ?? new Uint8Array()).subarray(0, change.at);
      model.logs.set(change.log, joined(kept, ...(change.do === 'append' ? change.parts : [])));
      return;
    }
    case 'replace':
      model.logs.set(change.log, joined(...change.parts));
      return;
    case 'put':
      model.records.set(`${change.kind}/${change.key}`, change.content);
      return;
    case 'remove':
      model.records.delete(`${change.kind}/${change.key}`);
      return;
    case 'addBlob':
      model.blobs.set(change.id, change.content);
      return;
    case 'removeBlob':
      model.blobs.delete(change.id);
      return;
    case 'putText':
      model.texts.set(change.name, change.text);
  }
}

/** Generates changes, chosen by `pick`, which returns numbers below another. */
export function changes(pick: (below: number) => number, model: Model): () => Change {
  const one = <T>(...all: [T, ...T[]]): T => all[pick(all.length)] ?? all[0];
  const some = (most: number): Uint8Array => Uint8Array.from({ length: pick(most) }, () => pick(256));
  return () => {
    const log = one('journal', 'audit.log');
    const length = model.logs.get(log)?.length;
    const at = pick(2) === 0 ? (length ?? 0) : pick((length ?? 0) + 1);
    const kind = one('pending', 'waiting', 'sent', 'comments', 'seen');
    const key = one('a.json', 'b.json', 'c');
    const what = pick(9);
    if (length === undefined) return one<Change>({ do: 'create', log }, { do: 'replace', log, parts: [some(20)] });
    if (what === 0) return { do: 'replace', log, parts: [some(300), some(9)] };
    if (what === 1) return { do: 'cut', log, at };
    if (what <= 3) return { do: 'append', log, at, parts: [some(90), some(4), some(90)] };
    if (what === 4) return { do: 'put', kind, key, content: some(9_000) };
    if (what === 5) return { do: 'remove', kind, key };
    if (what === 6) return { do: 'addBlob', id: one(ID, OTHER), content: some(200) };
    if (what === 7) return { do: 'removeBlob', id: one(ID, OTHER) };
    return { do: 'putText', name: one('sandbox.toml', 'b.text'), text: one('', 'short', 'ünï\u2028🦀', '\ufeffx') };
  };
}
