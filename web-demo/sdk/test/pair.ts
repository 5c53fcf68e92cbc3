import type { Port } from '../src/protocol.js';

/** Two ends of one channel. Messages are cloned and arrive later, as between threads. */
export function pair<A, B>(): [Port<A, B>, Port<B, A>] {
  const listeners: { a?: (message: B) => void; b?: (message: A) => void } = {};
  return [
    {
      post: (message) => {
        const copy = structuredClone(message);
        queueMicrotask(() => listeners.b?.(copy));
      },
      listen: (listener) => (listeners.a = listener),
    },
    {
      post: (message) => {
        const copy = structuredClone(message);
        queueMicrotask(() => listeners.a?.(copy));
      },
      listen: (listener) => (listeners.b = listener),
    },
  ];
}

/** Handlers of which only some exist: any other fails. */
export function only<H extends object>(some: Partial<H>): H {
  return new Proxy(some, {
    get: (target, name) => Reflect.get(target, name) ?? (() => Promise.reject(new Error(`no ${String(name)}`))),
  }) as H;
}
