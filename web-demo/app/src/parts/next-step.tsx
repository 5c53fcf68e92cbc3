import { currentName, link } from '../state/route.js';
import type { Next } from '../state/words.js';
import { Button } from './bits.js';
import { useCopy } from './copy.js';

export function CopyStep({ label, text }: { label: string; text: string }) {
  const { isDone, copy } = useCopy(text);
  return (
    <Button title={text} onClick={copy}>
      {isDone ? 'Copied' : label}
    </Button>
  );
}

function toField(name: string): void {
  const label = [...document.querySelectorAll('label')].find((one) => one.querySelector('span')?.textContent === name);
  const details = label?.closest('details');
  if (details) details.open = true;
  label?.querySelector('input')?.select();
}

/** What a person can do about an error. */
export function NextStep({ of }: { of: Next }) {
  if ('copy' in of) return <CopyStep label={of.label} text={of.copy} />;
  if ('field' in of) return <Button onClick={() => toField(of.field)}>{of.label}</Button>;
  const name = currentName.value;
  const href = of.screen === 'start' || name === undefined ? '#/' : link(name, of.screen);
  return (
    <a class="button" href={href}>
      {of.label}
    </a>
  );
}
