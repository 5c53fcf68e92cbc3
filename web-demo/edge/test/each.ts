// Tests that hold on each server of the interface.

import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';

import { Hub } from '../../sdk/test/hub.js';
import type { Api } from './api.js';
import { NATIVE, edge, native } from './bodies.js';
import type { Body, Vars } from './bodies.js';

const IDENTITY = 'Ada <ada@example.org>';

/** A sandbox, and a token of each role. */
export interface Scene {
  api: Api;
  owner: string;
  reviewer: string;
  agent: string;
}

/** A running server, and the fake GitHub that it reaches. Both live as long as a test. */
export class Here {
  #running: { body: Body; hub: Hub } | undefined;

  get #both(): { body: Body; hub: Hub } {
    return this.#running ?? assert.fail('it does not run');
  }

  get body(): Body {
    return this.#both.body;
  }

  get hub(): Hub {
    return this.#both.hub;
  }

  /** A sandbox with the repository's content. */
  async scene(sandbox: string, more: { depth?: number } = {}): Promise<Scene> {
    const { api } = this.body;
    const from = { github: 'ada/project', ...more };
    const owner = await api.create({ name: sandbox, from, identity: IDENTITY, pushTo: 'main' });
    const [reviewer, agent] = [await api.token(sandbox, owner, 'reviewer'), await api.token(sandbox, owner, 'agent')];
    return { api, owner, reviewer, agent };
  }

  async start(started: (github: string, more?: Vars) => Promise<Body>, more?: Vars): Promise<void> {
    const hub = await Hub.start();
    this.#running = { hub, body: await started(hub.base, more) };
  }

  async stop(): Promise<void> {
    await this.#running?.body.stop();
    this.#running?.hub.close();
  }
}

/** Describes the tests for each of them, by its name, with these variables. */
export function each(tests: (here: Here, name: string) => void, more?: Vars): void {
  for (const [name, started] of Object.entries({ edge, native })) {
    const skip = name === 'native' && NATIVE === undefined && 'cargo xtask test names the command';
    describe(name, { skip }, () => {
      const here = new Here();
      before(() => here.start(started, more));
      after(() => here.stop());
      tests(here, name);
    });
  }
}
