import { Button } from './bits.js';
import { useCopy } from './copy.js';

/** A text of this page to copy as a whole. */
export function CopyBlock({ title, code }: { title: string; code: string }) {
  const { isDone, copy } = useCopy(code);
  return (
    <div class="copy-block">
      <div class="copy-head">
        <span class="small muted mono grow">{title}</span>
        <Button kind="quiet" icon={isDone ? 'check' : 'copy'} label={`Copy ${title}`} onClick={copy}>
          {isDone ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <pre tabIndex={0} aria-label={title}>
        {code}
      </pre>
    </div>
  );
}
