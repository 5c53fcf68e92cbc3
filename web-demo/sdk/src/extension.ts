// Parts of the SDK for a program that splits a sandbox over several places, such as an extension.

export { Base } from './client/base.js';
export { GitServers } from './client/git-server.js';
export type { Credentials } from './client/git-server.js';
export { GitHub } from './client/github.js';
export { decode, encode, jsonPort } from './client/json-port.js';
export type { JsonPort } from './client/json-port.js';
export { reachSandbox, serveSandbox } from './client/remote.js';
export type { Reached } from './client/remote.js';
export { Senders } from './client/senders.js';
export { GitgateError, errorOf, gitgateError, told } from './error.js';
export type { Told } from './error.js';
export type { HttpAnswer, HttpRequest } from './http.js';
export type { Port, ToClient, ToServer } from './protocol.js';
