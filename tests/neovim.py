"""Neovim in a terminal of its own, with the language server, and what it shows as HTML.

For the pictures of the manual: needs Debian's package neovim, 0.7 or newer, and the library pyte.
"""

from __future__ import annotations

import fcntl
import html
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pyte

from tests.terminal import HANG

SIZE = (100, 18)  # columns and lines
_COLORS = {
    "Normal": "guifg=#24292f guibg=#fbfbfc",
    "SignColumn": "guibg=#fbfbfc",
    "LineNr": "guifg=#8b949e",
    "EndOfBuffer": "guifg=#fbfbfc guibg=#fbfbfc",
    "Label": "guifg=#0b57a4 gui=none",
    "String": "guifg=#19692c guibg=none gui=none",
    "Number": "guifg=#7a5900 guibg=none gui=none",
    "Boolean": "guifg=#7a5900 guibg=none gui=none",
    "Delimiter": "guifg=#24292f guibg=none gui=none",
    "Error": "guifg=#b3261e guibg=none gui=none",
    "Pmenu": "guifg=#24292f guibg=#e8eaed",
    "StatusLine": "guifg=#d7dade guibg=#24292f",
    "DiagnosticError": "guifg=#b3261e",
}
_CONFIGURATION = """
vim.opt.number, vim.opt.signcolumn, vim.opt.swapfile, vim.opt.ruler = true, "yes", false, false
vim.opt.termguicolors, vim.opt.completeopt, vim.opt.background = true, "menuone,noselect", "light"
COLORS
vim.diagnostic.config({ virtual_text = { prefix = "●", spacing = 2 } })
vim.api.nvim_create_autocmd("FileType", { pattern = "json", callback = function()
  local client = vim.lsp.start_client({
    name = "widgetschema", cmd = { COMMAND }, root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)
  vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
end })
"""


class Neovim:
    """The editor with a file; a context in which keys are pressed and looked at."""

    def __init__(self, file: Path) -> None:
        columns, lines = SIZE
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        command = ", ".join(f'"{one}"' for one in (sys.executable, "-m", "widgetschema", "lsp"))
        configuration = file.parent / "init.lua"
        colors = "\n".join(f'vim.cmd("highlight {name} {how}")' for name, how in _COLORS.items())
        text = _CONFIGURATION.replace("COMMAND", command).replace("COLORS", colors)
        configuration.write_text(text)
        self._process = subprocess.Popen(
            ["nvim", "-u", configuration.name, "-n", file.name],
            cwd=file.parent,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Neovim:
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def wait_for(self, text: str) -> None:
        """Wait until a text is on the screen."""
        while not any(text in line for line in self.screen.display):
            ready, _, _ = select.select([self._ours], [], [], HANG)
            assert ready, "\n".join(self.screen.display)
            self._stream.feed(os.read(self._ours, 65_536))

    def as_html(self) -> str:
        """Return what is on the screen, each line with its colors."""
        lines = []
        for number in range(self.screen.lines):
            row, parts = self.screen.buffer[number], []
            for column in range(self.screen.columns):
                cell = row[column]
                front, back = _color(cell.fg, "24292f"), _color(cell.bg, "fbfbfc")
                if cell.reverse:
                    front, back = back, front
                weight = ";font-weight:bold" if cell.bold else ""
                style = f"color:#{front};background:#{back}{weight}"
                parts.append((style, cell.data))
            lines.append(_spans(parts))
        return "\n".join(lines)


def _color(name: str, default: str) -> str:
    if name == "default":
        return default
    if len(name) == 6 and all(one in "0123456789abcdef" for one in name.lower()):
        return name
    return {"red": "b3261e", "green": "19692c", "brown": "7a5900", "blue": "0b57a4"}.get(
        name, default
    )


def _spans(parts: list[tuple[str, str]]) -> str:
    done, last = [], ""
    for style, character in parts:
        if style != last:
            done.append(f'{"</span>" if last else ""}<span style="{style}">')
            last = style
        done.append(html.escape(character))
    return "".join(done) + "</span>"
