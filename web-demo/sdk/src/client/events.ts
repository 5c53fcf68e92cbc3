import type { EventName, Events } from '../protocol.js';

type Listeners = { [E in EventName]: Set<(value: Events[E]) => void> };

/** Listeners by the names of events. */
export class Emitter {
  readonly #listeners: Listeners = {
    waiting: new Set(),
    changed: new Set(),
    note: new Set(),
    progress: new Set(),
    replaced: new Set(),
    owner: new Set(),
  };

  on<E extends EventName>(event: E, listener: (value: Events[E]) => void): () => void {
    const listeners: Listeners[E] = this.#listeners[event];
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  emit<E extends EventName>(event: E, value: Events[E]): void {
    const listeners: Listeners[E] = this.#listeners[event];
    for (const listener of [...listeners]) {
      try {
        listener(value);
      } catch (error) {
        // A listener's error must not stop what it observes.
        console.error(`gitgate: a listener of '${event}' failed`, error);
      }
    }
  }
}
