// A review of three rounds that every screen and every server plays: the same is proposed, and the same is read.

import { readFileSync } from 'node:fs';

export interface Rounds {
  path: string;
  /** The file in each round, and the message of its commit. */
  contents: [string, string, string];
  messages: [string, string, string];
  /** What a person says in the first round, and the agent's answer to it. */
  comment: { line: number; text: string };
  answer: string;
  /** Why changes are asked for, in the first two rounds. */
  reasons: [string, string];
  /** The agent's texts of these rounds, as `told` gives them. */
  told: [string, string];
  /** What is new in the file since the round before. */
  since: [string, string];
}

/** The tests of the terminal read the same file. */
export const ROUNDS: Rounds = JSON.parse(
  readFileSync(new URL('../../../../sdk/test/rounds.json', import.meta.url), 'utf8'),
);

/** What an agent is told, without what differs from one body to the next: the target, the comment's id, and who made it. */
export const told = (text: string): string =>
  text.replace(/^To \S+$/m, 'To TARGET').replace(/push to \S+ \(/g, 'push to TARGET (').replace(/^\[[0-9a-f]+\] (.*) by .*$/gm, '[ID] $1 by WHO');
