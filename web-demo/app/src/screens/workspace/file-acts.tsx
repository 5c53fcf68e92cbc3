import { Button } from '../../parts/bits.js';
import { arrive } from '../../state/arrive.js';
import { download, move, remove } from '../../state/moving.js';
import { attempt } from '../../state/toast.js';

async function removeHere(path: string): Promise<void> {
  // With the file, the button that has the focus is gone.
  if (await remove({ path, isFolder: false })) arrive(() => undefined);
}

/** What is done with a file or link as a whole. */
export const FileActs = ({ path, isLink = false }: { path: string; isLink?: boolean }) => (
  <>
    {!isLink && (
      <Button
        kind="quiet"
        icon="down"
        label="Download"
        title="Download"
        onClick={() => attempt(() => download(path))}
      />
    )}
    <Button
      kind="quiet"
      icon="edit"
      label="Rename or move"
      title="Rename or move"
      onClick={() => attempt(() => move({ path, isFolder: false }))}
    />
    <Button kind="quiet" icon="bin" label="Delete" title="Delete" onClick={() => attempt(() => removeHere(path))} />
  </>
);
