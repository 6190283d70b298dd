import pytest

from app.settings import Settings, SettingsError, load_settings, variable_of


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(variable_of(name), raising=False)


def test_defaults_listen_on_this_machine_only():
    settings = load_settings()
    assert settings.host == "127.0.0.1"
    assert settings.port == 8000
    assert settings.database_url == "sqlite:///data/fairdeal.db"
    assert settings.workers == 1


def test_the_default_database_is_in_the_data_folder(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_DATA_DIR", "/srv/fairdeal")
    assert load_settings().database_url == "sqlite:////srv/fairdeal/fairdeal.db"


@pytest.mark.parametrize("url", ["postgresql://a@b/c", "postgres://b/c", "sqlite:///x.db"])
def test_a_database_can_be_named(monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    settings = load_settings()
    assert settings.database_url == url
    assert settings.is_sqlite == url.startswith("sqlite")


def test_a_short_key_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_SECRET_KEY", "seven ravens")
    with pytest.raises(SettingsError, match="FAIRDEAL_SECRET_KEY must be at least 32") as refused:
        load_settings()
    assert "ravens" not in str(refused.value)
    key = "0123456789abcdef" * 2
    monkeypatch.setenv("FAIRDEAL_SECRET_KEY", key)
    assert load_settings().secret_key == key


def test_an_empty_variable_counts_as_unset(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("FAIRDEAL_PORT", "")
    assert load_settings() == Settings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FAIRDEAL_PORT", "http", "FAIRDEAL_PORT is 'http': it should be a valid integer"),
        ("FAIRDEAL_PORT", "65536", "FAIRDEAL_PORT is '65536': it should be less than or equal"),
        ("FAIRDEAL_WORKERS", "0", "FAIRDEAL_WORKERS is '0': it should be greater than or equal"),
        ("FAIRDEAL_WORKERS", "2", "SQLite is written by one process only: use one worker, or"),
        ("FAIRDEAL_LOG_LEVEL", "loud", "it should be 'debug', 'info', 'warning' or 'error'."),
        ("FAIRDEAL_HTTPS_ONLY", "maybe", "FAIRDEAL_HTTPS_ONLY is 'maybe': it should be a valid"),
        ("FAIRDEAL_PROT", "80", "is not a setting of Fair Deal. Did you mean FAIRDEAL_PORT?"),
        ("FAIRDEAL_XYZZY", "1", "FAIRDEAL_XYZZY is not a setting of Fair Deal."),
        ("FAIRDEAL_GUEST_GAMES", "0", "FAIRDEAL_GUEST_GAMES is '0': it should be"),
        (
            "FAIRDEAL_SECRET_KEY",
            "k" * 31,
            "FAIRDEAL_SECRET_KEY must be at least 32 characters, such",
        ),
        (
            "FAIRDEAL_SECRET_KEY",
            "k" * 31 + " ",
            "FAIRDEAL_SECRET_KEY must be at least 32 characters",
        ),
        ("DATABASE_URL", "mysql://a/b", "DATABASE_URL must start with sqlite:/// or postgresql://"),
        ("FAIRDEAL_PUBSUB_URL", "redis://a", "FAIRDEAL_PUBSUB_URL must look like nats://user:pass"),
        ("FAIRDEAL_PUBSUB_URL", "nats://", "FAIRDEAL_PUBSUB_URL must look like nats://user:pass"),
        ("FAIRDEAL_PUBSUB_URL", "nats://,a", "FAIRDEAL_PUBSUB_URL must look like nats://user:pa"),
        ("FAIRDEAL_PUBSUB_URL", "nats://a b", "FAIRDEAL_PUBSUB_URL must look like nats://user:p"),
        ("FAIRDEAL_PUBSUB_URL", "nats://a:b", "FAIRDEAL_PUBSUB_URL must look like nats://user:p"),
        ("FAIRDEAL_PUBSUB_URL", "nats://a/b.c", "FAIRDEAL_PUBSUB_URL must look like nats://user:"),
        ("FAIRDEAL_PUBSUB_URL", "nats://a", "connects several processes, and SQLite has only one"),
        ("DATABASE_URL", "fairdeal.db", "DATABASE_URL must start with sqlite:/// or postgresql://"),
    ],
)
def test_invalid_settings_are_refused_in_one_line(monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert said in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_all_errors_are_reported_at_once(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_PORT", "x")
    monkeypatch.setenv("FAIRDEAL_WORKERS", "x")
    with pytest.raises(SettingsError, match=r"FAIRDEAL_PORT.*\n.*FAIRDEAL_WORKERS"):
        load_settings()


def test_a_password_is_never_shown(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "mysql://fairdeal:secret@b/c")
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert "secret" not in str(refused.value)
    settings = Settings(
        database_url="postgresql://fairdeal:secret@b/c", pubsub_url="nats://fairdeal:secret@b,c:1/d"
    )
    assert "secret" not in repr(settings)
    monkeypatch.setenv("DATABASE_URL", "")
    for url in ("nats://fairdeal:secret@b/c/d", "nats://fairdeal:secret@b"):
        monkeypatch.setenv("FAIRDEAL_PUBSUB_URL", url)
        with pytest.raises(SettingsError) as refused:
            load_settings()
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["nats://a", "tls://u:p%40@a-1.b:4222,[::1]:4222,c/cards", "nats://token@a:1,b"]
)
def test_urls_of_brokers_are_accepted(url):
    assert Settings(database_url="postgresql://a/b", pubsub_url=url).pubsub_url == url


def test_several_workers_need_postgres(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_WORKERS", "2")
    monkeypatch.setenv("DATABASE_URL", "postgresql://a/b")
    assert load_settings().workers == 2


def test_every_setting_has_a_description():
    assert all(field.description for field in Settings.model_fields.values())
