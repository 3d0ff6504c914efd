# One image for every role: `web`, `worker runs`, `worker previews`, `migrate`; without one, everything in one container.
FROM python:3.11-slim-bookworm AS build
WORKDIR /source
COPY . .
# The wheel holds the pages' bundles and the documentation's site.
RUN python tools/install.py docs \
 && .venv/bin/python tools/docs/build.py \
 && .venv/bin/python manage.py bundle \
 && .venv/bin/python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
 && python -m venv /playground \
 && /playground/bin/pip install --no-cache-dir -c requirements.lock "$(ls /wheels/*.whl)[s3]"

FROM python:3.11-slim-bookworm
# Nothing runs as root, and nothing is written outside /data (a volume) and /tmp.
RUN groupadd --gid 10001 playground \
 && useradd --uid 10001 --gid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin playground \
 && mkdir -p /data/tmp /data/kernels \
 && chown -R playground:playground /data
COPY --from=build /playground /playground
ENV PATH=/playground/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PLAYGROUND_DEBUG=false \
    PLAYGROUND_DATA_DIR=/data \
    SCHEDULER_CORE_CACHE=/data/kernels \
    TMPDIR=/data/tmp
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["scheduler-playground", "alive", "web"]
ENTRYPOINT ["scheduler-playground"]
CMD ["play", "--host", "0.0.0.0"]
