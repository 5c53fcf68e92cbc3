// A port over a channel that carries only JSON, such as an extension's ports and messages. Bytes become
// base64 in a wrapper object, and a real object that looks like a wrapper is escaped.

import type { Port } from '../protocol.js';

/** The used part of a `chrome.runtime.Port`. */
export interface JsonPort {
  postMessage(message: unknown): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
}

const BYTES = '$bytes';
const OBJECT = '$object';

/** The value as JSON. Leaves out members that are `undefined`. */
export function encode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { [BYTES]: base64(value) };
  if (Array.isArray(value)) return value.map(encode);
  const entries = Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, encode(one)]]));
  const plain: unknown = Object.fromEntries(entries);
  return BYTES in value || OBJECT in value ? { [OBJECT]: plain } : plain;
}

/** The decoded value. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  const bytes: unknown = Reflect.get(value, BYTES);
  if (BYTES in value && typeof bytes === 'string') return bytesOf(bytes);
  const inner: unknown = Reflect.get(value, OBJECT);
  const plain = OBJECT in value && typeof inner === 'object' && inner !== null ? inner : value;
  return Object.fromEntries(Object.entries(plain).map(([name, one]) => [name, decode(one)]));
}

/** The other end must keep to the protocol: its messages are not validated. */
export function jsonPort<Out, In>(port: JsonPort): Port<Out, In> {
  return {
    post: (message) => port.postMessage(encode(message)),
    listen: (listener) => port.onMessage.addListener((message) => listener(decode(message) as In)),
  };
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // More arguments in one call would overflow the stack.
  for (let at = 0; at < bytes.length; at += 32_768) parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(parts.join(''));
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
