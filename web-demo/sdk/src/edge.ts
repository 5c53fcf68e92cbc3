// Parts of the SDK for a worker that hosts sandboxes itself.

export { GitServers } from './client/git-server.js';
export type { Credentials } from './client/git-server.js';
export { GitHub } from './client/github.js';
export type { Limits, Sender, SendingOptions } from './client/send.js';
export { Senders } from './client/senders.js';
export { GitgateError, told } from './error.js';
export type { HttpAnswer, HttpRequest } from './http.js';
export type { Blob, Mark, Next, Storage } from './storage/types.js';
export { componentsOf } from './worker/engine.js';
export type {
  Around,
  ComponentModule,
  Components,
  Opened,
  ShimGiven,
  ShimHost,
  ShimModule,
  ShimNeed,
  ShimSandbox,
} from './worker/shim.js';
export { Turns } from './worker/turns.js';
