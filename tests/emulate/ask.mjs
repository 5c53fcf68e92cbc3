// Asks a stand-in for GitHub in the tests' name: node ask.mjs BASE COMMAND …, with the answer on stdout.

import { execFileSync } from 'node:child_process';

const [base, command, ...rest] = process.argv.slice(2);
const REPOSITORY = '/repos/ada/project';
const DATE = /^(.*) <(.*)> (\d+) ([+-])(\d\d)(\d\d)$/;

let asked = 0;

async function ask(method, path, body) {
  // 5,000 requests an hour are allowed with each, and a large repository takes more.
  const token = `a-token-of-the-loader-${(asked += 1) % 4}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(base + REPOSITORY + path, { method, headers, body: body && JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`);
  return said;
}

function git(folder, ...parameters) {
  return execFileSync('git', ['-C', folder, ...parameters], { maxBuffer: 1 << 28 });
}

function equal(sent, got, what) {
  if (sent !== got.sha) throw new Error(`the ${what} ${sent} became ${got.sha}`);
}

function person(line) {
  const [, name, email, seconds, sign, hours, minutes] = DATE.exec(line);
  const east = (sign === '-' ? -60 : 60) * (60 * Number(hours) + Number(minutes));
  const local = new Date((Number(seconds) + east) * 1000).toISOString();
  return { name, email, date: local.replace('.000Z', `${sign}${hours}:${minutes}`) };
}

// Sends everything that a branch of a repository reaches, and puts the branch there.
async function load(folder, branch) {
  const listed = git(folder, 'rev-list', '--objects', '--reverse', branch).toString().trim().split('\n');
  const ids = listed.map((line) => line.slice(0, 40));
  const kinds = git(folder, 'cat-file', '--batch-all-objects', '--batch-check').toString().trim().split('\n');
  const kind = new Map(kinds.map((line) => line.split(' ')));
  for (const id of ids.filter((id) => kind.get(id) === 'blob')) {
    const content = git(folder, 'cat-file', 'blob', id).toString('base64');
    equal(id, await ask('POST', '/git/blobs', { content, encoding: 'base64' }), 'blob');
  }
  const trees = ids.filter((id) => kind.get(id) === 'tree');
  const sent = new Set();
  const send = async (id) => {
    if (sent.has(id)) return;
    sent.add(id);
    const lines = git(folder, 'ls-tree', id).toString().trim().split('\n').filter(Boolean);
    const tree = lines.map((line) => {
      const [, mode, type, sha, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/.exec(line);
      return { mode, type, sha, path };
    });
    for (const { type, sha } of tree) if (type === 'tree') await send(sha);
    equal(id, await ask('POST', '/git/trees', { tree }), 'tree');
  };
  for (const id of trees) await send(id);
  for (const id of ids.filter((id) => kind.get(id) === 'commit')) {
    const text = git(folder, 'cat-file', 'commit', id).toString();
    const end = text.indexOf('\n\n');
    const fields = text.slice(0, end).split('\n').map((line) => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]);
    const all = (name) => fields.filter(([key]) => key === name).map(([, value]) => value);
    equal(id, await ask('POST', '/git/commits', {
      tree: all('tree')[0],
      parents: all('parent'),
      author: person(all('author')[0]),
      committer: person(all('committer')[0]),
      message: text.slice(end + 2),
    }), 'commit');
  }
  const sha = git(folder, 'rev-parse', branch).toString().trim();
  await ask('PATCH', `/git/refs/heads/${branch}`, { sha, force: true });
}

const commands = {
  load: () => load(...rest),
  // The commit of a branch.
  branch: async (name) => console.log((await ask('GET', `/git/ref/heads/${name}`)).object.sha),
  // The blobs of a branch: mode, id and path.
  files: async (name) => {
    const { object } = await ask('GET', `/git/ref/heads/${name}`);
    const { tree } = await ask('GET', `/git/commits/${object.sha}`);
    const all = await ask('GET', `/git/trees/${tree.sha}?recursive=1`);
    for (const { mode, type, sha, path } of all.tree) if (type !== 'tree') console.log(`${mode} ${sha} ${path}`);
  },
  // Somebody else's commit on a branch.
  write: (name, path, text) =>
    ask('PUT', `/contents/${path}`, { message: `Write ${path}`, content: Buffer.from(text).toString('base64'), branch: name }),
};

await commands[command](...rest);
