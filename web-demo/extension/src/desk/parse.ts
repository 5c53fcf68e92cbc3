// Parses an agent's messages. Anybody may send them: a message of the wrong shape counts as none, and
// unknown fields have no effect.

import type { FromAgent } from '../common/agent.js';

const NAME = 80;

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parse(message: unknown): FromAgent | undefined {
  if (!isObject(message)) return undefined;
  const { type, id, name, sandbox, tool, args, wait } = message;
  if (type === 'hello') {
    if (typeof name !== 'string' || name.trim() === '' || name.length > NAME) return undefined;
    if (sandbox !== undefined && typeof sandbox !== 'string') return undefined;
    return { type, name: name.trim(), ...(sandbox !== undefined && { sandbox: sandbox.slice(0, 100) }) };
  }
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  if (type === 'tools' || type === 'cancel') return { type, id };
  if (type !== 'call' || typeof tool !== 'string' || !isObject(args)) return undefined;
  return { type, id, tool, args, wait: wait === 'ask' ? 'ask' : 'pending' };
}
