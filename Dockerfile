# The site as one image: the wheel installed in a virtual environment, without the source tree.

# Only the build stage has a C compiler, for the solver. The final stage is the same system without one.
FROM python:3.11.14-bookworm AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/fairdeal \
 && /opt/fairdeal/bin/pip install --no-cache-dir --constraint constraints.txt '.[nats]'

FROM python:3.11.14-slim-bookworm
# The image workflow adds version, revision, source and creation time.
LABEL org.opencontainers.image.title="Fair Deal" \
      org.opencontainers.image.description="Patience games in which the server deals, judges and keeps every move" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/python:3.11.14-slim-bookworm"
RUN useradd --system --uid 10001 --create-home --home-dir /data fairdeal \
 && chmod 0700 /data
COPY --from=build /opt/fairdeal /opt/fairdeal
ENV PATH=/opt/fairdeal/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    FAIRDEAL_HOST=0.0.0.0 \
    FAIRDEAL_PORT=8000 \
    FAIRDEAL_DATA_DIR=/data
USER fairdeal
WORKDIR /data
# The SQLite database is here unless DATABASE_URL names another one.
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
ENTRYPOINT ["fairdeal"]
CMD ["serve"]
