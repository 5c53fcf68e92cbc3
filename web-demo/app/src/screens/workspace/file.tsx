// A file: its content, the edits, and the choice if both changed.

import { useRef, useState } from 'preact/hooks';

import { Button, Empty } from '../../parts/bits.js';
import { Editor } from '../../parts/editor.js';
import { Loaded } from '../../parts/loaded.js';
import { Name, Plain } from '../../parts/plain.js';
import { awaited } from '../../state/arrive.js';
import { ask } from '../../state/dialog.js';
import { discard, draft, saved, type } from '../../state/drafts.js';
import { openFile, saveFile } from '../../state/file.js';
import type { OpenedFile } from '../../state/file.js';
import { refresh } from '../../state/repo.js';
import { currentName, go, link } from '../../state/route.js';
import { changed } from '../../state/session.js';
import { spot } from '../../state/spot.js';
import { attempt, note } from '../../state/toast.js';
import { Back } from './back.js';
import { FileActs } from './file-acts.js';

async function askDiscard(name: string, { path, wrong }: OpenedFile): Promise<void> {
  const body = `What you typed in ${path} is lost. The file stays as it is.`;
  const sure = await ask({ title: 'Discard what you typed?', body, action: 'Discard', isDangerous: true });
  if (sure === undefined) return;
  discard(name, path);
  // Nothing else is left of a deleted file.
  if (wrong) go('files');
}

interface ChangedProps {
  now: OpenedFile;
  isShown: boolean;
  show: () => void;
  overwrite: () => void;
}

/** If a file changed since, saving waits until the person has seen the change. */
function Changed({ now, isShown, show, overwrite }: ChangedProps) {
  return (
    <div class="banner" role="status">
      <span class="grow">
        The file has changed meanwhile.
        {now.wrong && (
          <>
            {' '}
            <Plain text={now.wrong.message} clip={false} />
          </>
        )}
      </span>
      {!now.wrong && <Button onClick={show}>{isShown ? 'Show what you typed' : 'Show it as it is now'}</Button>}
      {!now.isBinary && !now.isCut && <Button onClick={overwrite}>{now.wrong ? 'Write it again' : 'Overwrite'}</Button>}
    </div>
  );
}

/** The editor takes the focus if the person chose the file by name, and scrolls to the line they asked for. */
const arrival = (path: string) => ({
  takesFocus: awaited.value === path,
  onFocus: () => void (awaited.value = undefined),
  ...(spot.value?.path === path && { at: spot.value.line, onShown: () => void (spot.value = undefined) }),
});

function Content({ file, isEditable, children }: { file: OpenedFile; isEditable: boolean; children: preact.VNode }) {
  if (isEditable) return children;
  if (file.isBinary) {
    return (
      <Empty icon="file" title="No text">
        The file is not UTF-8. A diff says how it has changed.
      </Empty>
    );
  }
  return <Editor isFile name={file.path} text={file.text} label={file.path} isReadOnly {...arrival(file.path)} />;
}

function Open({ file }: { file: OpenedFile }) {
  const name = currentName.value ?? '';
  const { path } = file;
  // The saved text is known before the file is read again.
  const read = useRef(file);
  const known = useRef(file);
  if (read.current !== file) read.current = known.current = file;
  const now = known.current;
  const [isNowShown, setNowShown] = useState(false);
  const typed = draft(name, path);
  const isDirty = typed !== undefined;
  const isText = !now.wrong && !now.isBinary && !now.isCut;
  const hasChanged = isDirty && !(isText && now.text === typed.base);
  const isEditable = isText || isDirty;
  const isAside = hasChanged && isNowShown && !now.wrong;
  const save = async (overwritten?: { text: string | undefined }): Promise<void> => {
    const one = draft(name, path);
    if (!one) return;
    if (!(await saveFile(path, one.text, overwritten ? overwritten.text : one.base))) {
      return note('Not saved: the file has changed meanwhile. See above what you can do.');
    }
    known.current = { path, text: one.text, isBinary: false, isCut: false };
    saved(name, path, one.text);
    setNowShown(false);
    note('Saved.');
    await refresh();
  };
  // One after the other: the second builds on what the first wrote.
  const last = useRef(Promise.resolve());
  const inTurn = (work: () => Promise<void>): void =>
    attempt(() => {
      const done = last.current.then(work);
      last.current = done.catch(() => undefined);
      return done;
    });
  return (
    <>
      <div class="bar-row">
        <Back />
        <Name text={path} mono />
        {isDirty && <span class="tag warning">unsaved</span>}
        {now.isCut && <span class="tag">only its first part</span>}
        <span class="grow" />
        {isDirty && (
          <Button kind="quiet" onClick={() => attempt(() => askDiscard(name, now))}>
            Discard…
          </Button>
        )}
        {!now.wrong && <FileActs path={path} />}
        <a class="button quiet" href={link(name, 'blame', path)}>
          Blame
        </a>
        <Button kind="primary" keys="Ctrl+S" isDisabled={!isDirty} onClick={() => inTurn(save)}>
          Save
        </Button>
      </div>
      {hasChanged && (
        <Changed
          now={now}
          isShown={isAside}
          show={() => setNowShown(!isNowShown)}
          overwrite={() => inTurn(() => save({ text: now.wrong ? undefined : now.text }))}
        />
      )}
      <Content file={now} isEditable={isEditable && !isAside}>
        <Editor
          isFile
          name={path}
          text={typed?.text ?? now.text}
          label={path}
          {...arrival(path)}
          onChange={(text) => type(name, path, text, known.current.text)}
          onSave={() => inTurn(save)}
        />
      </Content>
    </>
  );
}

export function File({ path }: { path: string }) {
  return (
    <Loaded key={path} load={() => openFile(path)} by={[path, changed.value]} what="Reading the file">
      {(file) => <Open file={file} />}
    </Loaded>
  );
}
