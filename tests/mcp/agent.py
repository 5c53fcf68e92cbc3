"""A scripted agent, as `gitgate run` starts one: it knows what is in its folder, and nothing else."""

import asyncio
import json
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters


async def main():
    assert "git_stage" in Path("AGENTS.md").read_text()
    told = {name for name in os.environ if name.startswith(("GITHUB_", "GH_TOKEN", "GITGATE_", "SSH_"))}
    assert not told, told
    (server,) = json.loads(Path(".mcp.json").read_text())["mcpServers"].values()
    parameters = StdioServerParameters(command=server["command"], args=server["args"], env=dict(os.environ))
    async with Client(parameters) as client:
        await client.call_tool("write_file", {"path": "agent.md", "content": "by the agent\n"})
        await client.call_tool("git_stage", {"files": ["agent.md"], "message": "Write what was asked for"})
        if "--propose" in sys.argv:
            pushed = await client.call_tool("git_push", {"commitId": "HEAD"})
            print(pushed.meta["gitgate/error"]["kind"])


asyncio.run(main())
