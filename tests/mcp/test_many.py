"""Many clients at once on one sandbox: what was answered is there."""

import asyncio
import json
import os
import subprocess
import time
import unittest

from world import GITGATE, World

CLIENTS = 16
# A minute in the soak run.
SECONDS = float(os.environ.get("GITGATE_SECONDS", "3"))


class Many(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)

    async def work(self, client, number, until, answered):
        async with client as agent:
            at = 0
            while time.monotonic() < until:
                path = f"{number}/{at}.md"
                written = await agent.call_tool("write_file", {"path": path, "content": f"{number} {at}\n"})
                self.assertFalse(written.is_error, written)
                answered.append(f"/workspace/{path}")
                read = await agent.call_tool("read_file", {"path": path})
                self.assertEqual(read.structured_content["content"], f"{number} {at}\n")
                at += 1

    async def all_is_there(self, answered):
        self.assertGreaterEqual(len(answered), CLIENTS)
        # Another process reads the journal from its beginning.
        async with self.world.stdio() as agent:
            listed = await agent.call_tool("list_files", {"recursive": True, "limit": 200_000})
        there = {entry["path"] for entry in listed.structured_content["entries"]}
        self.assertEqual([path for path in answered if path not in there], [])
        self.assertEqual(self.world.run("fsck").returncode, 0)

    async def test_sixteen_servers_share_a_sandbox(self):
        answered, until = [], time.monotonic() + SECONDS
        await asyncio.gather(*(self.work(self.world.stdio(), at, until, answered) for at in range(CLIENTS)))
        await self.all_is_there(answered)

    async def test_sixteen_clients_share_a_server(self):
        answered = []
        async with self.world.served() as places:
            until = time.monotonic() + SECONDS
            here = places["default"]
            await asyncio.gather(*(self.work(self.world.http(here), at, until, answered) for at in range(CLIENTS)))
        await self.all_is_there(answered)

    def test_a_server_that_is_killed_loses_no_answered_call(self):
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        answered = []
        for kill in range(1, 8):
            server = subprocess.Popen(
                [GITGATE, "mcp"],
                cwd=self.world.folder,
                env=self.world.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            paths = [f"{kill}/{number}.md" for number in range(20)]
            calls = [
                {"id": at, "method": "tools/call", "params": {"name": "write_file", "arguments": {"path": path, "content": path}}}
                for at, path in enumerate(paths, 1)
            ]
            begin = [
                {"id": 0, "method": "initialize", "params": client},
                {"method": "notifications/initialized"},
            ]
            for message in begin + calls:
                server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            for _ in range(1 + kill):
                answer = json.loads(server.stdout.readline())
                if answer["id"] > 0:
                    self.assertNotIn("isError", {key for key, value in answer["result"].items() if value})
                    answered.append(f"/workspace/{paths[answer['id'] - 1]}")
            server.kill()
            server.communicate()
        listed = json.loads(self.world.person("call", "list_files", '{"recursive": true}', "--json"))
        there = {entry["path"] for entry in listed["structured"]["entries"]}
        self.assertEqual([path for path in answered if path not in there], [])
        self.assertEqual(self.world.run("fsck").returncode, 0)


if __name__ == "__main__":
    unittest.main()
