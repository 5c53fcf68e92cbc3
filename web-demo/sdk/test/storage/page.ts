// The page's access to the Workers that open storages. One question at a time.

import type { Answer, Operation } from './worker.js';

const workers = new Map<string, Worker>();

/** Asks a Worker, and starts it if necessary. An error is an answer too. */
export function ask(worker: string, operation: Operation, name: string): Promise<Answer> {
  const asked = workers.get(worker) ?? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  workers.set(worker, asked);
  return new Promise((resolve, reject) => {
    asked.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    asked.onerror = ({ message }) => reject(new Error(message));
    asked.postMessage({ operation, name });
  });
}

/** Terminates a Worker, whatever it is doing. */
export function end(worker: string): void {
  workers.get(worker)?.terminate();
  workers.delete(worker);
}
