// The messages between a client and the Worker of a sandbox, over any channel: a Worker, a channel between
// tabs, a port of an extension.

import type { About, Comment, CommentChange, Draft, Look } from './comment.js';
import type { Told } from './error.js';
import type { HttpAnswer, HttpRequest } from './http.js';
import type { Answer, Question, Revision, Waiting } from './question.js';
import type { Exported, Reply, Sent } from './reply.js';
import type { Json, ToolSpec } from './tools.js';

/**
 * The initial content of a new sandbox: of a repository at GitHub, of one at any git server by its address, or of
 * a bundle. Without a branch it uses the repository's default branch, or the bundle's HEAD. A bundle without HEAD
 * uses its only branch, or else `main`.
 */
export type From =
  | ({ github: string } & Part)
  | ({ git: string } & Part)
  | { bundle: Uint8Array; branch?: string };

/** What to bring in of a repository. */
interface Part {
  branch?: string;
  paths?: string[];
  depth?: number;
}

/** The compiled modules, so that the next Worker need not compile them. */
export interface Modules {
  shim: WebAssembly.Module;
  /** By the names in the component's JavaScript. */
  component: Map<string, WebAssembly.Module>;
}

/** The URLs of everything to load. */
export interface Assets {
  shim: string;
  shimWasm: string;
  component: string;
  /** The component's modules, by the names in its JavaScript. */
  componentWasm: { [name: string]: string };
}

export interface Opening {
  name: string;
  storage: 'opfs' | 'memory';
  /** The user's name in the audit log. */
  who: string;
  config?: string;
  rules?: string;
  /** Options for a new sandbox. */
  settings: {
    identity?: string;
    policy?: 'gate' | 'strict';
    pushTo?: string;
    targets?: string[];
    push?: 'manual' | 'assisted';
  };
  from?: From;
  assets: Assets;
  modules?: Modules;
  /** A lock that the Worker holds while it lives, however it ends. */
  life: string;
  /** Two numbers: the running call, and the cancelled one. */
  flag?: SharedArrayBuffer;
}

/** Answers in advance about a push or an export. */
export interface Advance {
  /** The digest that the person approved, from a pending reply. */
  digest?: string;
  /** An edit to apply before anybody is asked. */
  revision?: Revision;
}

export interface Call extends Advance {
  tool: string;
  /** The text of a JSON object. */
  arguments: string;
  caller: 'agent' | 'user';
  /** Whether to ask a person now, or to leave the call waiting. */
  ask: boolean;
}

export interface Report {
  sound: boolean;
  findings: { what: string; hint: string }[];
  notes: string[];
}

/** The requests to a sandbox, with arguments and results. */
export interface Methods {
  /** Returns whether the sandbox is new. */
  open: [Opening, { isNew: boolean }];
  call: [Call, Sent<Reply>];
  export: [{ branch?: string } & Advance, Sent<Exported>];
  tools: [null, ToolSpec[]];
  waiting: [null, Waiting[]];
  review: [string, Question];
  decide: [{ id: string; answer: Answer }, Sent<Reply> | null];
  reject: [{ id: string; reason: string }, null];
  comments: [About, Comment[]];
  comment: [{ about: About; draft: Draft }, Comment];
  changeComment: [{ about: About; comment: string; change: CommentChange }, Comment];
  markSeen: [{ about: About; looks: Look[] }, null];
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

/** What a request needs from the other side to continue. */
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

/** The events. */
export interface Events {
  /** The waiting calls changed. */
  waiting: Waiting[];
  /** Files, commits, the history or the audit log may have changed, whoever changed them. */
  changed: null;
  /** For the person. */
  note: string;
  progress: Progress;
  /** The Worker was lost, for this reason, and another replaced it. */
  replaced: string;
  /** Whether this tab has the sandbox, or another one. */
  owner: { isHere: boolean };
}

/** Events between a Worker and its own tab. */
interface Inner extends Events {
  /** The Worker holds its lock. */
  alive: null;
  /** A new sandbox is in the storage from now on. It is complete once it is open. */
  making: null;
  compiled: Modules;
  /** The Worker is useless since that request, if there was one. The request ends with this error. */
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
  /** It is not needed any more, and the request continues. */
  | { type: 'withdrawn'; id: number; need: number }
  | { type: 'done'; id: number; value: Result<Method> }
  | { type: 'failed'; id: number; error: Told }
  | { type: 'event'; event: Event };

/** One end of a channel. Its messages are structured clones, in order, without duplicates. */
export interface Port<Out, In> {
  post(message: Out): void;
  listen(listener: (message: In) => void): void;
}
