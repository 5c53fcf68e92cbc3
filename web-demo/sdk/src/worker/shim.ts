// The used parts of the shim's and the component's JavaScript. Both are generated, so their types are
// declared here: see web-demo/shim/README.md.

import type { Comment } from '../comment.js';
import type { HttpAnswer, HttpRequest } from '../http.js';
import type { Report } from '../protocol.js';
import type { CallQuestion, PushQuestion, Revision, Waiting } from '../question.js';
import type { Failed, Pending } from '../reply.js';
import type { Storage } from '../storage/index.js';
import type { Json, ToolSpec } from '../tools.js';

export type ShimNeed =
  | { tag: 'call'; val: CallQuestion }
  | { tag: 'push'; val: PushQuestion }
  | { tag: 'http'; val: HttpRequest }
  | { tag: 'sleep'; val: number };

export type Decision =
  | { tag: 'approve'; val?: string }
  | { tag: 'reject' | 'ask-changes'; val: string }
  | { tag: 'revise'; val: Revision };

export type Said =
  { tag: 'given' | 'remembered'; val: Decision } | { tag: 'unavailable'; val: { reason: string; hint: string } };

export interface Answered {
  tag: 'call' | 'push';
  val: { said: Said; how: 'prompt' | 'digest' | 'command'; wasShown: boolean };
}

export type ShimGiven =
  Answered | { tag: 'http'; val: HttpAnswer } | { tag: 'sleep' } | { tag: 'failed'; val: unknown };

export type ShimReply =
  | { tag: 'result'; val: { text: string; structured: string; truncated: boolean } }
  | { tag: 'error'; val: Omit<Failed, 'outcome'> }
  | { tag: 'not-approved'; val: Omit<Pending, 'outcome'> };

export interface ShimRun {
  advance(): { done: ShimReply } | { need: ShimNeed };
  give(given: ShimGiven): void;
  free(): void;
}

export interface ShimCall {
  tool: string;
  arguments: string;
  caller: 'agent' | 'user';
  digest?: string | undefined;
  revision?: Revision | undefined;
  takesTime?: boolean;
}

export interface ShimExport {
  file: string;
  branch?: string | undefined;
  digest?: string | undefined;
  revision?: Revision | undefined;
}

export interface ShimSandbox {
  call(call: ShimCall, attached?: Uint8Array[]): ShimRun;
  export(wanted: ShimExport): ShimRun;
  waiting(): Waiting[];
  question(id: string): CallQuestion | undefined;
  decide(id: string, given: Answered): Omit<Pending, 'outcome'> | undefined;
  reject(id: string, reason: string): void;
  forgetTold(id: string): void;
  review(id: string, digest?: string): ShimRun;
  comments(topic: string): Comment[];
  comment(topic: string, draft: string): Comment;
  changeComment(topic: string, comment: string, change: string): Comment;
  markSeen(topic: string, looks: string): null;
  decisions(): Json[];
  audit(): string;
  tools(): ToolSpec[];
  notes(): string[];
  compact(): void;
  settings(): Json;
  free(): void;
}

export interface Opened {
  name: string;
  config?: string | undefined;
  rules?: string | undefined;
}

export interface ShimHost {
  create(storage: Storage, opened: Opened, settings: object): ShimSandbox;
  open(storage: Storage, opened: Opened): ShimSandbox;
  fsck(storage: Storage, opened: Opened): Report;
  /** Converts a bundle to the input of `sandbox_import`, and returns the refs that are left out. */
  bundle(bytes: Uint8Array, place: string): { arguments: string; attached: Uint8Array[]; skipped: string[] };
}

export interface Around {
  who: string;
  isWanted(): boolean;
  doing(what: string): () => void;
  /** The largest sandbox in bytes, where the host has less room than usual. */
  mostBytes?: bigint;
}

export interface Components {
  instance(memory: bigint): { session: object };
}

export interface ShimModule {
  initSync(init: { module: WebAssembly.Module }): unknown;
  Host: new (
    components: Components,
    around: Around,
    files: { create(path: string, content: Uint8Array): void },
  ) => ShimHost;
}

export interface ComponentModule {
  instantiate(
    module: (name: string) => WebAssembly.Module,
    imports: object,
    instance: (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Instance,
  ): { session: object };
}
