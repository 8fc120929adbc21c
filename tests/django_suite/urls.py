"""The pages of the tests."""

urlpatterns: list[object] = []
