import { useState } from 'preact/hooks';

import { attempt } from '../state/toast.js';
import { Button } from './bits.js';

/** A text of this page that a person copies in one go. */
export function CopyBlock({ title, code }: { title: string; code: string }) {
  const [copied, setCopied] = useState<string | undefined>(undefined);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code);
    setCopied(code);
  };
  const isCopied = copied === code;
  return (
    <div class="copy-block">
      <div class="copy-head">
        <span class="small muted mono grow">{title}</span>
        <Button kind="quiet" icon={isCopied ? 'check' : 'copy'} label={`Copy ${title}`} onClick={() => attempt(copy)}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <pre tabIndex={0} aria-label={title}>
        {code}
      </pre>
    </div>
  );
}
