"""Results of a run, and how they are shown: as text for people, as JSON for programs.

Reporters turn results into text; they decide nothing and read nothing.
"""

from widgetschema.reporters.json import JsonReporter as JsonReporter
from widgetschema.reporters.results import Checked as Checked
from widgetschema.reporters.results import Problem as Problem
from widgetschema.reporters.results import Reporter as Reporter
from widgetschema.reporters.results import Summary as Summary
from widgetschema.reporters.text import TextReporter as TextReporter
