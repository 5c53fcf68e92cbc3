// An agent in a page: its calls, and the results it reads.

const said = document.getElementById('said');

function say(title, text) {
  const item = document.createElement('li');
  const body = document.createElement('pre');
  item.append(title, body);
  body.textContent = text;
  said.append(item);
}

function words(reply) {
  if (reply.outcome === 'done') return reply.text || '(nothing)';
  if (reply.outcome === 'pending') return `pending: ${reply.reason}\n${reply.hint}`;
  return `${reply.kind}: ${reply.message}\n${reply.hint}`;
}

let agent;

async function connected() {
  if (!window.gitgate) throw new Error('there is no gitgate in this browser');
  if (agent) return agent;
  say('It asks to be allowed. Answer in the side panel.', '');
  agent = await window.gitgate.connect({ name: 'Sample agent' });
  say(`It may work in the sandbox ${agent.sandbox}.`, '');
  void agent.closed.then((error) => {
    agent = undefined;
    say('The connection has ended.', `${error.kind}: ${error.message}`);
  });
  return agent;
}

async function call(tool, args, options) {
  const reply = await (await connected()).call(tool, args, options);
  say(`${tool} ${JSON.stringify(args)}`, words(reply));
  return reply;
}

async function work() {
  await call('list_files', {});
  await call('write_file', { path: 'NOTES.md', content: `# Written by an agent\n\n${new Date().toISOString()}\n` });
  await call('git_stage', { files: ['NOTES.md'], message: 'Add a note of the agent' });
  say('It proposes a push, and waits for you.', '');
  await call('git_push', { commitId: 'HEAD' }, { wait: 'ask' });
}

/** Each is refused, with the reason. */
async function cheat() {
  await call('read_file', { path: '../../etc/passwd' });
  await call('write_file', { path: '.git/hooks/pre-push', content: '#!/bin/sh\n' });
  await call('git_push', { commitId: 'HEAD', target: { type: 'github', repo: 'somebody/else' } });
}

for (const [id, play] of Object.entries({ work, cheat })) {
  const button = document.getElementById(id);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await play();
    } catch (error) {
      say('It failed.', `${error.kind ?? error.name}: ${error.message}`);
    } finally {
      button.disabled = false;
    }
  });
}
