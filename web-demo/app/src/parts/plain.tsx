// Texts that are an agent's or a repository's. What a screen hides or reorders becomes a chip.

import type { ComponentChildren } from 'preact';

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

export const HIDDEN_CHARACTERS = new RegExp(HIDDEN.source, 'gu');

export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const Chip = ({ of }: { of: string }) => (
  <span class="chip-hidden" title="A character that screens hide or reorder">
    {codePoint(of)}
  </span>
);

function parts(text: string): ComponentChildren[] {
  const found: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) found.push(text.slice(from, match.index));
    found.push(<Chip of={match[0]} />);
    from = match.index + match[0].length;
  }
  found.push(text.slice(from));
  return found;
}

/** The text for an attribute, where there are no chips. */
export const visible = (text: string): string => text.replace(HIDDEN_CHARACTERS, (one) => `<${codePoint(one)}>`);

/** A path whose folders are clipped before its name is. */
export function Path({ text }: { text: string }) {
  const cut = text.lastIndexOf('/') + 1;
  return (
    <span class="path" title={visible(text.slice(0, 2000))}>
      {cut > 0 && <bdi class="clip folder">{parts(text.slice(0, cut))}</bdi>}
      <bdi class="clip">{parts(text.slice(cut))}</bdi>
    </span>
  );
}

/** Clipped to one line where its place is too narrow, with the whole in its title. */
export function Plain({ text, clip = true, mono }: { text: string; clip?: boolean; mono?: boolean }) {
  const shown = text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text;
  const name = [clip && 'clip', mono && 'mono'].filter(Boolean).join(' ');
  return (
    <bdi class={name} title={clip ? visible(text.slice(0, 2000)) : undefined}>
      {parts(shown)}
    </bdi>
  );
}
