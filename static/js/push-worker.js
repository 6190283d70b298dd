// The part of the service worker that shows reminders: what a message contains is in app/reminders/sender.py.
// A classic script, for importScripts.

self.addEventListener("push", (event) => {
  const message = readMessage(event.data);
  event.waitUntil(
    self.registration.showNotification(message.title, {
      body: message.body,
      tag: message.tag, // the same tag replaces the notification, silently
      data: { open: message.open, stop: message.stop },
      actions: message.stop ? [{ action: "stop", title: "Stop the reminder" }] : [],
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { open, stop } = event.notification.data ?? {};
  event.waitUntil(event.action === "stop" ? stopReminder(stop) : openPage(open));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

// The browser has ended its subscription: the server gets the new one in its place. Not every browser says which the
// old one was, or makes a new one.
async function renew({ oldSubscription, newSubscription }) {
  const kept = await caches.open("push");
  const old = oldSubscription?.endpoint ?? (await (await kept.match("/endpoint"))?.text());
  if (!old) return;
  const subscription = newSubscription ?? (await subscribeAgain());
  await fetch("/api/v1/reminders/subscription", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ old_endpoint: old, subscription }),
  });
  await kept.put("/endpoint", new Response(subscription.endpoint)); // as js/reminder.js does
}

async function subscribeAgain() {
  const { public_key } = await (await fetch("/api/v1/reminders")).json();
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
}

// A browser that shows nothing for a message may take the permission away, so there is always something to show.
function readMessage(data) {
  const usual = { title: "Fair Deal", body: "Today's deals are waiting.", tag: "daily", open: "/daily", stop: "" };
  try {
    return { ...usual, ...data.json() };
  } catch {
    return usual;
  }
}

async function stopReminder(path) {
  const url = ownUrl(path, "/reminder");
  try {
    const answer = await fetch(url, { method: "POST", redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) throw new Error(String(answer.status));
    await self.registration.showNotification("The reminder is off on this device.", { tag: "stopped" });
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
