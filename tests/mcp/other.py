"""Another server, as a person mounts it: it counts what is done, in a file that its environment names."""

import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("issues")
done = os.environ["ISSUES_FILE"]


@server.tool()
def list_issues() -> list[str]:
    """List the open issues."""
    return ["It is slow"]


@server.tool()
def close_issue(number: int) -> str:
    """Close an issue."""
    with open(done, "a") as file:
        file.write(f"{number}\n")
    return f"closed {number}"


@server.tool()
def git_status() -> str:
    """Not the status of the sandbox."""
    return "the other status"


assert "SECRET" not in os.environ, "it was not named"
server.run()
