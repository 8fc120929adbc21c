"""A plan that another machine can carry out: its schemas travel with it, its paths are absolute.

A catalog reads folders, and may fetch; a machine of a cluster has neither the folders nor the
login. So every type is linked once, and becomes part of the plan.
"""

from __future__ import annotations

import os
from typing import Final

from widgetschema.audit.inputs.sources import Source
from widgetschema.audit.plan import Plan
from widgetschema.catalog.portable import portable_catalog

_SCHEME: Final = "://"


def portable_plan(plan: Plan) -> Plan:
    """Return the same plan for other machines: types are linked, local paths are absolute.

    Types are those that the catalog lists; one that only a request to the platform would know of
    is unknown there, unless it is the type of all records. Raises what a catalog raises that
    cannot say which types it has.
    """
    wanted = None if plan.settings.type_id is None else [plan.settings.type_id]
    return plan._replace(
        catalog=portable_catalog(plan.catalog, wanted),
        older=None if plan.older is None else portable_catalog(plan.older, wanted),
        sources=tuple(_with_absolute_path(source) for source in plan.sources),
    )


def is_local(source: Source) -> bool:
    """Return whether a source is a file of this machine, perhaps of a shared disk."""
    return source.name != "-" and _SCHEME not in source.address


def _with_absolute_path(source: Source) -> Source:
    """Return the same source by an address that does not depend on the working directory."""
    if not is_local(source):
        return source
    return source._replace(address=os.path.abspath(source.address))
