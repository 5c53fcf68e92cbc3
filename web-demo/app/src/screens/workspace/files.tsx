import { useEffect, useRef, useState } from 'preact/hooks';

import { Busy, Button, Empty } from '../../parts/bits.js';
import { Editor } from '../../parts/editor.js';
import { Loaded } from '../../parts/loaded.js';
import { isNarrow } from '../../parts/narrow.js';
import { Name } from '../../parts/plain.js';
import { Tree } from '../../parts/tree.js';
import { ask } from '../../state/dialog.js';
import { inside, text } from '../../state/json.js';
import { entries, readFile, saveFile, unstaged } from '../../state/repo.js';
import type { FileText } from '../../state/repo.js';
import { go, link, currentName, route } from '../../state/route.js';
import { changed, isRemote } from '../../state/session.js';
import { attempt, note } from '../../state/toast.js';

async function newFile(): Promise<void> {
  const field = { label: 'Path', value: '', isRequired: true };
  const path = await ask({ title: 'New file', body: 'Folders are made as needed.', action: 'Make it', field });
  if (path === undefined) return;
  await saveFile(path, '');
  go('files', inside(path));
}

function Open({ file }: { file: FileText }) {
  const [now, setNow] = useState(file.text);
  const read = useRef(file.text);
  const isDirty = now !== file.text;
  useEffect(() => {
    // What the person has written meanwhile stays, and is not saved yet.
    if (now === read.current) setNow(file.text);
    read.current = file.text;
  }, [file.text]);
  const save = (): void =>
    attempt(async () => {
      if (!isDirty || file.isCut) return;
      await saveFile(file.path, now);
      note('Saved.');
    });
  return (
    <>
      <div class="bar-row">
        <Button
          kind="quiet"
          icon="chevron"
          label="Back to the files"
          title="Back to the files"
          onClick={() => go('files')}
        />
        <Name text={file.path} mono />
        {isDirty && <span class="tag warning">not saved</span>}
        {file.isCut && <span class="tag">only its first part</span>}
        <span class="grow" />
        <a class="button quiet" href={link(currentName.value ?? '', 'blame', file.path)}>
          Blame
        </a>
        <Button kind="primary" keys="Ctrl+S" isDisabled={!isDirty || file.isCut} onClick={save}>
          Save
        </Button>
      </div>
      {file.isBinary ? (
        <Empty icon="file" title="No text">
          The file is not UTF-8. A diff says how it has changed.
        </Empty>
      ) : (
        <Editor
          isFile
          name={file.path}
          text={now}
          label={file.path}
          isReadOnly={file.isCut}
          onChange={setNow}
          onSave={save}
        />
      )}
    </>
  );
}

export function Files() {
  const named = route.value.screen === 'files' ? route.value.rest : '';
  const all = entries.value;
  if (!all) return <Busy what="Reading the files" />;
  // Where there is room, what tells of the whole is there at once.
  const readme = isNarrow.value ? undefined : all.find(({ path }) => /^readme(\.\w+)?$/i.test(path));
  const path = named || (readme?.path ?? '');
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
          <span class="muted small">{all.filter(({ isFolder }) => !isFolder).length} files</span>
          <span class="grow" />
          <Button kind="quiet" icon="plus" label="New file" title="New file" onClick={() => attempt(newFile)} />
        </div>
        <Tree entries={all} selected={path} changed={marks} select={(one) => go('files', one)} />
      </aside>
      <section class="pane-main" aria-label="File">
        {path ? (
          <Loaded key={path} load={() => readFile(path)} by={[path, changed.value]} what="Reading the file">
            {(file) => <Open file={file} />}
          </Loaded>
        ) : (
          <Empty icon="file" title="No file is open">
            Choose one, or press Ctrl+K and type its name.
          </Empty>
        )}
      </section>
    </div>
  );
}
