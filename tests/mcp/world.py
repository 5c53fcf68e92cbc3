"""A repository, a home with a sandbox of it, and the two sides: an agent's client and the person."""

import json
import os
import re
import subprocess
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

GITGATE = os.environ["GITGATE_BIN"]

# A test is no terminal. A person who lets scripts decide says so.
SETTINGS = """
[approval]
without_terminal = true
[tools.git]
push = "assisted"
[mcp]
wait_seconds = 0
[notify]
desktop = false
"""


class World:
    """One home, one repository that its sandbox is of, and commands in them."""

    def __init__(self, settings=SETTINGS):
        self._folder = tempfile.TemporaryDirectory(prefix="gitgate-mcp-")
        self.folder = Path(self._folder.name).resolve()
        self.repository = self.folder / "project"
        self.home = self.folder / "home"
        # What the environment has besides.
        self.more = {}
        self.repository.mkdir()
        self.home.mkdir()
        (self.home / "gitgate.toml").write_text(settings)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.org")
        (self.repository / "README.md").write_text("# Project\n")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message=Begin")
        # The branch that is pushed to is not checked out.
        self.git("checkout", "--quiet", "--detach")
        self.person("new", "--push-to", "origin", "--from", f"local:{self.repository}#main")

    def close(self):
        self._folder.cleanup()

    @property
    def environment(self):
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME") if name in os.environ}
        kept |= self.more
        return {**kept, "GITGATE_HOME": str(self.home), "GITGATE_SANDBOX": "default", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}

    def git(self, *words):
        run = subprocess.run(["git", *words], cwd=self.repository, env=self.environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def run(self, *words):
        return subprocess.run([GITGATE, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def person(self, *words):
        """A command of the person's, which has to succeed."""
        run = self.run(*words)
        assert run.returncode == 0, (words, run.stdout, run.stderr)
        return run.stdout

    def waiting(self):
        """The ids of the calls that wait."""
        return re.findall(r"^([0-9a-f]{8})  ", self.person("review"), re.MULTILINE)

    def approve(self, call):
        """Looks at a push, and approves what was shown."""
        digest = re.search(r"^Digest: (\S+)$", self.run("review", call).stdout, re.MULTILINE)
        return self.person("review", call, "--approve", digest.group(1))

    def reject(self, call, reason):
        return self.person("review", call, "--reject", reason)

    @asynccontextmanager
    async def stdio(self, *options, sandbox="default", mode="auto", **more):
        """A client that starts the server, as most do."""
        args = ["-s", sandbox, "mcp", "--structured", *options]
        server = StdioServerParameters(command=GITGATE, args=args, env=self.environment, cwd=self.folder)
        async with Client(server, mode=mode, **more) as client:
            yield client

    @asynccontextmanager
    async def served(self, *options):
        """The server over HTTP: what it says of each sandbox, by its name."""
        words = [GITGATE, "mcp", "--http", "--json", "--structured", *options]
        server = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            count = 1 + options.count("--also")
            lines = [json.loads(server.stdout.readline()) for _ in range(count)]
            yield {line["sandbox"]: line for line in lines}
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()

    @asynccontextmanager
    async def http(self, place, mode="auto", **more):
        """A client of a served sandbox."""
        headers = {"Authorization": f"Bearer {place['token']}", "gitgate-structured": "true"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with Client(streamable_http_client(place["url"], http_client=http), mode=mode, **more) as client:
                yield client


def text(result):
    return "".join(block.text for block in result.content)


def error(result):
    """The kind, message and hint of a call that failed."""
    assert result.is_error, text(result)
    return result.meta["gitgate/error"]
