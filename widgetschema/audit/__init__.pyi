# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.audit.arrow import ARROW_RESULTS as ARROW_RESULTS
from widgetschema.audit.arrow import check_arrow as check_arrow
from widgetschema.audit.audit_function import AuditProblem as AuditProblem
from widgetschema.audit.audit_function import Example as Example
from widgetschema.audit.audit_function import Mistake as Mistake
from widgetschema.audit.audit_function import Summary as Summary
from widgetschema.audit.audit_function import TypeCounts as TypeCounts
from widgetschema.audit.audit_function import audit as audit
from widgetschema.audit.rows import RowAudit as RowAudit
from widgetschema.audit.rows import RowResult as RowResult
from widgetschema.audit.rows import check_many as check_many
