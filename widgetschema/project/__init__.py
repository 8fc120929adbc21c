"""A project that is checked: its configuration, inputs, Git, and the run itself."""
