import type { CallOptions, Json, Reply, ToolArguments, ToolName } from 'gitgate';

import { need } from './session.js';

/**
 * A call with a tool and arguments that a person wrote. The component checks both, so it answers an unknown
 * tool as it would any agent.
 */
export function call(tool: string, args: { [name: string]: Json }, options: CallOptions): Promise<Reply> {
  const name = tool as ToolName;
  return need().call(name, args as unknown as ToolArguments[ToolName], { as: 'agent', ...options });
}
