// Scripts of agents, on each server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { words } from './api.js';
import { each } from './each.js';

/** What agents run, and what it prints. */
const SCRIPTS: [string, string][] = [
  ['tr a-z A-Z < README.md; printf "%s\\n" b a c | sort | head -2', '# PROJECT\na\nb\n'],
  ['for i in 1 2 3; do echo $((i * i)); done | paste -sd+ | bc', '14\n'],
  ['cd /tmp && seq 1000 | awk \'{ s += $1 } END { print s }\' > sum && cat sum', '500500\n'],
  ['pwd; echo \'{"n": [1, 2]}\' | jq -c ".n | map(. + 1)"; rg -c 5 sum', '/tmp\n[2,3]\n1\n'],
  ['curl http://x; echo $?', '127\nbash: line 1: curl: command not found'],
  ['cd /workspace; cat .git/config 2> /dev/null; echo more >> README.md; git status -s', ' M README.md\n'],
];

each((here, name) => {
  test('an agent works by scripts, one of them pushes, and what a person approves lands', async () => {
    const { api, owner, agent } = await here.scene('scripts');
    const run = async (command: string) => (await api.call('scripts', agent, 'bash', { command })).body;
    for (const [command, printed] of SCRIPTS) {
      const text = words((await run(command))['text']);
      assert.equal(text.slice(0, printed.length), printed, `${name}: ${command}`);
    }
    await run('git commit -qam "Say more"');
    const told = await run('git push && echo asked');
    assert.match(words(told['text']), /^asked\ngit push: [^]*`git push` by itself[^]*\[exit code 1\]\n$/);
    assert.equal(told['structured']?.['push']?.['status'], 'pending');
    const asked = await api.ask('POST', '/sandboxes/scripts/pushes', owner, {});
    const digest = words(asked.body['push']?.['digest']);
    const pushed = await api.ask('POST', '/sandboxes/scripts/pushes', owner, { digest });
    assert.equal(pushed.body['structured']?.['status'], 'success', pushed.text);
    assert.match(words((await run('git push'))['text']), /^To github:ada\/project\n/);
    assert.equal(here.hub.files()['README.md'], '# Project\nmore\n');
  });
});
