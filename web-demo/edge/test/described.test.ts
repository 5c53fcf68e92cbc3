// The interface does what openapi.json says: schemathesis generates requests from the description, with a
// token of each role, and checks the answers. GITGATE_EXAMPLES says how many random requests it makes for
// each operation, and GITGATE_SEED selects them. With GITGATE_FULL every role asks each server, and otherwise
// two roles each: the same code answers.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import { OPERATOR } from './bodies.js';
import { each } from './each.js';

const SCHEMATHESIS = process.env['GITGATE_TEST_SCHEMATHESIS'];
const skip = SCHEMATHESIS === undefined && 'GITGATE_TEST_SCHEMATHESIS names the program';
const EXAMPLES = process.env['GITGATE_EXAMPLES'] ?? '5';
const IS_FULL = process.env['GITGATE_FULL'] !== undefined;
const ROLES = ['operator', 'owner', 'reviewer', 'agent'] as const;
const SEED = process.env['GITGATE_SEED'] ?? '1';

/** Packet lines are not what can be drawn from a description. git itself asks for these. */
const GITS = ['/git/{name}/info/refs', '/git/{name}/git-upload-pack', '/git/{name}/git-receive-pack'];

/** A request of the described shape may still be refused, but not with 400, which means a wrong shape. */
const REFUSED = ['2xx', '401', '403', '404', '409', '422', '429', '503'];

/**
 * Requests concern this sandbox. MCP has a specification of its own for its messages, and it requires 400.
 * Events never end, so the test listens for a second.
 */
const settings = (sandbox: string): string => `
[parameters]
"path.name" = "${sandbox}"

[checks]
positive_data_acceptance.expected-statuses = ${JSON.stringify(REFUSED)}

[[operations]]
include-path = "/sandboxes/{name}/mcp"
checks.positive_data_acceptance.expected-statuses = ${JSON.stringify([...REFUSED, '400'])}

[[operations]]
include-path = "/sandboxes/{name}/events"
request-timeout = 1.0
`;

/** Fails with its output, if it finds something. */
async function schemathesis(t: TestContext, url: string, token: string, sandbox: string, but: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-described-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'schemathesis.toml'), settings(sandbox));
  const drawn = ['--max-examples', EXAMPLES, '--seed', SEED, '--suppress-health-check', 'all'];
  const args = ['run', `${url}/openapi.json`, '--header', `Authorization: Bearer ${token}`, '--no-color', ...drawn];
  const child = spawn(SCHEMATHESIS ?? '', [...args, ...but.flatMap((path) => ['--exclude-path', path])], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, warned, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => child.once('close', resolve).once('error', reject)),
  ]);
  assert.equal(code, 0, said + warned);
  const cases = /(\d+) generated/.exec(said)?.[1];
  assert.ok(Number(cases) > 100, said);
  t.diagnostic(`${cases} requests`);
}

each((here, name) => {
  const asking = ROLES.filter((_, at) => IS_FULL || (at % 2 === 0) === (name === 'edge'));
  for (const role of asking) {
    test(`what is asked with a token of role ${role} is answered as it is described`, { skip }, async (t) => {
      const sandbox = `described-${role}`;
      const { api, ...tokens } = await here.scene(sandbox);
      await api.stage(sandbox, tokens.agent, 'a.md');
      await api.call(sandbox, tokens.agent, 'git_push', { commitId: 'HEAD' });
      const before = here.hub.head;
      const token = role === 'operator' ? OPERATOR : tokens[role];
      // An owner would lose the sandbox. The operator tries this one.
      const but = role === 'owner' ? [...GITS, '/sandboxes/{name}/removal'] : GITS;
      await schemathesis(t, api.url, token, sandbox, but);
      assert.equal(here.hub.head, before, 'nobody has seen a digest, and nothing has left');
    });
  }
});
