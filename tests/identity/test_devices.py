import pytest

from app.identity.dependencies import MAX_LABEL_LENGTH, clean_label, device_label

CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64) {CHROME} Safari/537.36 Edg/140.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Linux; Android 15; K) {CHROME} Mobile Safari/537.36", "Chrome on Android"),
        (f"Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28 {CHROME}", "Samsung Internet on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15", "Safari on Mac"),
        ("Mozilla/5.0 (PlayStation 5) Something/1", "Mozilla"),
        ("curl/8.14.1", "curl"),
        ("python-httpx/0.28", "python-httpx"),
        ("", "An unknown device"),
        ("<script>alert(1)</script>", "An unknown device"),
        ("\xff\x00", "An unknown device"),
    ],
)  # fmt: skip
def test_devices_are_called_by_a_rough_word_or_two(user_agent, label):
    assert device_label(user_agent) == label


def test_a_label_that_a_program_gives_itself_is_made_harmless():
    assert clean_label("  my\tbot\u202e \x00 2 ") == "my bot 2"
    assert len(clean_label("x" * 500)) == MAX_LABEL_LENGTH
    assert clean_label("\x00") == ""
