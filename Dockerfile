# One image for pages and workers: `docker build -t maekrak .`
# EXTRAS names what is installed beside requirements.txt. With "models" among it, TORCH_INDEX=… takes torch from an index of builds
# for the processor alone, which are a tenth of the size:
#   docker build -t maekrak --build-arg EXTRAS="speech scaling login models" --build-arg TORCH_INDEX=https://download.pytorch.org/whl/cpu .
FROM python:3.11-slim-bookworm AS packages
ARG EXTRAS="speech scaling login"
ARG TORCH_INDEX=""
RUN python -m venv /venv
COPY requirements*.txt ./
RUN /venv/bin/pip install --no-cache-dir -r requirements.txt
RUN set -e; for extra in $EXTRAS; do \
        if [ "$extra" = models ]; then \
            /venv/bin/pip install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch==2.13.0; \
        fi; \
        /venv/bin/pip install --no-cache-dir -r "requirements-$extra.txt"; \
    done

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --create-home --home-dir /data maekrak \
    && install -d -o maekrak -g maekrak -m 0700 /data/models
COPY --from=packages /venv /venv
WORKDIR /app
COPY .streamlit/config.toml .streamlit/config.toml
COPY samples samples
COPY static static
COPY search_core search_core
COPY pages pages
COPY app.py .
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MAEKRAK_DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    HF_HOME=/data/models
USER maekrak
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/healthz', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.port", "8501"]
