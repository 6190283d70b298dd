// Turning on a reminder: asks for permission when the player taps the button, never before; subscribes with the key of
// the site; and puts the subscription into the form that the server reads.

import { bytesOf } from "./base64url.js";
import { holdButtons } from "./leaving.js";
import { wordsFor } from "./words.js";

const form = document.querySelector("form[data-reminder]");
const isSupported =
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

if (form) {
  form.elements.zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  form.hidden = !isSupported;
  document.querySelector(".reminder-unsupported").hidden = isSupported;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const release = holdButtons([form.querySelector("button")]);
    show("");
    try {
      const subscription = await subscribe(form.dataset.reminder);
      // For js/push-worker.js: when the browser renews it, and when a message can't be read.
      const kept = await caches.open("push");
      await kept.put("/endpoint", new Response(subscription.endpoint));
      await kept.put("/usual", new Response(wordsFor("reminder-usual")));
      form.elements.subscription.value = JSON.stringify(subscription);
      form.submit();
    } catch (error) {
      show(sentence(error));
      release();
    }
  });
}

async function subscribe(key) {
  // The first thing after the tap: later, some browsers don't ask any more.
  if ((await Notification.requestPermission()) !== "granted") throw new DOMException("", "NotAllowedError");
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const old = error.name === "InvalidStateError" && (await pushManager.getSubscription());
    if (!old) throw error;
    await old.unsubscribe(); // it was made with another key
    return pushManager.subscribe(options);
  }
}

function sentence(error) {
  if (error.name === "NotAllowedError") {
    return wordsFor("reminder-refused");
  }
  return wordsFor("reminder-failed");
}

function show(text) {
  const place = document.querySelector(".reminder-error");
  place.textContent = text;
  place.hidden = !text;
}
