// A sealed sandbox with git and file tools for an AI agent, in a page.

export { connectSandbox } from './client/connect.js';
export type { ConnectOptions } from './client/connect.js';
export type { Fetch } from './client/server.js';
export { listSandboxes, memory, openSandbox, opfs, persist, removeSandbox } from './client/open.js';
export type { OpenOptions, Place } from './client/open.js';
export { pushResult } from './client/push-result.js';
export { Sandbox } from './client/sandbox.js';
export type { CallOptions, PushOptions } from './client/sandbox.js';
export type { Credentials, GitServersOptions } from './client/git-server.js';
export type { GitHubOptions } from './client/github.js';
export type { Sender } from './client/send.js';
export type { HttpAnswer, HttpRequest } from './http.js';
export type { Limits } from './client/limit.js';
export type { Asked } from './client/needs.js';
export { GitgateError } from './error.js';
export type { Assets, Events, From, Progress, Report } from './protocol.js';
export type {
  About,
  Comment,
  CommentChange,
  CommentReply,
  Draft,
  Listed,
  Look,
  PatchFile,
  Place as CommentPlace,
  Side,
  Spot,
  Unit,
  UnitKey,
  Weight,
} from './comment.js';
export type * from './question.js';
export type * from './reply.js';
export type * from './tools.js';
