import { Busy, Button, Empty } from '../../parts/bits.js';
import { Divider } from '../../parts/divider.js';
import { isNarrow } from '../../parts/narrow.js';
import { Tree } from '../../parts/tree.js';
import { ask } from '../../state/dialog.js';
import { unsaved } from '../../state/drafts.js';
import { listed, saveFile } from '../../state/file.js';
import { inside, text } from '../../state/json.js';
import { move, remove } from '../../state/moving.js';
import { entries, refresh, unstaged } from '../../state/repo.js';
import { currentName, go, route } from '../../state/route.js';
import { openSearch } from '../../state/search.js';
import { isRemote } from '../../state/session.js';
import { attempt, note } from '../../state/toast.js';
import { File } from './file.js';
import { Symlink } from './symlink.js';

async function newFile(): Promise<void> {
  const field = { label: 'Path', value: '', isRequired: true };
  const path = await ask({ title: 'New file', body: 'Folders are made as needed.', action: 'Create', field });
  if (path === undefined) return;
  if (!(await saveFile(path, '', undefined))) note(`${path} already exists.`);
  await refresh();
  go('files', inside(path));
}

/** The number of unsaved files anywhere in the tree. Clicking steps through them. */
function Unsaved({ path }: { path: string }) {
  const all = unsaved(currentName.value ?? '');
  if (all.length === 0) return null;
  const next = all[(all.indexOf(path) + 1) % all.length] ?? path;
  return (
    <Button kind="quiet" title="Show the next one" onClick={() => go('files', next)}>
      {all.length} unsaved
    </Button>
  );
}

export function Files() {
  const named = route.value.screen === 'files' ? route.value.rest : '';
  const all = listed.value;
  if (!all) return <Busy what="Reading the files" />;
  // If there is room, the overview opens at once.
  const readme = isNarrow.value ? undefined : all.find(({ path }) => /^readme(\.\w+)?$/i.test(path));
  const path = named || (readme?.path ?? '');
  const entry = all.find((one) => one.path === path);
  const marks = new Map(unstaged.value.map((one) => [inside(text(one.path)), text(one.status)]));
  if (all.length === 0) {
    return (
      <Empty icon="folder" title="No files yet">
        <p>Let an agent write some, or make one.</p>
        <div class="buttons">
          {!isRemote.value && (
            <Button kind="primary" icon="play" onClick={() => go('agent')}>
              Play the agent
            </Button>
          )}
          <Button icon="plus" onClick={() => attempt(newFile)}>
            New file
          </Button>
        </div>
      </Empty>
    );
  }
  return (
    <div class={`panes ${named ? 'has-content' : ''}`}>
      <aside class="pane-side">
        <div class="bar-row">
          <span class="muted small">{(entries.value ?? []).filter(({ isFolder }) => !isFolder).length} files</span>
          <span class="grow" />
          <Unsaved path={path} />
          <Button
            kind="quiet"
            icon="search"
            label="Search in files"
            title="Search in files (g /)"
            onClick={openSearch}
          />
          <Button kind="quiet" icon="plus" label="New file" title="New file" onClick={() => attempt(newFile)} />
        </div>
        <Tree
          entries={all}
          selected={path}
          changed={marks}
          unsaved={unsaved(currentName.value ?? '')}
          select={(one) => go('files', one)}
          rename={(one) => attempt(() => move(one))}
          remove={(one) => attempt(async () => void (await remove(one)))}
        />
      </aside>
      <Divider of="files" label="Width of the tree" />
      <section class="pane-main" aria-label="File">
        {entry?.isLink ? (
          <Symlink entry={entry} all={all} />
        ) : path ? (
          <File key={path} path={path} />
        ) : (
          <Empty icon="file" title="No file is open">
            Choose one, or press Ctrl+K and type its name.
          </Empty>
        )}
      </section>
    </div>
  );
}
