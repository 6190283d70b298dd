// The part of the service worker that shows reminders: what a message contains is in app/reminders/sender.py.
// A classic script, for importScripts.

self.addEventListener("push", (event) => {
  event.waitUntil(showMessage(event.data));
});

async function showMessage(data) {
  const { title, body, tag, open, stop, stop_title, stopped } = await readMessage(data);
  await self.registration.showNotification(title, {
    body,
    tag, // the same tag replaces the notification, silently
    data: { open, stop, stopped },
    actions: stop_title ? [{ action: "stop", title: stop_title }] : [],
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { open, stop, stopped } = event.notification.data ?? {};
  event.waitUntil(event.action === "stop" ? stopReminder(stop, stopped) : openPage(open));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

// The browser has ended its subscription: the server gets the new one in its place. Not every browser says which the
// old one was, or makes a new one.
async function renew({ oldSubscription, newSubscription }) {
  const kept = await caches.open("push");
  const old = oldSubscription?.endpoint ?? (await (await kept.match("/endpoint"))?.text());
  if (!old) return;
  const subscription = newSubscription ?? (await subscribeAgain());
  const answer = await fetch("/api/v1/reminders/subscription", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ old_endpoint: old, subscription }),
  });
  // Until the server has the new one, the old one is the one that it knows.
  if (answer.ok) await kept.put("/endpoint", new Response(subscription.endpoint)); // as js/reminder.js does
}

async function subscribeAgain() {
  const answer = await fetch("/api/v1/reminders");
  if (!answer.ok) throw new Error(String(answer.status));
  const { public_key } = await answer.json();
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
}

// A browser that shows nothing for a message may take the permission away, so there is always something to show.
async function readMessage(data) {
  try {
    return { open: "/daily", ...data.json() };
  } catch {
    const kept = await caches.open("push");
    const body = (await (await kept.match("/usual"))?.text()) ?? ""; // as js/reminder.js stored it
    return { title: "Fair Deal", body, tag: "daily", open: "/daily", stop: "" };
  }
}

async function stopReminder(path, stopped) {
  const url = ownUrl(path, "/reminder");
  try {
    const answer = await fetch(url, { method: "POST", redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) throw new Error(String(answer.status));
    await self.registration.showNotification(stopped, { tag: "stopped" });
  } catch {
    await self.clients.openWindow(url); // where a button does the same
  }
}

async function openPage(path) {
  const url = ownUrl(path, "/daily");
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => page.url === url);
  return open ? open.focus() : self.clients.openWindow(url);
}

function ownUrl(path, otherwise) {
  const url = new URL(path || otherwise, self.location.origin);
  return url.origin === self.location.origin ? url.href : new URL(otherwise, self.location.origin).href;
}
