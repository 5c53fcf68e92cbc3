import { signal } from '@preact/signals';

interface Field {
  label: string;
  value: string;
  isLong?: boolean;
  isSecret?: boolean;
  isRequired?: boolean;
  /** Identifies the text. The same question later starts with this text, until it was `sent`. */
  about?: string;
}

export interface Ask {
  title: string;
  body: string;
  action: string;
  isDangerous?: boolean;
  /** A text field with its label. */
  field?: Field;
  done: (text: string | undefined) => void;
}

export const asking = signal<Ask | undefined>(undefined);
export const overlay = signal<'palette' | 'keys' | undefined>(undefined);

/** Typed texts that were not sent. They are only in memory. */
const typed = new Map<string, string>();

export const typedIn = ({ about = '', value }: Field): string => typed.get(about) ?? value;

export function keepTyped({ about, isSecret, value }: Field, text: string): void {
  if (about === undefined || isSecret) return;
  if (text === value) typed.delete(about);
  else typed.set(about, text);
}

export const sent = (about: string): void => void typed.delete(about);

/** Asks a person. Returns their text, or nothing if they decline. */
export function ask(what: Omit<Ask, 'done'>): Promise<string | undefined> {
  // Only one dialog is open: an earlier question gets no answer.
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
