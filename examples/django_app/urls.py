"""The admin, and the API."""

from django.contrib import admin
from django.urls import include, path
from rest_framework.routers import DefaultRouter
from shop.api import WidgetViewSet

router = DefaultRouter()
router.register("widgets", WidgetViewSet)
urlpatterns = [path("admin/", admin.site.urls), path("api/", include(router.urls))]
