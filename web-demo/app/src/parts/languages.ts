// Loads a language when a file needs it.

import { LanguageSupport, StreamLanguage } from '@codemirror/language';
import type { StreamParser } from '@codemirror/language';

type Load = () => Promise<LanguageSupport>;

/** A language with a line-based parser. */
const stream =
  <T>(load: () => Promise<StreamParser<T>>): Load =>
  async () =>
    new LanguageSupport(StreamLanguage.define(await load()));

const javascript: Load = async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true });
const typescript: Load = async () =>
  (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true });
const json: Load = async () => (await import('@codemirror/lang-json')).json();
const markdown: Load = async () => (await import('@codemirror/lang-markdown')).markdown();
const rust: Load = async () => (await import('@codemirror/lang-rust')).rust();
const python: Load = async () => (await import('@codemirror/lang-python')).python();
const css: Load = async () => (await import('@codemirror/lang-css')).css();
const html: Load = async () => (await import('@codemirror/lang-html')).html();
const go: Load = async () => (await import('@codemirror/lang-go')).go();
const yaml: Load = async () => (await import('@codemirror/lang-yaml')).yaml();
/** Also for C, which is nearly a subset. */
const cpp: Load = async () => (await import('@codemirror/lang-cpp')).cpp();
const java: Load = async () => (await import('@codemirror/lang-java')).java();
const sql: Load = async () => (await import('@codemirror/lang-sql')).sql();
const xml: Load = async () => (await import('@codemirror/lang-xml')).xml();
const php: Load = async () => (await import('@codemirror/lang-php')).php();
const toml = stream(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml);
const shell = stream(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell);
const ruby = stream(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby);
const csharp = stream(async () => (await import('@codemirror/legacy-modes/mode/clike')).csharp);
const kotlin = stream(async () => (await import('@codemirror/legacy-modes/mode/clike')).kotlin);
const swift = stream(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift);
const dockerfile = stream(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile);
const diff = stream(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff);
const properties = stream(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties);
/** There is no parser for it, but its recipes are shell code. */
const makefile = shell;

const ENDINGS: [endings: string, load: Load][] = [
  ['js mjs cjs jsx', javascript],
  ['ts mts cts tsx', typescript],
  ['json jsonc webmanifest', json],
  ['md markdown', markdown],
  ['rs', rust],
  ['py pyi', python],
  ['css', css],
  ['html htm', html],
  ['go', go],
  ['toml', toml],
  ['yaml yml', yaml],
  ['sh bash zsh ksh', shell],
  ['c h cc cpp cxx hh hpp hxx', cpp],
  ['java', java],
  ['sql', sql],
  ['xml svg xsd xsl plist', xml],
  ['php', php],
  ['rb gemspec', ruby],
  ['cs', csharp],
  ['kt kts', kotlin],
  ['swift', swift],
  ['dockerfile', dockerfile],
  ['mk', makefile],
  ['diff patch', diff],
  ['ini properties cfg conf', properties],
];

/** File names in lower case. */
const NAMES: [names: string, load: Load][] = [
  ['dockerfile containerfile', dockerfile],
  ['makefile gnumakefile', makefile],
  ['.bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .zshenv .env .envrc pkgbuild', shell],
  ['cargo.lock poetry.lock uv.lock pipfile', toml],
  ['gemfile rakefile vagrantfile podfile brewfile', ruby],
  ['.gitconfig .gitmodules .editorconfig .npmrc', properties],
  ['.babelrc .eslintrc .prettierrc composer.lock pipfile.lock', json],
  ['.clang-format .clang-tidy .yamllint', yaml],
];

const byWord = (all: [words: string, load: Load][]): Map<string, Load> =>
  new Map(all.flatMap(([words, load]) => words.split(' ').map((word): [string, Load] => [word, load])));
const [BY_ENDING, BY_NAME] = [byWord(ENDINGS), byWord(NAMES)];

export async function language(path: string): Promise<LanguageSupport | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const [ending] = name.split('.').slice(-1);
  // In `Dockerfile.dev`, the name says more than the extension.
  const load = BY_NAME.get(name) ?? BY_ENDING.get(ending ?? '') ?? BY_NAME.get(name.split('.')[0] ?? '');
  return load?.();
}
