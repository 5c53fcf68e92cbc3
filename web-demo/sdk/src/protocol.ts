// What a client and the Worker of a sandbox say to each other, over whatever carries it: a Worker,
// a channel between tabs, a port of an extension.

import type { Told } from './error.js';
import type { HttpAnswer, HttpRequest } from './http.js';
import type { Answer, Question, Revision, Waiting } from './question.js';
import type { Exported, Reply, Sent } from './reply.js';
import type { Json, ToolSpec } from './tools.js';

/**
 * What a new sandbox begins with. Without a branch it is on the default one of GitHub, or where the
 * bundle's HEAD is: without that on its only branch, else on `main`.
 */
export type From =
  | { github: string; branch?: string; paths?: string[]; depth?: number }
  | { bundle: Uint8Array; branch?: string };

/** The compiled modules, so that the next Worker need not compile them. */
export interface Modules {
  shim: WebAssembly.Module;
  /** By the names that the component's JavaScript knows them by. */
  component: Map<string, WebAssembly.Module>;
}

/** Where everything is that is loaded. */
export interface Assets {
  shim: string;
  shimWasm: string;
  component: string;
  /** The component's modules, by the names that its JavaScript knows them by. */
  componentWasm: { [name: string]: string };
}

export interface Opening {
  name: string;
  storage: 'opfs' | 'memory';
  /** Who uses it, for the audit log. */
  who: string;
  config?: string;
  rules?: string;
  /** For one that does not exist yet. */
  settings: { identity?: string; policy?: 'gate' | 'strict'; targets?: string[]; push?: 'manual' | 'assisted' };
  from?: From;
  assets: Assets;
  modules?: Modules;
  /** A lock that the Worker holds as long as it lives, however it ends. */
  life: string;
  /** Two numbers: the call that runs, and the one that is called off. */
  flag?: SharedArrayBuffer;
}

/** What is said about a push or an export in advance. */
export interface Advance {
  /** Of what was approved, as a pending reply shows it. */
  digest?: string;
  /** Made before anybody is asked. */
  revision?: Revision;
}

export interface Call extends Advance {
  tool: string;
  /** The text of a JSON object. */
  arguments: string;
  caller: 'agent' | 'user';
  /** Whether a person is asked now, or the call is left waiting. */
  ask: boolean;
}

export interface Report {
  sound: boolean;
  findings: { what: string; hint: string }[];
  notes: string[];
}

/** What can be asked of a sandbox: arguments, and what comes back. */
export interface Methods {
  /** Says whether the sandbox is new. */
  open: [Opening, { isNew: boolean }];
  call: [Call, Sent<Reply>];
  export: [{ branch?: string } & Advance, Sent<Exported>];
  tools: [null, ToolSpec[]];
  waiting: [null, Waiting[]];
  review: [string, Question];
  decide: [{ id: string; answer: Answer }, Sent<Reply> | null];
  reject: [{ id: string; reason: string }, null];
  audit: [null, string];
  decisions: [null, Json[]];
  settings: [null, Json];
  fsck: [null, Report];
  compact: [null, null];
  fork: [string, null];
  close: [null, null];
}

export type Method = keyof Methods;
export type Args<M extends Method> = Methods[M][0];
export type Result<M extends Method> = Methods[M][1];

/** What the other side needs to go on with a request. */
export type Need =
  | { tag: 'question'; val: Question }
  | { tag: 'http'; val: HttpRequest }
  /** Milliseconds. */
  | { tag: 'sleep'; val: number };
export type Given = { tag: 'question'; val: Answer } | { tag: 'http'; val: HttpAnswer } | { tag: 'sleep' };

export interface Progress {
  what: string;
  isOver: boolean;
}

/** What happens without being asked for. */
export interface Events {
  /** What waits for a person has changed. */
  waiting: Waiting[];
  /** Files, commits, the history or the audit log may have changed, whoever has done that. */
  changed: null;
  /** For the person. */
  note: string;
  progress: Progress;
  /** The Worker was lost, for this reason, and another has taken its place. */
  replaced: string;
  /** Whether this tab has the sandbox, or another has. */
  owner: { isHere: boolean };
}

/** Events between a Worker and the tab that has it. */
interface Inner extends Events {
  /** The Worker holds its lock. */
  alive: null;
  /** A new sandbox is in the storage from now on, which is whole once it is open. */
  making: null;
  compiled: Modules;
  /** The Worker is of no more use since that request, if it was one, which ends with this error. */
  lost: { request: number; error: Told };
}

export type EventName = keyof Events;
export type Event = { [E in keyof Inner]: { tag: E; val: Inner[E] } }[keyof Inner];

export interface Request<M extends Method = Method> {
  type: 'request';
  id: number;
  method: M;
  args: Args<M>;
}

export type ToServer =
  | Request
  | { type: 'given'; id: number; need: number; given: Given }
  | { type: 'refused'; id: number; need: number; error: Told }
  | { type: 'cancel'; id: number };

export type ToClient =
  | { type: 'need'; id: number; need: number; what: Need }
  /** It is not needed any more, and the request goes on. */
  | { type: 'withdrawn'; id: number; need: number }
  | { type: 'done'; id: number; value: Result<Method> }
  | { type: 'failed'; id: number; error: Told }
  | { type: 'event'; event: Event };

/** One end of what carries messages. They are structured clones, in order, and none comes twice. */
export interface Port<Out, In> {
  post(message: Out): void;
  listen(listener: (message: In) => void): void;
}
