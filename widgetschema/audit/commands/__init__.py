"""The commands of this extension, one module each, with a function `command`."""
