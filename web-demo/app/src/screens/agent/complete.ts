// Completes the names of tools and of their arguments, from their schemas.

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';

import { HAND_OVER, tools } from '../../state/agent.js';
import { row, text } from '../../state/json.js';
import type { Json } from 'gitgate';

const schemaOf = (tool: string): Json => {
  const found = tools.value.find(({ name }) => name === tool);
  return found ? (JSON.parse(found.schema) as Json) : {};
};

export function complete(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const named = /^\s*([a-z_]*)$/.exec(before);
  if (named) {
    if (!context.explicit && !named[1]) return null;
    const all = tools.value.map(({ name, description }) => ({ label: name, info: description, apply: `${name} {}` }));
    const hand = { label: HAND_OVER, info: 'Ask the person for a bundle of the branch.', apply: `${HAND_OVER} {}` };
    return { from: context.pos - (named[1]?.length ?? 0), options: [...all, hand] };
  }
  const [, tool = ''] = /^\s*([a-z_]+)\s/.exec(before) ?? [];
  const key = /[{,]\s*"?([A-Za-z_]*)$/.exec(before);
  if (!tool || !key) return null;
  const properties = row(row(schemaOf(tool)).properties);
  const quoted = before.endsWith(`"${key[1]}`);
  const options = Object.entries(properties).map(([label, value]) => ({
    label,
    info: text(row(value).description),
    apply: `${quoted ? '' : '"'}${label}": `,
  }));
  return { from: context.pos - (key[1]?.length ?? 0), options };
}
