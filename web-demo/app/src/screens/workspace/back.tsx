import { Button } from '../../parts/bits.js';
import { go } from '../../state/route.js';

/** Where there is one column, it leads from a file to the tree. */
export const Back = () => (
  <Button kind="quiet" icon="chevron" label="Back to the files" title="Back to the files" onClick={() => go('files')} />
);
