// Parses a person's input for a repository, or for a sandbox on a server.

import { GitgateError } from 'gitgate';

export type Source =
  /** `base` is the address of the API, if it is not GitHub's own. */
  { kind: 'github'; repo: string; branch?: string; base?: string } | { kind: 'server'; url: string };

const FORM = 'Write it as owner/repo, or paste its address, such as https://github.com/owner/repo';
const BUNDLE = 'git bundle create project.bundle HEAD main';
/** Their APIs differ from GitHub's, and their git servers allow no page (CORS). */
const FOREIGN: { [host: string]: string } = {
  'gitlab.com': 'GitLab',
  'bitbucket.org': 'Bitbucket',
  'codeberg.org': 'Codeberg',
  'gist.github.com': 'A gist',
};
const GITHUB = ['github.com', 'www.github.com', 'ssh.github.com', 'api.github.com'];
const IS_LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;
const IS_FOLDER = /^(\/|\.{1,2}\/|~|[A-Za-z]:[\\/]|\\|file:)/;
/** Signs of a host name without a scheme: a dot, a port, or this machine. */
const IS_HOST = /^([^/]+\.[^/]+|[^/]+:\d+|localhost)$/i;
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const REPO = /^(?!\.{1,2}$)[\w.-]+$/;

const bad = (message: string, hint: string): GitgateError => new GitgateError('usage', message, hint);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // It is not an escape, so keep it.
    return part;
  }
}

interface Place {
  scheme: string;
  /** Including the port. Empty for GitHub. */
  host: string;
  parts: string[];
  branch: string | undefined;
}

/** The parts of an address in the form of a browser, git or ssh. */
function placeOf(text: string): Place {
  const [short = '', fragment] = text.replace(/^github:(?!\/)/i, '').split('#', 2);
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\d+(?:\/|$)|\/)(.+)$/.exec(short);
  const [, scheme = '', rest = ''] = scp ? ['', 'ssh', `${scp[1]}/${scp[2]}`] : split(short);
  const [path = ''] = rest.split('?', 1);
  const [first = '', ...others] = path.split('/');
  const parts = (scheme ? others : [first, ...others]).filter(Boolean).map(decoded);
  const host = first.replace(/^.*@/, '').toLowerCase();
  return { scheme, host: scheme ? host : '', parts, branch: scheme ? undefined : fragment };
}

function split(text: string): string[] {
  const found = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text);
  if (found) return ['', (found[1] ?? '').toLowerCase(), found[2] ?? ''];
  const [first = ''] = text.split('/', 1);
  if (!IS_HOST.test(first)) return ['', '', text];
  return ['', IS_LOCAL.test(first.toLowerCase()) ? 'http' : 'https', text];
}

function sandboxOf({ scheme, host, parts }: Place): Source {
  const at = parts.lastIndexOf('sandboxes');
  const [name, ...rest] = parts.slice(at + 1);
  const url = `${scheme}://${[host, ...parts.slice(0, at + 1)].join('/')}/${name ?? 'NAME'}`;
  // Agents get the address with `mcp` at its end.
  if (name === undefined || rest.some((part) => part !== 'mcp')) {
    throw bad('The address names no sandbox', `Add its name: ${url}`);
  }
  ensureEncrypted(scheme, host, url);
  return { kind: 'server', url };
}

function ensureEncrypted(scheme: string, host: string, url: string): void {
  if (scheme !== 'http' || IS_LOCAL.test(host)) return;
  throw bad('The address is not https', `Use ${url.replace(/^http:/, 'https:')}`);
}

function repositoryOf({ scheme, host, parts, branch }: Place, text: string): Source {
  const isGitHub = GITHUB.includes(host.replace(/:\d+$/, ''));
  const [owner = '', name = '', page, ...rest] = parts;
  if (host && (!owner || !name)) {
    if (isGitHub) throw bad('The address names no repository', FORM);
    throw bad('The address names no sandbox and no repository', `Add it: ${scheme}://${host}/sandboxes/NAME`);
  }
  const repo = name.replace(/\.git$/, '');
  const isShort = host === '';
  if (!OWNER.test(owner) || !REPO.test(repo) || (isShort && page !== undefined)) {
    throw bad(`'${text}' is not a repository`, FORM);
  }
  const named = (page === 'tree' ? rest.join('/') : undefined) || branch;
  const found: Source = { kind: 'github', repo: `${owner}/${repo}`, ...(named && { branch: named }) };
  if (isShort || isGitHub) return found;
  ensureEncrypted(scheme, host, `${scheme}://${host}/${owner}/${repo}`);
  const isWeb = scheme === 'http' || scheme === 'https';
  // The port of ssh is not the API's.
  return { ...found, base: isWeb ? `${scheme}://${host}/api/v3` : `https://${host.replace(/:\d+$/, '')}/api/v3` };
}

export function readAddress(written: string): Source {
  const text = written.trim();
  if (text === '') throw bad('Enter a repository, or the address of a sandbox', FORM);
  if (IS_FOLDER.test(text)) {
    const hint = `Drop the folder on this page, or a bundle of it: ${BUNDLE}`;
    throw bad('This is a folder on your computer, which a page cannot open by its path', hint);
  }
  const place = placeOf(text);
  const { scheme, host, parts } = place;
  if (scheme && !['http', 'https', 'ssh', 'git', 'git+ssh'].includes(scheme)) {
    throw bad(`${scheme} addresses do not work here`, 'Use https or ssh, or owner/repo');
  }
  const foreign = FOREIGN[host];
  if (foreign) {
    const hint = `Drop a bundle here: ${BUNDLE}. Or use gitgate's extension or command line`;
    throw bad(`${foreign} lets no page in`, hint);
  }
  if (scheme.startsWith('http') && parts.includes('sandboxes')) return sandboxOf(place);
  return repositoryOf(place, text);
}
