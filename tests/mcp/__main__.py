"""Runs the tests of this folder. Names of tests, or of files, choose some."""

import logging
import sys
import unittest
from pathlib import Path

# A slow machine is nothing to tell of.
logging.getLogger("asyncio").setLevel(logging.ERROR)
here = Path(__file__).parent
sys.path.insert(0, str(here))
tests = unittest.defaultTestLoader.discover(str(here))
if names := sys.argv[1:]:

    def chosen(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                yield from chosen(test)
            elif any(name in test.id() for name in names):
                yield test

    tests = unittest.TestSuite(list(chosen(tests)))
done = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
sys.exit(not done.wasSuccessful())
