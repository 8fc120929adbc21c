"""From the platform into a store: schemas that are fetched, cached, pulled, and compared."""

from widgetschema.platform.fetcher.caching import cache_folder as cache_folder
from widgetschema.platform.fetcher.caching import cache_root as cache_root
from widgetschema.platform.fetcher.caching import find_caches as find_caches
from widgetschema.platform.fetcher.caching import remove_cache as remove_cache
from widgetschema.platform.fetcher.client import SchemaClient as SchemaClient
from widgetschema.platform.fetcher.fetching import MODES as MODES
from widgetschema.platform.fetcher.fetching import Fetched as Fetched
from widgetschema.platform.fetcher.fetching import Fetcher as Fetcher
from widgetschema.platform.fetcher.pulling import Drift as Drift
from widgetschema.platform.fetcher.pulling import Pull as Pull
from widgetschema.platform.fetcher.pulling import frozen as frozen
from widgetschema.platform.fetcher.pulling import own_plugin as own_plugin
from widgetschema.platform.fetcher.pulling import plan as plan
from widgetschema.platform.fetcher.pulling import types_in_use as types_in_use
