// Completes the last word of a command, from the files of the sandbox and the names of commands.

import { isPlain } from '../parts/stand-in.js';
import { inside } from './json.js';
import type { Entry } from './repo.js';
import { HOME } from './terminal.js';

const COMMANDS =
  'alias awk base64 basename bash bc break cat cd chmod cksum cmp column comm command continue cp csplit cut date dd declare diff dirname du echo egrep env eval exit expand export expr factor false fgrep file find fold getopts git grep gunzip gzip head hexdump install join jq ln local ls mapfile md5sum mkdir mktemp mv nl numfmt od paste patch popd printenv printf pushd pwd read readarray readlink readonly realpath return rev rm rmdir sed seq set sha1sum sha256sum sha512sum shift shuf sort source split stat strings tac tail tar tee test touch tr tree true truncate type uniq unset wc which xargs xxd yes zcat'.split(
    ' ',
  );

/** All quotes are closed. What is in quotes, or beside them, is not completed. */
const CLOSED = /^(?:[^'"\\]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*")*$/;
const WORD = /(?:[^\s;|&<>()"'`$\\]|\\.)*$/;
/** Where a command begins. */
const BEGIN = /(?:^|[\n;|&(]|\b(?:do|then|else)[ \t])[ \t]*$/;
const TO_QUOTE = /[^\p{L}\p{N}_@%+=:,./-]/gu;

export interface Completed {
  /** What takes the place of the last characters. */
  text: string;
  /** The number of these. */
  length: number;
  /** All that it could be, if there is more than one. */
  choices: string[];
}

interface Choice {
  label: string;
  /** What follows it if there is no other one. */
  end: string;
}

const quoted = (name: string): string => name.replace(TO_QUOTE, '\\$&');
const unquoted = (word: string): string => word.replace(/\\(.)/g, '$1');

/** The folder, as the tree names it. Nothing is known of those outside the workspace. */
function place(folder: string, from: string): string | undefined {
  const path = folder.startsWith('~/') ? HOME + folder.slice(1) : folder.startsWith('/') ? folder : `${from}/${folder}`;
  const found: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') found.pop();
    else if (part !== '' && part !== '.') found.push(part);
  }
  const whole = `/${found.join('/')}/`;
  return whole.startsWith(`${HOME}/`) ? inside(whole) : undefined;
}

/** A text field cannot show what a name hides, so such a name is not put in. */
function files(folder: string, name: string, all: Entry[]): Choice[] {
  return all.flatMap(({ path, isFolder, isLink }) => {
    const cut = path.lastIndexOf('/') + 1;
    const label = path.slice(cut);
    const isMeant = path.slice(0, cut) === folder && label.startsWith(name) && isPlain(label, 'name');
    if (!isMeant || (label.startsWith('.') && name === '')) return [];
    return { label, end: isFolder ? '/' : isLink ? '' : ' ' };
  });
}

/** The beginning that all have in common. */
function common(all: string[]): string {
  const [first = '', ...others] = all;
  let found = '';
  for (const character of first) {
    if (!others.every((one) => one.startsWith(found + character))) break;
    found += character;
  }
  return found;
}

/** Nothing if there is nothing to complete. */
export function complete(before: string, from: string, all: Entry[]): Completed | undefined {
  const word = WORD.exec(before)?.[0] ?? '';
  const rest = before.slice(0, before.length - word.length);
  if (word === '' || /["'`$]$/.test(rest) || !CLOSED.test(rest)) return undefined;
  const cut = word.lastIndexOf('/') + 1;
  const name = unquoted(word.slice(cut));
  const isCommand = cut === 0 && BEGIN.test(rest);
  const folder = place(unquoted(word.slice(0, cut)), from);
  const found = isCommand
    ? COMMANDS.filter((one) => one.startsWith(name)).map((label) => ({ label, end: ' ' }))
    : folder === undefined
      ? []
      : files(folder, name, all);
  const [first, second] = found;
  if (!first) return undefined;
  const shared = common(found.map(({ label }) => label));
  // Nobody's way of writing the word is changed unless something is added to it.
  const begun = shared === name ? word : word.slice(0, cut) + quoted(shared);
  const text = second ? begun : begun + first.end;
  if (!second && text === word) return undefined;
  const choices = second ? found.map(({ label, end }) => label + end.trim()) : [];
  return { text, length: word.length, choices };
}
