# The command for a CI step:
#
#     docker build -t widgetschema .
#     docker run --rm -v "$PWD:/work" widgetschema validate
#
# Not built yet where this project is developed: there is no Docker engine there.
FROM python:3.13-slim AS build
COPY pyproject.toml README.md LICENSE /source/
COPY widgetschema /source/widgetschema
COPY schemas /source/schemas
RUN python -m venv /opt/widgetschema \
    && /opt/widgetschema/bin/pip install --no-cache-dir "/source[formats,python]"

FROM python:3.13-slim
COPY --from=build /opt/widgetschema /opt/widgetschema
RUN useradd --create-home --uid 1000 widgetschema
USER widgetschema
WORKDIR /work
ENTRYPOINT ["/opt/widgetschema/bin/widgetschema"]
CMD ["--help"]
