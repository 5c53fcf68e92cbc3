import { GitgateError } from 'gitgate/edge';
import type { Credentials } from 'gitgate/edge';

/** A line of what git-credential-store keeps. */
interface Entry extends Credentials {
  origin: string;
  /** Of the one repository that it is for. Empty: for all there. */
  path: string;
}

/** Finds who signs in at a repository's address. Of several lines for it, the first counts, as in git. */
export function credentials(text = ''): (address: string) => Credentials | undefined {
  const entries = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [entry(line, at)]));
  return (address) => {
    const { origin, pathname } = new URL(address);
    return entries.find((one) => one.origin === origin && (one.path === '' || one.path === pathname));
  };
}

/** An error never repeats the line, because it has a password. */
function entry(line: string, at: number): Entry {
  try {
    const { protocol, origin, pathname, username, password } = new URL(line.trim());
    if (/^https?:$/.test(protocol) && username && password) {
      const path = pathname.replace(/\/+$/, '');
      return { origin, path, username: decodeURIComponent(username), password: decodeURIComponent(password) };
    }
  } catch {
    // It is no address, or one whose characters are not encoded.
  }
  const hint = 'write lines like https://user:password@host, with other characters as %XX';
  throw new GitgateError('usage', `line ${at + 1} of GIT_CREDENTIALS is no address with a user and a password`, hint);
}
