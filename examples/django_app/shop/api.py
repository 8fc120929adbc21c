"""The API: errors are at the paths of the data."""

from rest_framework import serializers, viewsets

from shop.models import Widget


class WidgetSerializer(serializers.ModelSerializer):
    class Meta:
        model = Widget
        fields = ["id", "page", "name", "type", "data"]


class WidgetViewSet(viewsets.ModelViewSet):
    queryset = Widget.objects.order_by("id")
    serializer_class = WidgetSerializer
