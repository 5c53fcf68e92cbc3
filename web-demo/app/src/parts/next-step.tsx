import { useState } from 'preact/hooks';

import { currentName, link } from '../state/route.js';
import { fail } from '../state/toast.js';
import type { Next } from '../state/words.js';
import { Button } from './bits.js';

export function Copy({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button title={text} onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true), fail)}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** What a person can do about what went wrong. */
export function NextStep({ of }: { of: Next }) {
  if ('copy' in of) return <Copy label={of.label} text={of.copy} />;
  const name = currentName.value;
  const href = of.screen === 'start' || name === undefined ? '#/' : link(name, of.screen);
  return (
    <a class="button" href={href}>
      {of.label}
    </a>
  );
}
