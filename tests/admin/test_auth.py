from __future__ import annotations

import pytest

from app.admin.auth.service import STEP_UP_MINUTES
from tests.admin.browsers import PASSWORD

pytestmark = pytest.mark.anyio

PAGES = ("/admin", "/admin/enter", "/admin/audit", "/admin/nowhere", "/admin/leave")


async def people_without_a_role(browsers):
    """A visitor, a guest, a player, and a player whose role was revoked."""
    guest = await browsers.visitor()
    await guest.post("/api/v1/games", json={"ruleset": "bristol"})
    gone = await browsers.staff_member("Gone", "administrator")
    await browsers.staff.revoke_role("Gone")
    return [await browsers.visitor(), guest, await browsers.player("Paul"), gone]


async def test_without_a_role_there_are_no_admin_pages(browsers):
    for visitor in await people_without_a_role(browsers):
        for path in PAGES:
            answer = await visitor.get(path)
            assert (answer.status_code, path) == (404, path)
            assert "no-store" in answer.headers["cache-control"]
            assert "password" not in answer.text.lower()
        assert (await visitor.post("/admin/enter", data={"password": PASSWORD})).status_code == 404


async def test_a_role_alone_opens_only_the_password_form(browsers):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    answer = await staff_member_before_password.get("/admin/audit?before=7")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/admin/enter?back=/admin/audit%3Fbefore%3D7"
    form = await staff_member_before_password.get(answer.headers["location"])
    assert form.status_code == 200
    assert 'value="/admin/audit?before=7"' in form.text


async def test_reauthentication_leads_to_the_page_that_was_asked_for(browsers):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    data = browsers.door_form("Vera") | {"back": "/admin/audit"}
    answer = await staff_member_before_password.post("/admin/enter", data=data)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/audit")
    page = await staff_member_before_password.get("/admin/audit")
    assert page.status_code == 200
    assert "no-store" in page.headers["cache-control"]


async def test_a_wrong_password_opens_nothing(browsers):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    answer = await staff_member_before_password.post(
        "/admin/enter", data=browsers.door_form("Vera") | {"password": "guessed at random"}
    )
    assert answer.status_code == 403
    assert "Wrong password." in answer.text
    assert (await staff_member_before_password.get("/admin/audit")).status_code == 303


async def test_password_attempts_are_limited(browsers):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    for _ in range(8):
        await staff_member_before_password.post(
            "/admin/enter", data=browsers.door_form("Vera") | {"password": "guessed at random"}
        )
    assert (
        await staff_member_before_password.post("/admin/enter", data=browsers.door_form("Vera"))
    ).status_code == 429


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/me", "/admin\\x"])
async def test_reauthentication_leads_to_admin_pages_only(browsers, back):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    answer = await staff_member_before_password.post(
        "/admin/enter", data=browsers.door_form("Vera") | {"back": back}
    )
    assert answer.headers["location"] == "/admin/games"


async def test_the_step_up_cookie_is_sent_to_admin_pages_only(browsers):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    answer = await staff_member_before_password.post(
        "/admin/enter", data=browsers.door_form("Vera")
    )
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("fd_admin="))
    attributes = {part.strip() for part in cookie.split(";")[1:]}
    assert attributes == {
        f"Max-Age={STEP_UP_MINUTES * 60}",
        "Path=/admin",
        "HttpOnly",
        "SameSite=Strict",
    }
    assert (
        "fd_admin"
        in (await staff_member_before_password.get("/admin/audit")).request.headers["cookie"]
    )
    assert "fd_admin" not in (await staff_member_before_password.get("/")).request.headers["cookie"]


async def test_over_https_the_cookie_is_secure(browsers):
    staff_member_before_password = await browsers.signed_in_staff("Vera", "administrator")
    staff_member_before_password.base_url = "https://fairdeal.test"
    answer = await staff_member_before_password.post(
        "/admin/enter", data=browsers.door_form("Vera")
    )
    # Its path is /admin, so it may not have the prefix __Host-.
    (cookie,) = (c for c in answer.headers.get_list("set-cookie") if "fd_admin=" in c)
    assert cookie.startswith("__Secure-fd_admin=")
    assert cookie.endswith("; Secure")


async def test_a_stolen_session_cookie_opens_nothing(browsers, vera):
    """The admin pages also need the cookie that other pages never receive."""
    thief = await browsers.visitor()
    thief.cookies.set("fd_session", vera.cookies["fd_session"])
    assert (await thief.get("/admin/audit")).headers["location"].startswith("/admin/enter")


async def test_the_step_up_cookie_opens_nothing_without_its_session(browsers, vera):
    other = await browsers.signed_in_staff("Otto", "administrator")
    other.cookies.set("fd_admin", vera.cookies["fd_admin"], path="/admin")
    assert (await other.get("/admin/audit")).status_code == 303
    visitor = await browsers.visitor()
    visitor.cookies.set("fd_admin", vera.cookies["fd_admin"], path="/admin")
    assert (await visitor.get("/admin/audit")).status_code == 404


async def test_another_session_of_the_same_player_needs_the_password(browsers, vera):
    elsewhere = await browsers.visitor()
    form = {"name": "Vera", "password": PASSWORD}
    await elsewhere.post("/login", data=form)
    elsewhere.cookies.set("fd_admin", vera.cookies["fd_admin"], path="/admin")
    assert (await elsewhere.get("/admin/audit")).status_code == 303


async def test_scripts_cannot_fetch_admin_pages(vera):
    for mode in ("cors", "no-cors", "same-origin"):
        headers = {"Sec-Fetch-Mode": mode, "Sec-Fetch-Site": "same-origin"}
        assert (await vera.get("/admin/audit", headers=headers)).status_code == 404


async def test_admin_pages_cut_the_link_to_the_window_that_opened_them(browsers, vera):
    for path in ("/admin/enter", "/admin/audit", "/admin/players/nobody"):
        answer = await vera.get(path)
        assert answer.headers.get_list("cross-origin-opener-policy") == ["noopener-allow-popups"]
    visitor = await browsers.visitor()
    elsewhere = await visitor.get("/")
    assert elsewhere.headers.get_list("cross-origin-opener-policy") == ["same-origin"]


async def test_bearer_tokens_do_not_open_admin_pages(browsers, vera):
    program = await browsers.visitor()
    program.headers["Authorization"] = f"Bearer {vera.cookies['fd_session']}"
    program.cookies.set("fd_admin", vera.cookies["fd_admin"], path="/admin")
    assert (await program.get("/admin/audit")).status_code == 404


async def test_step_up_sessions_expire(browsers, vera, monkeypatch):
    clock = browsers.staff._clock
    monkeypatch.setattr(browsers.staff, "_clock", lambda: clock() + STEP_UP_MINUTES * 60_000)
    assert (await vera.get("/admin/audit")).status_code == 303


async def test_leaving_ends_the_step_up_session_for_copies_of_the_cookie_too(vera):
    copied = vera.cookies["fd_admin"]
    answer = await vera.post("/admin/leave")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    vera.cookies.set("fd_admin", copied, path="/admin")
    assert (await vera.get("/admin/audit")).status_code == 303


async def test_a_revoked_role_is_gone_at_once(browsers, vera):
    await browsers.staff.revoke_role("Vera")
    assert (await vera.get("/admin/audit")).status_code == 404


async def test_deleting_an_account_removes_its_role(browsers, vera):
    answer = await vera.post("/me/delete", data={"password": PASSWORD, "sure": "yes"})
    assert answer.status_code < 400
    assert await browsers.staff.list_role_grants() == []


async def test_moderators_do_not_read_the_audit_log(browsers):
    moderator = await browsers.staff_member("Mona", "moderator")
    answer = await moderator.get("/admin/audit")
    assert answer.status_code == 403
    assert "administrators" in answer.text


async def test_forms_sent_from_other_sites_are_refused(vera):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert (await vera.post("/admin/leave", headers=headers)).status_code == 403
    assert (await vera.get("/admin/audit")).status_code == 200


async def test_the_audit_log_has_role_grants_and_reauthentications(vera):
    page = (await vera.get("/admin/audit")).text
    assert "command line" in page
    assert [page.count(f"<td>{act}</td>") for act in ("grant", "enter")] == [1, 1]


async def test_routes_that_change_something_do_not_answer_get(vera):
    for path in ("/admin/leave", "/admin/games/any/reveal"):
        assert (await vera.get(path)).status_code == 404
    assert (await vera.get("/admin/audit")).status_code == 200
