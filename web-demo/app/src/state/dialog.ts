import { signal } from '@preact/signals';

interface Field {
  label: string;
  value: string;
  isLong?: boolean;
  isSecret?: boolean;
  isRequired?: boolean;
  /** What the text is for. It is there again when that is asked anew, until it is `sent`. */
  about?: string;
}

export interface Ask {
  title: string;
  body: string;
  action: string;
  isDangerous?: boolean;
  /** A field for a text, with its label. */
  field?: Field;
  done: (text: string | undefined) => void;
}

export const asking = signal<Ask | undefined>(undefined);
export const overlay = signal<'palette' | 'keys' | undefined>(undefined);

/** What was typed and not sent. It is in memory only. */
const typed = new Map<string, string>();

export const typedIn = ({ about = '', value }: Field): string => typed.get(about) ?? value;

export function keepTyped({ about, isSecret, value }: Field, text: string): void {
  if (about === undefined || isSecret) return;
  if (text === value) typed.delete(about);
  else typed.set(about, text);
}

export const sent = (about: string): void => void typed.delete(about);

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
