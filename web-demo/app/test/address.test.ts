// A person's input where the page asks for a repository or a server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAddress } from '../src/screens/start/address.js';

const github = (repo: string, more: { branch?: string; base?: string } = {}) => ({ kind: 'github', repo, ...more });

test('a repository at GitHub is read however people write it', () => {
  for (const text of [
    'ada/project',
    ' ada/project/ ',
    'ada/project.git',
    'github.com/ada/project',
    'www.github.com/ada/project',
    'https://github.com/ada/project',
    'HTTPS://GitHub.com/ada/project/',
    'https://github.com/ada/project.git',
    'https://github.com/ada/project.git/',
    'http://github.com/ada/project',
    'https://ada@github.com/ada/project.git',
    'https://github.com/ada/project?tab=readme-ov-file#install',
    'https://github.com/ada/project/pull/3/files',
    'https://github.com/ada/project/tree/',
    'git@github.com:ada/project.git',
    'git@github.com:ada/project',
    'github.com:ada/project.git',
    'ssh://git@github.com/ada/project',
    'ssh://git@ssh.github.com:443/ada/project.git',
    'git://github.com/ada/project.git',
    'github:ada/project',
  ]) {
    assert.deepEqual(readAddress(text), github('ada/project'), text);
  }
  assert.deepEqual(readAddress('a-b_c/.github'), github('a-b_c/.github'));
});

test('a branch in the address is the branch that it names, with its slashes', () => {
  for (const text of [
    'https://github.com/ada/project/tree/topic/one',
    'github.com/ada/project/tree/topic/one/',
    'https://github.com/ada/project/tree/topic%2Fone?x=1',
    'ada/project#topic/one',
    'github:ada/project#topic/one',
  ]) {
    assert.deepEqual(readAddress(text), github('ada/project', { branch: 'topic/one' }), text);
  }
});

test('a repository at another host is one of GitHub Enterprise', () => {
  const base = 'https://git.example.org/api/v3';
  for (const text of [
    'https://git.example.org/ada/project',
    'git.example.org/ada/project.git',
    'git@git.example.org:ada/project.git',
    'ssh://git@git.example.org:2222/ada/project',
  ]) {
    assert.deepEqual(readAddress(text), github('ada/project', { base }), text);
  }
  assert.deepEqual(
    readAddress('https://git.example.org:8443/ada/project/tree/x'),
    github('ada/project', { branch: 'x', base: 'https://git.example.org:8443/api/v3' }),
  );
  assert.deepEqual(
    readAddress('http://localhost:9000/ada/project'),
    github('ada/project', { base: 'http://localhost:9000/api/v3' }),
  );
});

test('the address of a sandbox on a server is a server', () => {
  const url = 'http://127.0.0.1:8420/sandboxes/fix';
  for (const text of [url, `${url}/`, ` ${url} `, `${url}/mcp`, '127.0.0.1:8420/sandboxes/fix']) {
    assert.deepEqual(readAddress(text), { kind: 'server', url }, text);
  }
  assert.deepEqual(readAddress('https://example.org/gate/sandboxes/fix'), {
    kind: 'server',
    url: 'https://example.org/gate/sandboxes/fix',
  });
});

test('what is neither is told with what to write instead', () => {
  for (const [text, message, hint] of [
    ['', /Enter a repository/, /owner\/repo/],
    ['ada', /'ada' is not a repository/, /owner\/repo/],
    ['https://github.com/ada', /names no repository/, /owner\/repo/],
    ['https://github.com', /names no repository/, /owner\/repo/],
    ['ada/pro ject', /'ada\/pro ject' is not a repository/, /owner\/repo/],
    ['-ada/project', /is not a repository/, /owner\/repo/],
    ['ada/..', /is not a repository/, /owner\/repo/],
    ['ada/project/src', /is not a repository/, /owner\/repo/],
    ['/home/ada/project', /on your computer/, /Drop/],
    ['./project', /on your computer/, /Drop/],
    ['~/project', /on your computer/, /Drop/],
    ['C:\\work\\project', /on your computer/, /Drop/],
    ['file:///home/ada/project', /on your computer/, /Drop/],
    ['http://127.0.0.1:8420', /names no sandbox/, /http:\/\/127\.0\.0\.1:8420\/sandboxes\/NAME/],
    ['http://127.0.0.1:8420/sandboxes/', /names no sandbox/, /sandboxes\/NAME/],
    ['http://git.example.org/ada/project', /not https/, /https:\/\/git\.example\.org\/ada\/project/],
    ['http://example.org/sandboxes/fix', /not https/, /https:\/\/example\.org\/sandboxes\/fix/],
    ['https://gitlab.com/ada/project', /GitLab lets no page in/, /bundle/],
    ['https://gist.github.com/ada/0123', /gist/i, /bundle/],
    ['ftp://example.org/ada/project', /ftp/, /https/],
  ] as const) {
    assert.throws(() => readAddress(text), { kind: 'usage', message, hint }, text);
  }
});
