# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.sandbox.assumptions import ASSUMPTIONS as ASSUMPTIONS
from widgetschema.sandbox.faults import FAULTS as FAULTS
from widgetschema.sandbox.faults import GRAMMAR as GRAMMAR
from widgetschema.sandbox.faults import Fault as Fault
from widgetschema.sandbox.faults import parse_fault as parse_fault
from widgetschema.sandbox.server import Options as Options
from widgetschema.sandbox.server import app as app
from widgetschema.sandbox.server import running as running
from widgetschema.sandbox.state import REDIRECT_URI as REDIRECT_URI
from widgetschema.sandbox.state import Counters as Counters
from widgetschema.sandbox.state import LoggedRequest as LoggedRequest
from widgetschema.sandbox.state import Sandbox as Sandbox
