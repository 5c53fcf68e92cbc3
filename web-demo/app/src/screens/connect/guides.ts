// Step-by-step instructions to connect an agent, for each place where it can run.

import {
  ASSISTED,
  CLIENT_NAMES,
  DECIDE,
  OPEN,
  PAGE,
  REMOTE,
  WORK,
  agentToken,
  httpConfig,
  newSandbox,
  stdioConfig,
} from './blocks.js';
import type { Block, Client } from './blocks.js';

export const WAYS = ['native', 'server', 'sdk', 'extension'] as const;
export type Way = (typeof WAYS)[number];
export const WAY_NAMES: { [way in Way]: { title: string; text: string } } = {
  native: { title: 'On this computer', text: 'Claude Code, Cursor or VS Code start gitgate themselves.' },
  server: { title: 'On a server', text: 'Any client that speaks MCP over HTTP. You review here.' },
  sdk: { title: 'In your web app', text: 'The sandbox runs in your page, with the npm package.' },
  extension: { title: 'In the browser', text: 'Agents in web pages. You review in the side panel.' },
};

export interface Step {
  title: string;
  text?: string;
  blocks: Block[];
}

const shell = (code: string, title = 'Terminal'): Block => ({ title, code });
const INSTALL: Step = {
  title: 'Install gitgate',
  text: 'In a clone of the gitgate repository. You need rustup, git and a C linker.',
  blocks: [shell('cargo install --locked --path host-cli')],
};
const PROPOSE: Step = {
  title: 'Let the agent propose pushes',
  text: 'Add this to your settings. Otherwise the agent commits, and you push.',
  blocks: [shell('gitgate config --edit'), { title: 'gitgate.toml', code: ASSISTED }],
};
const BUILD: Block = shell('cargo xtask web --build', 'In a clone of gitgate');

const native = (client: Client): Step[] => [
  INSTALL,
  {
    title: 'Create a sandbox from your repository',
    text: 'Run it in your repository. The sandbox holds what git clone makes.',
    blocks: [shell('gitgate new --from local:.')],
  },
  PROPOSE,
  {
    title: `Connect ${CLIENT_NAMES[client]}`,
    text: 'It shows what it would write and asks first. It also turns the client’s own file and shell tools off, as far as the client allows.',
    blocks: [shell(`gitgate setup ${client}`)],
  },
  {
    title: 'Or write the configuration yourself',
    text: 'If the client does not find gitgate, use its full path: which gitgate prints it. The client keeps its own tools.',
    blocks: [stdioConfig(client, 'default')],
  },
  { title: 'Review what the agent proposes', blocks: [shell('gitgate review')] },
];

/** A sandbox on a server that is open here. */
const atServer = (client: Client, url: string): Step[] => [
  {
    title: 'Create a token for the agent',
    text: 'With the owner’s token of this sandbox. The answer shows the agent’s token once.',
    blocks: [shell(agentToken(url, 'OWNER-TOKEN'))],
  },
  {
    title: `Connect ${CLIENT_NAMES[client]}`,
    text: 'Put the agent’s token where it says AGENT-TOKEN, and keep the file out of git.',
    blocks: [httpConfig(client, url)],
  },
  { title: 'Review here', text: 'What the agent proposes appears at the top of this page.', blocks: [] },
];

function onServer(client: Client): Step[] {
  const origin = 'http://127.0.0.1:8420';
  const url = `${origin}/sandboxes/work`;
  return [
    INSTALL,
    PROPOSE,
    {
      title: 'Start the server',
      text: 'It prints its address and the operator’s token. Put it behind TLS if other computers can reach it.',
      blocks: [shell('gitgate serve')],
    },
    {
      title: 'Create a sandbox, and a token for the agent',
      text: 'The first answer has the owner’s token, the second the agent’s.',
      blocks: [shell(newSandbox(origin)), shell(agentToken(url, 'OPERATOR-TOKEN'))],
    },
    {
      title: `Connect ${CLIENT_NAMES[client]}`,
      text: 'Put the agent’s token where it says AGENT-TOKEN, and keep the file out of git.',
      blocks: [httpConfig(client, url)],
    },
    {
      title: 'Review here',
      text: 'On the start page, enter this address and the owner’s token.',
      blocks: [{ title: 'Address', code: url }],
    },
  ];
}

const SDK: Step[] = [
  {
    title: 'Build and install the package',
    text: 'The package is not on npm yet.',
    blocks: [BUILD, shell('npm install PATH-TO-GITGATE/web-demo/dist/gitgate-0.1.0.tgz', 'In your app')],
  },
  { title: 'Open a sandbox', blocks: [{ title: 'JavaScript', code: OPEN }] },
  { title: 'Give your agent the tools', blocks: [{ title: 'JavaScript', code: WORK }] },
  {
    title: 'Ask a person',
    text: 'Show all texts as plain text: they come from an agent or a repository.',
    blocks: [{ title: 'JavaScript', code: DECIDE }],
  },
  { title: 'Or use a sandbox on a server', blocks: [{ title: 'JavaScript', code: REMOTE }] },
];

const EXTENSION: Step[] = [
  { title: 'Build the extension', text: 'For Chromium 123 or newer.', blocks: [BUILD] },
  {
    title: 'Load it',
    text: 'Open chrome://extensions, turn on “Developer mode”, choose “Load unpacked” and this folder.',
    blocks: [{ title: 'Folder', code: 'web-demo/dist/extension' }],
  },
  {
    title: 'Create a sandbox in the side panel',
    text: 'Click gitgate among the extensions, sign in with a fine-grained token, and choose a repository.',
    blocks: [],
  },
  {
    title: 'Connect from your page',
    text: 'You allow it once in the side panel, and review there what it proposes.',
    blocks: [{ title: 'JavaScript', code: PAGE }],
  },
];

/** `url` is the address of the open sandbox, if it is on a server. */
export function steps(way: Way, client: Client, url: string | undefined): Step[] {
  switch (way) {
    case 'native':
      return native(client);
    case 'server':
      return url === undefined ? onServer(client) : atServer(client, url);
    case 'sdk':
      return SDK;
    case 'extension':
      return EXTENSION;
  }
}

/** Whether the steps differ from client to client. */
export const hasClients = (way: Way): boolean => way === 'native' || way === 'server';
