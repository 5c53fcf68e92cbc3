import { signal } from '@preact/signals';

export interface Ask {
  title: string;
  body: string;
  action: string;
  isDangerous?: boolean;
  /** A field for a text, with its label. */
  field?: { label: string; value: string; isLong?: boolean; isSecret?: boolean; isRequired?: boolean };
  done: (text: string | undefined) => void;
}

export const asking = signal<Ask | undefined>(undefined);
export const overlay = signal<'palette' | 'keys' | undefined>(undefined);

/** Asks a person, and gives their text, or nothing if they would rather not. */
export function ask(what: Omit<Ask, 'done'>): Promise<string | undefined> {
  // Only one is on the screen: what was asked before is not answered any more.
  asking.peek()?.done(undefined);
  return new Promise((resolve) => {
    asking.value = {
      ...what,
      done: (text) => {
        asking.value = undefined;
        resolve(text);
      },
    };
  });
}
