"""From the platform into a store: schemas that are fetched, cached, pulled, and compared."""

from widgetschema.fetcher.caching import cache_folder as cache_folder
from widgetschema.fetcher.caching import cache_root as cache_root
from widgetschema.fetcher.caching import find_caches as find_caches
from widgetschema.fetcher.caching import remove_cache as remove_cache
from widgetschema.fetcher.client import SchemaClient as SchemaClient
from widgetschema.fetcher.fetching import MODES as MODES
from widgetschema.fetcher.fetching import Fetched as Fetched
from widgetschema.fetcher.fetching import Fetcher as Fetcher
from widgetschema.fetcher.pulling import Drift as Drift
from widgetschema.fetcher.pulling import Pull as Pull
from widgetschema.fetcher.pulling import frozen as frozen
from widgetschema.fetcher.pulling import own_plugin as own_plugin
from widgetschema.fetcher.pulling import plan as plan
from widgetschema.fetcher.pulling import types_in_use as types_in_use
