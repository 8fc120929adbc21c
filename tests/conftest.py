"""The plugin for tests of pytest plugins, which pytest takes from this file alone."""

pytest_plugins = ["pytester"]
