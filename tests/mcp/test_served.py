"""`gitgate serve` as the official client sees it: sandboxes that HTTP made, each at its own address."""

import json
import subprocess
import unittest
from contextlib import asynccontextmanager

import httpx2
from world import GITGATE, World, error


class Served(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)

    @asynccontextmanager
    async def agent(self, mode):
        """A client of a sandbox that was made for it, with an agent's token."""
        words = [GITGATE, "serve", "--json", "--listen=127.0.0.1:0"]
        world = self.world
        server = subprocess.Popen(words, cwd=world.folder, env=world.environment, stdout=subprocess.PIPE, text=True)
        try:
            told = json.loads(server.stdout.readline())
            name = f"served-{mode}"
            async with httpx2.AsyncClient(base_url=told["url"], timeout=60) as http:
                operator = {"Authorization": f"Bearer {told['token']}"}
                made = await http.post("/sandboxes", headers=operator, json={"name": name, "identity": "Ada <ada@example.org>"})
                made.raise_for_status()
                token = await http.post(f"/sandboxes/{name}/tokens", headers=operator, json={"role": "agent"})
                token.raise_for_status()
            place = {"url": f"{told['url']}/sandboxes/{name}/mcp", "token": token.json()["token"]}
            async with world.http(place, mode=mode) as client:
                yield client
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()

    async def test_an_agent_works_in_it_by_every_way_of_the_client(self):
        for mode in ["auto", "legacy", "2026-07-28"]:
            with self.subTest(mode=mode):
                async with self.agent(mode) as agent:
                    names = [tool.name for tool in (await agent.list_tools()).tools]
                    self.assertIn("git_stage", names)
                    written = await agent.call_tool("write_file", {"path": "a.md", "content": "one\n"})
                    self.assertFalse(written.is_error)
                    await agent.call_tool("git_stage", {"files": ["a.md"], "message": "Write a file"})
                    status = await agent.call_tool("git_status", {})
                    self.assertEqual(len(status.structured_content["staged"]), 1)
                    missing = error(await agent.call_tool("read_file", {"path": "none.md"}))
                    self.assertEqual(missing["kind"], "not-found")
