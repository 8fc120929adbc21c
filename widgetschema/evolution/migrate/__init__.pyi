# The names of this package: for type checkers, and at run time for `widgetschema.lazy`.
from widgetschema.evolution.migrate.chain import MigrationChain as MigrationChain
from widgetschema.evolution.migrate.evidence import Evidence as Evidence
from widgetschema.evolution.migrate.migration import Migration as Migration
from widgetschema.evolution.migrate.migration import Outcome as Outcome
from widgetschema.evolution.migrate.migration import WayBack as WayBack
from widgetschema.evolution.migrate.plan import ModelVersion as ModelVersion
from widgetschema.evolution.migrate.plan import Plan as Plan
from widgetschema.evolution.migrate.plan import PlanSchema as PlanSchema
from widgetschema.evolution.migrate.plan import Proposal as Proposal
from widgetschema.evolution.migrate.plan import format_plan as format_plan
from widgetschema.evolution.migrate.plan import parse_plan as parse_plan
from widgetschema.evolution.migrate.plan import plan_schema as plan_schema
from widgetschema.evolution.migrate.plan import read_plan as read_plan
from widgetschema.evolution.migrate.steps.step import Lost as Lost
from widgetschema.evolution.migrate.steps.step import Step as Step
