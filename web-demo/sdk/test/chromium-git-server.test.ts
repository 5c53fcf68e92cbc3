import assert from 'node:assert/strict';

import { both } from './both.js';
import { ADA, repository } from './git-backend.js';

both('a sandbox comes from a git server, and what a person approves goes back', async (page, t) => {
  const { address, git } = await repository(t);
  const seen = await page.evaluate(
    async ({ address, credentials }) => {
      const { openSandbox, memory } = gitgate;
      const asked: string[] = [];
      const sandbox = await openSandbox({
        name: 'one',
        storage: memory(),
        identity: 'Ada <ada@example.org>',
        push: 'assisted',
        from: { git: address },
        git: {
          credentials: async (wanted) => {
            asked.push(wanted);
            return credentials;
          },
        },
      });
      await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
      await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
      const shown: string[] = [];
      sandbox.onQuestion((question) => {
        if (question.about === 'push') shown.push(question.push.push?.target ?? '');
        return { say: 'approve' };
      });
      const pushed = await sandbox.push();
      const audit = await sandbox.audit();
      await sandbox.close();
      return { asked, shown, pushed, audit };
    },
    { address, credentials: ADA },
  );
  assert.equal(seen.pushed.outcome, 'done', JSON.stringify(seen.pushed));
  assert.deepEqual([seen.asked, seen.shown], [[address], [`git:${address}`]]);
  assert.equal(await git('show', 'agent/one:a.md'), 'one\n');
  assert.doesNotMatch(seen.audit, /secret/);
});

both('a git server that asks for a password that nobody has is an error', async (page, t) => {
  const { address } = await repository(t);
  const seen = await page.evaluate(async (address) => {
    const { openSandbox, memory } = gitgate;
    const fields = (error: unknown) => Object.assign({}, error) as { kind: string; hint: string };
    return openSandbox({ name: 'one', storage: memory(), from: { git: address } }).catch(fields);
  }, address);
  assert.ok('kind' in seen && seen.kind === 'not-permitted', JSON.stringify(seen));
});

both('ssh is an error that says what to do', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const fields = (error: Error) => ({ ...error, message: error.message }) as unknown as { [name: string]: string };
    const from = { git: 'git@example.org:ada/x.git' };
    return openSandbox({ name: 'one', storage: memory(), from }).then(() => undefined, fields);
  });
  assert.equal(seen?.['message'], 'ssh cannot be reached from here', JSON.stringify(seen));
  assert.equal(seen?.['hint'], "use the repository's https address");
});
