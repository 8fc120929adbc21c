"""Names for reporters of other packages: import them from here."""

from widgetschema.project.checking.results import DocumentResult as DocumentResult
from widgetschema.project.checking.results import LocatedFinding as LocatedFinding
from widgetschema.project.checking.results import Outcome as Outcome
from widgetschema.project.checking.results import Problem as Problem
from widgetschema.project.checking.results import Summary as Summary
from widgetschema.project.checking.results import Suppressed as Suppressed
from widgetschema.project.report_formats import JSON_ESCAPE as JSON_ESCAPE
from widgetschema.project.report_formats import ReportContext as ReportContext
from widgetschema.project.report_formats import Reporter as Reporter
from widgetschema.project.report_formats import ReportFormat as ReportFormat
