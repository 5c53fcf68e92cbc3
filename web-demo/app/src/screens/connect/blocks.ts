// The commands and files that a person copies to connect an agent, ready to use.

export const CLIENTS = ['claude-code', 'cursor', 'vscode'] as const;
export type Client = (typeof CLIENTS)[number];
export const CLIENT_NAMES: { [client in Client]: string } = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
};
const FILES: { [client in Client]: string } = {
  'claude-code': '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
};

export interface Block {
  /** The name of the file, or the place to run the commands. */
  title: string;
  code: string;
}

const json = (value: object): string => JSON.stringify(value, undefined, 2);

function config(client: Client, server: object): Block {
  const servers = { gitgate: server };
  return { title: FILES[client], code: json(client === 'vscode' ? { servers } : { mcpServers: servers }) };
}

/** The client starts gitgate itself. */
export const stdioConfig = (client: Client, sandbox: string): Block =>
  config(client, { type: 'stdio', command: 'gitgate', args: ['-s', sandbox, 'mcp'] });

/** The client connects to a server. Cursor recognizes that by the address. */
export function httpConfig(client: Client, url: string): Block {
  const type = client === 'cursor' ? {} : { type: 'http' };
  return config(client, { ...type, url: `${url}/mcp`, headers: { Authorization: 'Bearer AGENT-TOKEN' } });
}

const post = (url: string, token: string, body: string): string =>
  [`curl ${url}`, `-H 'Authorization: Bearer ${token}'`, `-H 'Content-Type: application/json'`, `-d '${body}'`].join(
    ' \\\n  ',
  );

export const newSandbox = (origin: string): string =>
  post(`${origin}/sandboxes`, 'OPERATOR-TOKEN', '{"name": "work", "from": {"github": "owner/repo"}}');

/** Valid for a day. */
export const agentToken = (url: string, by: string): string =>
  post(`${url}/tokens`, by, '{"role": "agent", "expiresIn": 86400}');

export const ASSISTED = `[tools.git]
push = "assisted"`;

export const OPEN = `import { openSandbox, opfs } from 'gitgate';

const sandbox = await openSandbox({
  name: 'website',
  storage: opfs(),
  identity: 'Ada <ada@example.org>',
  push: 'assisted',
  from: { github: 'ada/website' },
  github: { token: () => sessionStorage.getItem('token') ?? undefined },
});`;

export const WORK = `const tools = await sandbox.tools();   // names and schemas, for your model
const reply = await sandbox.call('read_file', { path: 'README.md' });
if (reply.outcome === 'done') console.log(reply.text);`;

export const DECIDE = `sandbox.onQuestion(async (question, signal) => {
  if (question.about === 'call') return { say: 'approve' };
  show(question.push.push);              // summary, warnings, diff, digest
  return (await isFine(signal)) ? { say: 'approve' } : { say: 'reject', reason: 'Rename it first' };
});`;

export const REMOTE = `import { connectSandbox } from 'gitgate';

const sandbox = await connectSandbox('https://HOST/sandboxes/website', token);`;

export const PAGE = `const agent = await window.gitgate.connect({ name: 'My agent' });
const reply = await agent.call('read_file', { path: 'README.md' });
await agent.call('git_push', { commitId: 'HEAD' }, { wait: 'ask' });   // returns when you have decided`;
