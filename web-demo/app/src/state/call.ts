import type { CallOptions, Json, Reply, ToolArguments, ToolName } from 'gitgate';

import { need } from './session.js';

/**
 * A call whose tool and arguments a person has written. The component checks both, so that an
 * unknown tool is answered as it is to any agent.
 */
export function call(tool: string, args: { [name: string]: Json }, options: CallOptions): Promise<Reply> {
  const name = tool as ToolName;
  return need().call(name, args as unknown as ToolArguments[ToolName], { as: 'agent', ...options });
}
