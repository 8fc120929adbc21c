"""From the platform into a store: schemas that are fetched, cached, pulled, and compared."""

from widgetschema.platform.fetcher.cache import cache_folder as cache_folder
from widgetschema.platform.fetcher.cache import cache_root as cache_root
from widgetschema.platform.fetcher.cache import find_caches as find_caches
from widgetschema.platform.fetcher.cache import remove_cache as remove_cache
from widgetschema.platform.fetcher.clients import SchemaClient as SchemaClient
from widgetschema.platform.fetcher.clients import types_in_use as types_in_use
from widgetschema.platform.fetcher.fetcher import MODES as MODES
from widgetschema.platform.fetcher.fetcher import Fetched as Fetched
from widgetschema.platform.fetcher.fetcher import Fetcher as Fetcher
from widgetschema.platform.fetcher.pull import Drift as Drift
from widgetschema.platform.fetcher.pull import Pull as Pull
from widgetschema.platform.fetcher.pull import frozen as frozen
from widgetschema.platform.fetcher.pull import own_plugin as own_plugin
from widgetschema.platform.fetcher.pull import plan as plan
