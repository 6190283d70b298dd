#!/bin/sh
# Run by the database container of docker-compose.yml when its volume is new: the site's role, which owns its
# database and is no superuser.
set -eu
# Not as an argument, which other processes could see. The here-document is quoted: psql quotes the password.
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv password DATABASE_PASSWORD
CREATE ROLE fairdeal LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE fairdeal OWNER fairdeal;
REVOKE ALL ON DATABASE fairdeal FROM PUBLIC;
SQL
