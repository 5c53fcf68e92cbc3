// Opens a pull request for a branch that a person pushed to GitHub from this browser.

import { signal } from '@preact/signals';
import { GitgateError } from 'gitgate';
import type { Json } from 'gitgate';
import { GitHub } from 'gitgate/extension';

import { number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { metas } from './meta.js';
import { token } from './token.js';
import { problem } from './toast.js';
import type { Problem } from './toast.js';

interface Wanted {
  sandbox: string;
  repo: string;
  branch: string;
  title: string;
}

export type Proposal = Wanted &
  ({ state: 'opening' } | { state: 'open'; number: number; address: string } | { state: 'failed'; problem: Problem });

/** The pull request of the last finished push. */
export const proposal = signal<Proposal | undefined>(undefined);

const MOST = 2048;

interface Answer {
  status: number;
  body: Json;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // A proxy may answer with a page of its own. The status tells what that means.
    return null;
  }
}

async function ask(hub: GitHub, method: string, path: string, body?: object): Promise<Answer> {
  const sent = body && new TextEncoder().encode(JSON.stringify(body));
  const request = { forge: 'github', method, path, moves: false, ...(sent && { body: sent }) };
  const answer = await hub.send(request, new AbortController().signal);
  if (answer.tag !== 'response') throw new GitgateError('lost', 'GitHub did not answer', 'try again');
  const { status, body: bytes } = answer.val;
  return { status, body: parsed(new TextDecoder().decode(bytes)) };
}

/** The body of a successful answer. */
function taken({ status, body }: Answer): Row {
  if (status >= 200 && status < 300) return row(body);
  const said = text(row(body).message) || `status ${status}`;
  const hint = 'The token needs write access to pull requests';
  throw new GitgateError('refused', `GitHub did not open the pull request: ${said}`, hint);
}

async function open({ sandbox, repo, branch: head, title }: Wanted): Promise<{ number: number; address: string }> {
  const base = metas.value[sandbox]?.base;
  const hub = new GitHub({ ...(base && { base }), token: () => token(sandbox) });
  const into = text(taken(await ask(hub, 'GET', `/repos/${repo}`)).default_branch);
  if (into === head) {
    throw new GitgateError('usage', `${head} is the branch that pull requests go to`, 'Push to a new branch');
  }
  const answer = await ask(hub, 'POST', `/repos/${repo}/pulls`, { title, head, base: into, body: '' });
  let found: Row;
  if (answer.status === 422) {
    // One exists already: GitHub opens no second one for the same branches.
    const query = new URLSearchParams({ state: 'open', head: `${repo.split('/')[0]}:${head}`, base: into });
    const there = await ask(hub, 'GET', `/repos/${repo}/pulls?${query.toString()}`);
    found = rows(there.body)[0] ?? taken(answer);
  } else found = taken(answer);
  const address = text(found.html_url);
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(address) || address.length > MOST) {
    throw new GitgateError('lost', 'GitHub did not say where the pull request is', 'Look for it at GitHub');
  }
  return { number: number(found.number), address };
}

export async function propose({ sandbox, repo, branch, title }: Wanted): Promise<void> {
  const wanted = { sandbox, repo, branch, title };
  const opening: Proposal = { ...wanted, state: 'opening' };
  proposal.value = opening;
  const show = (end: Proposal): void => {
    if (proposal.value === opening) proposal.value = end;
  };
  try {
    show({ ...wanted, state: 'open', ...(await open(wanted)) });
  } catch (error) {
    show({ ...wanted, state: 'failed', problem: problem(error) });
  }
}
