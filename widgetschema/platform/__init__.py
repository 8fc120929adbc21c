"""The platform over HTTP: a client of its three documented operations, OAuth, tokens."""

from widgetschema.platform.secret import Secret as Secret
from widgetschema.platform.values import TokenResponse as TokenResponse
from widgetschema.platform.values import Widget as Widget
from widgetschema.platform.values import WidgetList as WidgetList
