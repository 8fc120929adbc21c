"""The commands, one file each; helper modules stand beside the command that they help."""
