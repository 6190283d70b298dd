# PostgreSQL with Patroni, which promotes a standby when the primary is lost.

FROM postgres:17.6-alpine
RUN apk add --no-cache py3-pip py3-psycopg py3-yaml \
 && python3 -m venv --system-site-packages /opt/patroni \
 && /opt/patroni/bin/pip install --no-cache-dir 'patroni[etcd3]==4.1.5' \
 && install -d -o postgres -g postgres -m 0700 /data
COPY deploy/patroni.yml tools/create_database.sh /etc/patroni/
USER postgres
VOLUME /data
EXPOSE 5432 8008
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s CMD ["wget", "-qO", "/dev/null", "http://127.0.0.1:8008/liveness"]
ENTRYPOINT ["sh", "-c", "PATRONI_NAME=$(hostname) PATRONI_POSTGRESQL_CONNECT_ADDRESS=$(hostname):5432 PATRONI_RESTAPI_CONNECT_ADDRESS=$(hostname):8008 exec /opt/patroni/bin/patroni /etc/patroni/patroni.yml"]
