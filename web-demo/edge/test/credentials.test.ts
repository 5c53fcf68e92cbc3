// Who signs in at git servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { credentials } from '../src/credentials.js';

test('the first line for a server counts, and one with a path is for that repository alone', () => {
  const of = credentials(
    [
      'https://ada:one@git.example.org/me/x.git',
      'https://ada:two@Git.Example.Org',
      '',
      'https://ada:three@git.example.org\r',
      'https://a%40b:p%3Aq%2F%25@git.example.org:8443/',
      'http://ada:four@127.0.0.1:3000',
    ].join('\n'),
  );
  for (const [address, username, password] of [
    ['https://git.example.org/me/x.git', 'ada', 'one'],
    ['https://git.example.org/me/x.git2', 'ada', 'two'],
    ['https://git.example.org/x', 'ada', 'two'],
    ['https://git.example.org:8443/x', 'a@b', 'p:q/%'],
    ['http://127.0.0.1:3000/x', 'ada', 'four'],
  ] as const) {
    const { username: who, password: secret } = of(address) ?? assert.fail(address);
    assert.deepEqual([who, secret], [username, password], address);
  }
  for (const address of [
    'http://git.example.org/x',
    'https://git.example.org.evil.example/x',
    'https://example.org/x',
    'http://127.0.0.1/x',
  ]) {
    assert.equal(of(address), undefined, address);
  }
  assert.equal(credentials()('https://git.example.org/x'), undefined);
});

test('a line that is none is named, and not repeated', () => {
  for (const line of [
    'hunter2',
    'https://hunter2@h',
    'https://:hunter2@h',
    'https://ada:hunter2%@h',
    'ssh://ada:hunter2@h',
    'https://ada:hunter2@',
  ]) {
    assert.throws(
      () => credentials(`https://a:b@h\n\n${line}\n`),
      (error: Error) => /^line 3 /.test(error.message) && !`${error.message} ${error.stack}`.includes('hunter2'),
      line,
    );
  }
});
