"""The main job: an agent works and proposes, the person rejects and approves at another terminal."""

import asyncio
import unittest

from world import World, error, text


class MainJob(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)

    async def until_one_waits(self):
        """The id of the call that waits, once there is one."""
        while True:
            waiting = await asyncio.to_thread(self.world.waiting)
            if waiting:
                return waiting[0]
            await asyncio.sleep(0.05)

    async def play(self, agent):
        read = await agent.call_tool("read_file", {"path": "README.md"})
        self.assertEqual((text(read), read.structured_content["content"]), ("# Project\n", "# Project\n"))
        await agent.call_tool("edit_file", {"path": "README.md", "old": "Project", "new": "projekt"})
        await agent.call_tool("git_stage", {"files": ["README.md"], "message": "Rename"})

        heard = []

        async def hear(progress, total, message):
            heard.append(message)

        push = asyncio.create_task(agent.call_tool("git_push", {"commitId": "HEAD"}, progress_callback=hear))
        call = await self.until_one_waits()
        # While one call waits, others are made.
        self.assertIn("Rename", text(await agent.call_tool("git_log", {"oneline": True})))
        await asyncio.to_thread(self.world.reject, call, "It is spelt 'project'")
        rejected = error(await push)
        self.assertEqual((rejected["kind"], rejected["reason"]), ("rejected", "It is spelt 'project'"))
        self.assertIn(f"review {call}", heard[0])

        await agent.call_tool("edit_file", {"path": "README.md", "old": "projekt", "new": "Our project"})
        await agent.call_tool("git_stage", {"files": ["README.md"], "message": "Spell it right"})
        push = asyncio.create_task(agent.call_tool("git_push", {"commitId": "HEAD"}))
        call = await self.until_one_waits()
        await asyncio.to_thread(self.world.approve, call)
        pushed = await push
        self.assertFalse(pushed.is_error, text(pushed))
        self.assertEqual(pushed.structured_content["status"], "success")
        self.assertEqual(self.world.git("show", "main:README.md"), "# Our project")
        self.assertEqual(self.world.git("log", "--format=%s", "main").splitlines(), ["Spell it right", "Rename", "Begin"])

    async def test_over_standard_input_and_output(self):
        async with self.world.stdio("--wait", "60") as agent:
            await self.play(agent)

    async def test_over_standard_input_and_output_with_a_handshake(self):
        async with self.world.stdio("--wait", "60", mode="legacy") as agent:
            await self.play(agent)

    async def test_over_http(self):
        async with self.world.served("--wait", "60") as places:
            async with self.world.http(places["default"]) as agent:
                await self.play(agent)

    async def test_over_http_with_a_session(self):
        async with self.world.served("--wait", "60") as places:
            async with self.world.http(places["default"], mode="legacy") as agent:
                await self.play(agent)

    async def test_a_call_that_is_called_off_while_it_waits_still_waits_for_the_person(self):
        async with self.world.stdio("--wait", "60") as agent:
            await agent.call_tool("write_file", {"path": "a.md", "content": "a\n"})
            await agent.call_tool("git_stage", {"files": ["a.md"], "message": "Add a"})
            push = asyncio.create_task(agent.call_tool("git_push", {"commitId": "HEAD"}))
            call = await self.until_one_waits()
            push.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await push
            status = await agent.call_tool("git_status", {})
            self.assertEqual(len(status.structured_content["staged"]), 1)
            self.assertEqual(self.world.waiting(), [call])
            self.assertEqual(self.world.git("log", "--format=%s", "main"), "Begin")

    async def test_a_push_of_a_script_is_waited_for_and_the_script_runs_once(self):
        async with self.world.stdio("--wait", "60") as agent:
            script = "echo more >> README.md && git commit -qam More && git push && echo asked"
            push = asyncio.create_task(agent.call_tool("bash", {"command": script}))
            call = await self.until_one_waits()
            log = await agent.call_tool("bash", {"command": "tail -1 README.md; git log --oneline | wc -l"})
            self.assertEqual(text(log), "more\n2\n")
            await asyncio.to_thread(self.world.reject, call, "Say what")
            rejected = await push
            self.assertIn("asked\ngit push: Rejected by the user: Say what", text(rejected))
            self.assertEqual(rejected.structured_content["push"]["status"], "failed")

            script = "echo and more >> README.md && git commit -qa --amend -m 'Say more' && git push"
            push = asyncio.create_task(agent.call_tool("bash", {"command": script}))
            await asyncio.to_thread(self.world.approve, await self.until_one_waits())
            pushed = await push
            self.assertEqual(pushed.structured_content["push"]["status"], "success", text(pushed))
            self.assertEqual(self.world.git("log", "--format=%s", "main").splitlines(), ["Say more", "Begin"])
            self.assertEqual(self.world.git("show", "main:README.md").splitlines()[1:], ["more", "and more"])

    async def test_what_waits_comes_back_as_pending_and_the_same_call_goes_on(self):
        async with self.world.stdio() as agent:
            await agent.call_tool("write_file", {"path": "a.md", "content": "a\n"})
            await agent.call_tool("git_stage", {"files": ["a.md"], "message": "Add a"})
            pending = error(await agent.call_tool("git_push", {"commitId": "HEAD"}))
            self.assertEqual(pending["kind"], "pending")
            self.assertIn("make the same call again", pending["hint"])
            self.assertEqual(pending["summary"], ["A a.md (+1)"])
            again = error(await agent.call_tool("git_push", {"commitId": "HEAD"}))
            self.assertEqual(again["kind"], "pending")
            (call,) = self.world.waiting()
            self.world.approve(call)
            pushed = await agent.call_tool("git_push", {"commitId": "HEAD"})
            self.assertEqual(pushed.structured_content["status"], "success")
        self.assertEqual(self.world.git("show", "main:a.md"), "a")


if __name__ == "__main__":
    unittest.main()
