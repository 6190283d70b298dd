"""Turning a reminder on in a browser, and what the service worker shows. No push service takes part."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Worker, expect

from tests.browser.game_page import wait_until
from tests.support.push import Browser

MESSAGE = {"title": "Today's deals are waiting", "body": "Until 01:00.", "tag": "daily-20260310"}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """With service workers, which show the messages."""
    return {**browser_context_args, "service_workers": "allow"}


def stand_in(page: Page, permission: str = "granted", browser: Browser | None = None) -> None:
    """Subscribe to no push service; count how often the player is asked."""
    browser = browser or Browser()
    page.add_init_script(
        f"""
        window.asked = 0;
        Notification.requestPermission = async () => {{ window.asked++; return "{permission}"; }};
        PushManager.prototype.subscribe = async (options) => {{
          window.keyLength = options.applicationServerKey.length;
          return {{ endpoint: "{browser.endpoint}", toJSON: () => ({json.dumps(browser.json)}) }};
        }};
        """
    )


def test_permission_is_asked_for_after_the_tap_and_one_tap_stops(page: Page, site_address: str):
    stand_in(page)
    page.goto(f"{site_address}/reminder")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.asked") == 0
    page.get_by_label("Remind me on this device at").select_option("7")
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("status")).to_have_text("The reminder is on.")
    expect(page.locator(".reminders")).to_contain_text("Every day at 07:00")
    page.get_by_role("button", name="Stop the reminder on").click()
    expect(page.get_by_role("status")).to_have_text("The reminder is off.")
    expect(page.locator(".reminders")).to_have_count(0)


def test_a_refused_permission_is_explained(page: Page, site_address: str):
    stand_in(page, "denied")
    page.goto(f"{site_address}/reminder")
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("alert")).to_contain_text("doesn't allow notifications")
    expect(page.get_by_role("button", name="Turn on")).to_be_enabled()


def test_the_button_works_again_on_a_page_that_comes_back(page: Page, site_address: str):
    """Until then it stays as it is: a second press would send the form twice."""
    stand_in(page)
    page.goto(f"{site_address}/reminder")
    page.evaluate("HTMLFormElement.prototype.submit = () => (window.isSubmitted = true)")
    button = page.get_by_role("button", name="Turn on")
    button.click()
    page.wait_for_function("window.isSubmitted")
    expect(button).to_be_disabled()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(button).to_be_enabled()


def test_the_service_worker_shows_a_message_with_its_tag(
    context: BrowserContext, page: Page, site_address: str
):
    context.grant_permissions(["notifications"], origin=site_address)
    page.goto(f"{site_address}/reminder")
    page.evaluate("navigator.serviceWorker.register('/sw.js')")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    found: list[str] = []
    session = context.new_cdp_session(page)
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(page, lambda: found)
    for _ in range(2):
        push = {"origin": site_address, "registrationId": found[-1], "data": json.dumps(MESSAGE)}
        session.send("ServiceWorker.deliverPushMessage", push)
    page.wait_for_function(
        """async () => {
          const { getNotifications } = ServiceWorkerRegistration.prototype;
          const shown = await getNotifications.call(await navigator.serviceWorker.ready);
          return shown.length === 1 && shown[0].tag === "daily-20260310" && shown[0].body === "Until 01:00.";
        }"""
    )


# A browser that tells of neither subscription leaves it to the worker to remember and to subscribe.
CHANGE = """async ([old, fresh, isTold]) => {
  self.PushManager.prototype.subscribe = async () => ({ ...fresh, toJSON: () => fresh });
  const told = { oldSubscription: { endpoint: old }, newSubscription: fresh };
  const event = new Event("pushsubscriptionchange");
  await new Promise((done, fail) => {
    Object.assign(event, isTold ? told : {}, { waitUntil: (work) => work.then(done, fail) });
    self.dispatchEvent(event);
  });
}"""


def turn_on(context: BrowserContext, page: Page, site_address: str, browser: Browser) -> Worker:
    """Turn the reminder on; the service worker."""
    stand_in(page, browser=browser)
    page.goto(f"{site_address}/reminder")
    page.get_by_role("button", name="Turn on").click()
    expect(page.locator(".reminders")).to_have_count(1)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    wait_until(page, lambda: context.service_workers)
    (worker,) = context.service_workers
    return worker


def renew(page: Page, site_address: str, old: str, new: Browser) -> int:
    """The status with which the server puts another subscription in the place of one."""
    body = {"old_endpoint": old, "subscription": new.json}
    return page.request.put(f"{site_address}/api/v1/reminders/subscription", data=body).status


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "not told"])
def test_a_subscription_that_the_browser_renews_takes_the_place_of_the_old_one(
    context: BrowserContext, page: Page, site_address: str, is_told: bool
):
    # The site is the same for every test: an endpoint belongs to one of them.
    old, new, newer = (Browser(f"{name}-{is_told}") for name in ("old", "new", "newer"))
    worker = turn_on(context, page, site_address, old)
    worker.evaluate(CHANGE, [old.endpoint, new.json, is_told])
    known = [renew(page, site_address, each.endpoint, newer) for each in (old, new)]
    assert known == [404, 204]
    page.reload()
    expect(page.locator(".reminders")).to_have_count(1)


def test_a_renewal_that_the_server_refused_is_made_up_for_by_the_next(
    context: BrowserContext, page: Page, site_address: str
):
    """After a 500 the worker still remembers the endpoint that the server has."""
    names = ("before", "refused", "renewed", "last")
    before, refused, renewed, last = (Browser(name) for name in names)
    worker = turn_on(context, page, site_address, before)
    worker.evaluate(
        """() => {
          const { fetch } = self;
          self.fetch = async (address, more) => {
            if (more?.method !== "PUT") return fetch(address, more);
            self.fetch = fetch;
            return new Response("", { status: 500 });
          };
        }"""
    )
    for fresh in (refused, renewed):
        worker.evaluate(CHANGE, [before.endpoint, fresh.json, False])
    assert renew(page, site_address, renewed.endpoint, last) == 204
