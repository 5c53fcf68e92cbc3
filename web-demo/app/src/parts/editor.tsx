import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import type { CompletionSource } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { fail } from '../state/toast.js';
import { common, lineEnd, lineEnds, shadow } from './code.js';
import { finding } from './find-panel.js';
import { language } from './languages.js';
import { visible } from './stand-in.js';

const ends = new Compartment();
/** Marks changes by the page, which nobody typed. */
const given = Annotation.define<boolean>();

interface EditorProps {
  /** A new value starts a new document. */
  name: string;
  text: string;
  label: string;
  isReadOnly?: boolean;
  /** The text of a file keeps its line ends. */
  isFile?: boolean;
  hint?: string;
  /** Scrolls to a line, counted from 1, whenever it is set. */
  at?: number;
  onShown?: () => void;
  complete?: CompletionSource;
  onChange?: (text: string) => void;
  onSave?: () => void;
  /** Takes the focus, and reports that. */
  takesFocus?: boolean;
  onFocus?: () => void;
}

export function Editor({
  name,
  text,
  label,
  isReadOnly = false,
  isFile = false,
  hint,
  complete,
  at,
  onShown,
  onChange,
  onSave,
  takesFocus = false,
  onFocus,
}: EditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const now = useRef({ onChange, onSave });
  now.current = { onChange, onSave };
  const endsOf = (text: string): Extension => (isFile ? lineEnds(lineEnd(text)) : []);
  useEffect(() => {
    if (!host.current) return;
    const root = shadow(host.current);
    const parent = document.createElement('div');
    parent.style.height = '100%';
    root.append(parent);
    const syntax = new Compartment();
    const save = (): boolean => {
      now.current.onSave?.();
      return true;
    };
    const made = new EditorView({
      doc: text,
      parent,
      root,
      extensions: [
        common,
        ends.of(endsOf(text)),
        EditorView.lineWrapping,
        lineNumbers(),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        finding,
        syntax.of([]),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': visible(label, 'name'), tabindex: '0' }),
        placeholder(hint ?? ''),
        autocompletion(complete ? { override: [complete] } : { override: [] }),
        keymap.of([
          { key: 'Mod-s', run: save },
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          // Tab leaves the editor, and so does Escape.
          { key: 'Escape', run: ({ contentDOM }) => (contentDOM.blur(), frame.current?.focus(), true) },
        ]),
        EditorView.updateListener.of((update) => {
          const isTyped = update.docChanged && !update.transactions.some((one) => one.annotation(given));
          if (isTyped) now.current.onChange?.(update.state.sliceDoc());
        }),
      ],
    });
    view.current = made;
    language(name).then((found) => found && made.dispatch({ effects: syntax.reconfigure(found) }), fail);
    return () => made.destroy();
  }, [name, isReadOnly]);
  // The text changed from outside. Apply it immediately, or a key pressed meanwhile is lost.
  useLayoutEffect(() => {
    const { current } = view;
    if (!current) return;
    if (current.state.sliceDoc() === text) return;
    current.dispatch({ effects: ends.reconfigure(endsOf(text)) });
    const changes = { from: 0, to: current.state.doc.length, insert: current.state.toText(text) };
    current.dispatch({ changes, annotations: given.of(true) });
  }, [text]);
  useEffect(() => {
    if (!takesFocus) return;
    view.current?.focus();
    onFocus?.();
  }, [takesFocus, name, isReadOnly]);
  useEffect(() => {
    const { current } = view;
    if (!current || at === undefined) return;
    const { doc } = current.state;
    const { from } = doc.line(Math.min(Math.max(1, at), doc.lines));
    current.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    current.focus();
    onShown?.();
  }, [at]);
  // The frame redirects the focus to the view. The view's own host cannot: Tab would skip it.
  return (
    <div ref={frame} class="code" tabIndex={-1}>
      <div ref={host} class="code-host" />
    </div>
  );
}
