// The service worker: keeps the shell of the site and answers for it when there is no network, and shows reminders.
// It never stores a page of a game: the last table lies in the storage of the browser (see js/last-view.js).

// It shares this scope: names must differ.
importScripts("{{ static_url("js/push-worker.js") }}");

const shell = "shell-{{ static_url("css/site.css").split("/")[2] }}";
const OFFLINE = "/offline";
const FILES = [
{% for name in shell_files %}
  "{{ static_url(name) }}",
{% endfor %}
];

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([fillShell(), passBy(event)]).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([dropOldShells(), self.registration.navigationPreload?.enable(), self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && (request.method === "GET" || isOwnForm(request))) event.respondWith(answerNavigation(event));
  else if (FILES.some((path) => request.url.endsWith(path))) event.respondWith(readFile(request));
});

// A click need not wait for this worker to say that it has nothing to say: browsers that can are told so once.
async function passBy(event) {
  const ours = { or: [{ requestMode: "navigate" }, { urlPattern: { pathname: "/static/*" } }] };
  try {
    await event.addRoutes?.({ condition: { not: ours }, source: "network" });
  } catch {} // an older browser, which asks the worker each time
}

async function fillShell() {
  const cache = await caches.open(shell);
  await cache.addAll(FILES);
  // Without cookies, so that nothing of the visitor's is in it.
  await cache.put(OFFLINE, await fetch(OFFLINE, { credentials: "omit" }));
}

async function dropOldShells() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("shell-") && name !== shell).map((name) => caches.delete(name)));
}

// A form that another site sent to this one is none of this worker's: it would look like one of our own.
const isOwnForm = ({ method, referrer }) => method === "POST" && referrer.startsWith(`${self.location.origin}/`);

async function answerNavigation(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    // Back to the page of the form, since to load this address again would send the form once more.
    if (event.request.method === "POST") return Response.redirect(event.request.referrer, 303);
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

async function readFile(request) {
  return (await caches.match(request)) ?? fetch(request);
}
