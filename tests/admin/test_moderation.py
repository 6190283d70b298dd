from __future__ import annotations

import re

import pytest

from app.admin.audit_log import AuditAction
from app.admin.moderation.actions import (
    EFFECTS,
    LABELS,
    PUBLIC_TEXTS,
    REASONS,
)
from app.daily.closing import DayClosing
from app.daily.schedule import DailySchedule
from app.identity.moderators_reasons import REASON_TEXTS, Reason
from tests.admin.browsers import PASSWORD
from tests.support.dailies import DAY, Clock, DailyServer
from tests.support.serving import id_of, started, visiting

pytestmark = pytest.mark.anyio

BOARD = f"/daily/{DAY.isoformat()}/bristol"
WHY = {"reason": "other", "note": "Talked about it with Otto."}
GUILTY = {**WHY, "reason": "impossible"}


@pytest.fixture
async def daily(site):
    """The daily deal services on the site's database, on a day long ago."""
    daily = DailyServer(site.state.services.database, Clock())
    await daily.deal_winnable()
    return daily


@pytest.fixture
async def paul(browsers):
    return await browsers.player("Paul")


async def solve(daily, client, **how):
    player_id = await id_of(client)
    daily.named.add(player_id)
    return await daily.solve(player_id, **how)


def names_on_board(page):
    return re.findall(r"<bdi>(.*?)</bdi>", page.text)


async def apply_action(client, act, subject, why=WHY):
    return await client.post(f"/admin/acts/{act}/{subject}", data=why)


# --- results


async def test_a_hidden_result_leaves_the_leaderboard_and_can_be_restored(
    browsers, daily, paul, monkeypatch: pytest.MonkeyPatch
):
    # By the clock of the site the day is long past: it must not be closed meanwhile.
    monkeypatch.setattr(DailySchedule, "wake_if_due", lambda _self: None)
    mona, quick = await browsers.staff_member("Mona", "moderator"), await browsers.player("Quick")
    game = await solve(daily, quick, seconds=30)
    await solve(daily, paul, seconds=60)
    before = await paul.get(BOARD)
    assert names_on_board(before) == ["Quick", "Paul"]
    assert "<dt>Rank so far</dt><dd>2 of 2</dd>" in before.text
    assert f"/admin/acts/hide/{game.id}" in (await mona.get(f"/admin/games/{game.id}")).text
    hidden = await apply_action(mona, "hide", game.id, GUILTY)
    assert hidden.status_code == 303, hidden.text
    assert f"/admin/acts/restore/{game.id}" in (await mona.get(f"/admin/games/{game.id}")).text
    during = await paul.get(BOARD)
    assert names_on_board(during) == ["Paul"]
    assert "You are the first to finish" in during.text
    own = await quick.get(BOARD)
    assert "Your result is hidden" in own.text
    assert "faster than anyone can play" in own.text
    assert "days in a row" not in own.text
    assert (await apply_action(mona, "restore", game.id)).status_code == 303
    assert names_on_board(await paul.get(BOARD)) == ["Quick", "Paul"]
    assert "<dt>Rank so far</dt><dd>1 of 2</dd>" in (await quick.get(BOARD)).text


async def test_a_hidden_result_does_not_count_towards_a_streak(browsers, daily, paul):
    mona = await browsers.staff_member("Mona", "moderator")
    game = await solve(daily, paul)

    async def streak():
        return (await daily.service.today(game.owner_id)).streak.days

    assert await streak() == 1
    await apply_action(mona, "hide", game.id, GUILTY)
    assert await streak() == 0
    await apply_action(mona, "restore", game.id)
    assert await streak() == 1


async def test_a_hidden_result_stays_hidden_when_the_day_closes(browsers, daily, paul):
    mona = await browsers.staff_member("Mona", "moderator")
    game = await solve(daily, paul)
    await apply_action(mona, "hide", game.id, GUILTY)
    daily.clock.advance(20 * 3_600_000)
    report = await DayClosing(daily.database, daily.clock).close(DAY)
    assert (report.attempts, report.removed) == (1, 0)
    assert names_on_board(await paul.get(BOARD)) == []
    record = (await paul.get(f"/api/v1{BOARD}/record.json")).json()
    [run] = record["runs"]
    assert (run["id"], run["player"], run["verdict"]) == (game.id, "hidden", "hidden")
    assert run["digest"]
    await apply_action(mona, "restore", game.id)
    assert names_on_board(await paul.get(BOARD)) == ["Paul"]
    restored = (await paul.get(f"/api/v1{BOARD}/record.json")).json()
    assert restored["record"] == record["record"]
    assert restored["runs"][0]["verdict"] == "solved"


async def test_a_hidden_game_that_fails_its_replay_is_removed(browsers, daily, paul):
    mona = await browsers.staff_member("Mona", "moderator")
    game = await solve(daily, paul)
    await apply_action(mona, "hide", game.id, GUILTY)
    await daily.database.write(
        lambda c: c.exec_driver_sql("UPDATE daily_attempts SET actions = actions - 1")
    )
    daily.clock.advance(20 * 3_600_000)
    assert (await DayClosing(daily.database, daily.clock).close(DAY)).removed == 1
    assert (await apply_action(mona, "restore", game.id)).status_code == 409


async def test_results_that_are_not_on_a_leaderboard_cannot_be_hidden(browsers, daily, paul, vera):
    answer = await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    assert (await apply_action(vera, "hide", answer.json()["id"])).status_code == 404
    open_attempt = await daily.start(await id_of(paul))
    assert (await apply_action(vera, "hide", open_attempt.id)).status_code == 409


# --- players


async def test_a_suspended_player_can_view_and_export_but_not_change_anything(browsers, paul, vera):
    game = (await paul.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    paul_id = await id_of(paul)
    assert (
        await apply_action(vera, "suspend", paul_id, {**WHY, "reason": "attack"})
    ).status_code == 303
    move = {"version": 0, "move": "deal"}
    refusals = [
        await paul.post(f"/api/v1/games/{game}/moves", json=move),
        await paul.post(f"/api/v1/games/{game}/resign", json={"version": 0}),
        await paul.post("/api/v1/games", json={"ruleset": "bristol"}),
        await paul.patch("/api/v1/me", json={"name": "Somebody Else"}),
    ]
    for refusal in refusals:
        assert (refusal.status_code, refusal.json()["code"]) == (403, "suspended")
        assert "The site was attacked." in refusal.json()["detail"]
    for path in (f"/games/{game}", "/me", "/daily", f"/api/v1/games/{game}"):
        assert (await paul.get(path)).status_code == 200
    export = (await paul.get("/me/export")).json()
    assert export["player"]["suspended"]["reason"] == "The site was attacked."
    assert "Your account is suspended. The site was attacked." in (await paul.get("/me")).text
    page = await paul.post(f"/games/{game}/resign", data={"version": 0})
    assert page.status_code == 403
    assert "suspended" in page.text
    assert (await apply_action(vera, "lift", paul_id)).status_code == 303
    played = await paul.post(f"/api/v1/games/{game}/moves", json=move)
    assert played.status_code == 200


async def test_a_suspended_player_cannot_delete_the_account_and_come_back_under_the_name(
    browsers, paul, vera
):
    await apply_action(vera, "suspend", await id_of(paul))
    refusal = await paul.request("DELETE", "/api/v1/me", json={"password": PASSWORD})
    assert (refusal.status_code, refusal.json()["code"]) == (403, "suspended")
    assert "suspended" in refusal.json()["detail"]
    page = await paul.post("/me/delete", data={"password": PASSWORD, "sure": "yes"})
    assert page.status_code == 403
    form = {"name": "Paul", "password": PASSWORD, "again": PASSWORD}
    assert (await (await browsers.visitor()).post("/join", data=form)).status_code == 409
    assert "can't delete your account while it is suspended" in (await paul.get("/me/account")).text
    await apply_action(vera, "lift", await id_of(paul))
    assert (await paul.post("/me/delete", data={"password": PASSWORD, "sure": "yes"})).is_redirect


async def test_a_suspension_that_this_process_has_not_heard_of_keeps_the_account(site, paul, vera):
    async with started(site.state.services.settings) as other, visiting(other) as elsewhere:
        elsewhere.cookies = paul.cookies
        assert (await elsewhere.get("/api/v1/me")).is_success
        await apply_action(vera, "suspend", await id_of(paul))
        answer = await elsewhere.request("DELETE", "/api/v1/me", json={"password": PASSWORD})
        assert (answer.status_code, answer.json()["code"]) == (403, "suspended")
        assert (await paul.get("/api/v1/me")).json()["name"] == "Paul"


async def test_a_suspension_that_this_process_has_not_heard_of_keeps_the_name(
    site, browsers, paul, vera
):
    guest = await browsers.visitor()
    await guest.post("/api/v1/games", json={"ruleset": "bristol"})
    async with started(site.state.services.settings) as other, visiting(other) as elsewhere:
        for client, change in (
            # Would free the name, so that the player could come back under it.
            (paul, ("PATCH", "/api/v1/me", {"name": "Somebody Else"})),
            (guest, ("POST", "/api/v1/me/claim", {"name": "Fresh", "password": PASSWORD})),
        ):
            elsewhere.cookies = client.cookies
            before = (await elsewhere.get("/api/v1/me")).json()
            await apply_action(vera, "suspend", await id_of(client))
            method, path, body = change
            answer = await elsewhere.request(method, path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "suspended")
            assert (await client.get("/api/v1/me")).json()["name"] == before["name"]


async def test_a_suspension_that_this_process_has_not_heard_of_moves_no_games(
    site, browsers, paul, vera
):
    guest = await browsers.visitor()
    game = (await guest.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    async with started(site.state.services.settings) as other, visiting(other) as elsewhere:
        elsewhere.cookies = guest.cookies
        assert (await elsewhere.get("/api/v1/me")).is_success
        await apply_action(vera, "suspend", await id_of(guest))
        form = {"name": "Paul", "password": PASSWORD, "bring": "yes"}
        assert (await elsewhere.post("/login", data=form)).status_code == 303
    assert game not in (await paul.get("/me/export")).text


async def test_another_process_learns_of_a_suspension_within_seconds(site, paul, vera):
    async with started(site.state.services.settings) as other, visiting(other) as elsewhere:
        elsewhere.cookies = paul.cookies
        start = {"ruleset": "bristol"}
        assert (await elsewhere.post("/api/v1/games", json=start)).status_code == 201
        await apply_action(vera, "suspend", await id_of(paul))
        sessions = other.state.services.sessions
        monotonic = sessions._monotonic
        sessions._monotonic = lambda: monotonic() + 5
        assert (await elsewhere.post("/api/v1/games", json=start)).status_code == 403


async def test_a_suspended_guest_cannot_claim_a_name(browsers, vera):
    guest = await browsers.visitor()
    await guest.post("/api/v1/games", json={"ruleset": "bristol"})
    await apply_action(vera, "suspend", await id_of(guest))
    form = {"name": "Fresh", "password": PASSWORD, "again": PASSWORD}
    assert (await guest.post("/join", data=form)).status_code == 403
    await browsers.player("Fresh")
    form = {"name": "Fresh", "password": PASSWORD, "bring": "yes"}
    assert (await guest.post("/login", data=form)).status_code == 303
    assert (await guest.get("/me/export")).json()["games"] == []


async def test_a_name_is_withdrawn_for_everyone_and_given_back(browsers, paul, vera):
    paul_id = await id_of(paul)
    answer = await apply_action(vera, "rename", paul_id, {**WHY, "reason": "offensive"})
    assert answer.status_code == 303
    given = (await paul.get("/api/v1/me")).json()["name"]
    assert re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+ \d{4}", given)
    other = await browsers.visitor()
    form = {"name": "PAUL", "password": PASSWORD, "again": PASSWORD}
    assert (await other.post("/join", data=form)).status_code == 409
    assert "use the name Paul here. It is offensive." in (await paul.get("/me")).text
    assert (await paul.patch("/api/v1/me", json={"name": "Paul"})).status_code == 409
    assert (await paul.patch("/api/v1/me", json={"name": "Pauline"})).status_code == 200
    assert "Paul, " in (await vera.get(f"/admin/players/{paul_id}")).text
    assert (await apply_action(vera, "rename-back", paul_id)).status_code == 303
    assert (await paul.get("/api/v1/me")).json()["name"] == "Paul"
    visitor = await browsers.visitor()
    login = {"name": "Paul", "password": PASSWORD}
    assert (await visitor.post("/login", data=login)).status_code == 303
    assert (await apply_action(vera, "rename-back", paul_id)).status_code == 409


async def test_ended_sessions_are_over_and_the_player_can_log_in_again(browsers, paul, vera):
    paul_id = await id_of(paul)
    form = await vera.get(f"/admin/acts/end-sessions/{paul_id}")
    assert "can sign in again at once" in form.text
    await apply_action(vera, "end-sessions", paul_id, {**WHY, "reason": "stolen"})
    assert "You aren't signed in." in (await paul.get("/me")).text
    login = {"name": "Paul", "password": PASSWORD}
    assert (await paul.post("/login", data=login)).status_code == 303
    assert await id_of(paul) == paul_id


# --- permissions, reasons and the audit log


@pytest.mark.parametrize(
    "why", [{}, {"reason": "other"}, {"note": "x"}, {**WHY, "reason": "served"}]
)
async def test_actions_need_a_reason_and_a_note(paul, vera, why):
    paul_id = await id_of(paul)
    answer = await apply_action(vera, "suspend", paul_id, why)
    assert answer.status_code == 422
    assert "Choose a reason" in answer.text
    assert (await paul.post("/api/v1/games", json={"ruleset": "bristol"})).status_code == 201


async def test_moderators_can_only_hide_results_and_add_notes(browsers, daily, paul, vera):
    mona = await browsers.staff_member("Mona", "moderator")
    paul_id = await id_of(paul)
    for act in ("suspend", "rename", "end-sessions", "lift", "rename-back"):
        assert (await mona.get(f"/admin/acts/{act}/{paul_id}")).status_code == 403
        assert (await apply_action(mona, act, paul_id)).status_code == 403
        assert f"/admin/acts/{act}/" not in (await mona.get(f"/admin/players/{paul_id}")).text
    await solve(daily, paul)
    page = await mona.get(f"/admin/players/{paul_id}")
    assert "Hide this result" in page.text
    note = await mona.post(f"/admin/players/{paul_id}/notes", data={"text": "Plays very fast."})
    assert note.status_code == 303
    assert "Plays very fast." in (await vera.get(f"/admin/players/{paul_id}")).text


async def test_staff_cannot_act_on_themselves_or_other_staff(browsers, daily, vera):
    otto = await browsers.staff_member("Otto", "administrator")
    game = await solve(daily, vera)
    vera_id = await id_of(vera)
    for subject, act in ((vera_id, "suspend"), (vera_id, "rename"), (game.id, "hide")):
        for staff_member in (vera, otto):
            assert (await apply_action(staff_member, act, subject)).status_code == 403
    assert (await apply_action(vera, "end-sessions", vera_id)).status_code == 403
    assert (await apply_action(otto, "end-sessions", vera_id)).status_code == 303
    assert (await vera.get("/admin/games")).status_code == 404


async def test_without_a_role_there_are_no_moderation_pages(browsers, paul, vera):
    paul_id = await id_of(paul)
    for path in (f"/admin/players/{paul_id}", f"/admin/acts/suspend/{paul_id}"):
        page = await vera.get(path)
        assert page.status_code == 200
        assert "no-store" in page.headers["cache-control"]
        for other in (paul, await browsers.visitor()):
            assert (await other.get(path)).status_code == 404
            assert (await other.post(path, data=WHY)).status_code == 404
    note = await paul.post(f"/admin/players/{paul_id}/notes", data={"text": "x"})
    assert note.status_code == 404


async def test_viewing_a_form_and_cross_site_forms_change_nothing(daily, paul, vera):
    paul_id = await id_of(paul)
    game = await solve(daily, paul)
    for act, subject in (("suspend", paul_id), ("hide", game.id), ("end-sessions", paul_id)):
        path = f"/admin/acts/{act}/{subject}"
        assert (await vera.get(path, params=WHY)).status_code == 200
        foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        assert (await vera.post(path, data=WHY, headers=foreign)).status_code == 403
    assert names_on_board(await paul.get(BOARD)) == ["Paul"]


async def test_an_action_that_was_already_done_is_refused(paul, vera):
    paul_id = await id_of(paul)
    assert (await apply_action(vera, "lift", paul_id)).status_code == 409
    await apply_action(vera, "suspend", paul_id)
    assert (await apply_action(vera, "suspend", paul_id)).status_code == 409
    assert (await apply_action(vera, "rename", "nobody")).status_code == 404
    assert (await apply_action(vera, "grant", paul_id)).status_code == 404


async def test_every_action_is_an_audit_entry_with_actor_and_reason(daily, paul, vera):
    paul_id = await id_of(paul)
    game = await solve(daily, paul)
    for act, subject in (
        ("hide", game.id),
        ("restore", game.id),
        ("suspend", paul_id),
        ("lift", paul_id),
        ("rename", paul_id),
        ("rename-back", paul_id),
        ("end-sessions", paul_id),
    ):
        assert (await apply_action(vera, act, subject)).status_code == 303, act
        first = (await vera.get("/admin/audit")).text.partition("<tbody>")[2].partition("</tr>")[0]
        for word in ("Vera", act, subject, "Talked about it with Otto.", "another reason"):
            assert word in first
    theirs = (await vera.get(f"/admin/players/{paul_id}")).text
    assert theirs.count("Talked about it with Otto.") == 7


async def test_players_are_found_by_name(paul, vera):
    answer = await vera.get("/admin/players/Paul")
    assert answer.headers["location"] == f"/admin/players/{await id_of(paul)}"
    assert (await vera.get("/admin/players/Nobody at all")).status_code == 404
    assert (await vera.get("/admin/players/%00")).status_code == 404


# --- public pages


async def test_removals_are_public_without_names(browsers, daily, paul, vera):
    quick = await browsers.player("Quick")
    await solve(daily, quick, seconds=30)
    game = await solve(daily, paul)
    paul_id = await id_of(paul)
    await apply_action(
        vera, "hide", game.id, {"reason": "copied", "note": "Paul has two browsers."}
    )
    await apply_action(vera, "rename", paul_id, {"reason": "offensive", "note": "Means something."})
    await apply_action(
        vera, "end-sessions", paul_id, {"reason": "stolen", "note": "Asked by letter."}
    )
    await vera.post(f"/admin/players/{paul_id}/notes", data={"text": "Watch this one."})
    visitor = await browsers.visitor()
    page = await visitor.get("/removals")
    assert page.status_code == 200
    told = page.text.partition("<tbody>")[2].partition("</tbody>")[0]
    assert told.count("<tr>") == 2
    assert "A result was hidden" in told
    assert f'href="{BOARD}"' in told
    assert "copied from another player" in told
    assert "A name was removed" in told
    for secret in ("Paul", "Quick", "Vera", "browsers", "letter", game.id, paul_id):
        assert secret not in page.text
    await apply_action(vera, "restore", game.id)
    assert "A result was restored" in (await visitor.get("/removals")).text


async def test_runs_removed_when_a_day_closes_are_listed(browsers, daily, paul):
    await solve(daily, paul)
    await daily.database.write(
        lambda c: c.exec_driver_sql("UPDATE daily_attempts SET actions = actions - 1")
    )
    daily.clock.advance(20 * 3_600_000)
    await DayClosing(daily.database, daily.clock).close(DAY)
    page = await paul.get("/removals?month=2026-03")
    assert "A result was removed" in page.text
    assert f'href="{BOARD}"' in page.text
    assert "11 March 2026" in page.text


@pytest.mark.parametrize("month", ["2026-13", "1999-01", "9999-12", "0000-01", "x" * 500])
async def test_there_are_no_removals_of_other_months(browsers, daily, month):
    visitor = await browsers.visitor()
    assert (await visitor.get("/removals", params={"month": month})).status_code == 404


def test_every_action_and_reason_has_its_texts():
    assert set(REASONS) == set(LABELS) == set(EFFECTS)
    assert set(PUBLIC_TEXTS) | {AuditAction.END_SESSIONS} == set(REASONS)
    assert set(REASON_TEXTS) == set(Reason)


async def test_the_audit_log_names_the_player_beside_the_id(daily, paul, vera):
    paul_id = await id_of(paul)
    game = await solve(daily, paul)
    await apply_action(vera, "suspend", paul_id)
    await apply_action(vera, "hide", game.id)
    rows = (await vera.get("/admin/audit")).text.partition("<tbody>")[2].split("</tr>")
    for row, subject in ((rows[0], game.id), (rows[1], paul_id)):
        assert subject in row
        assert "Paul" in row


async def test_staff_find_the_admin_area_on_their_profile(daily, paul, vera):
    assert 'href="/admin"' in (await vera.get("/me/account")).text
    assert 'href="/admin"' not in (await paul.get("/me/account")).text
