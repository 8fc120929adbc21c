"""Reports as SARIF 2.1.0 for GitHub code scanning, which shows suppressed results as open alerts.

"SARIF support for code scanning", in the manual of GitHub, lists what it reads of a result:
`suppressions` and `baselineState` are not among it. So what does not count is left out here.
"""

from __future__ import annotations

from typing import Final

from widgetschema.reporters.formats.sarif import sarif_format

FORMAT: Final = sarif_format(
    "GitHub code scanning: SARIF without what is ignored or in the baseline",
    with_suppressed=False,
)
