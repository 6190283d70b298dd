// Passkeys (WebAuthn): asks the browser for one, and puts its answer into the form that the server reads.
// A form that offers passkeys says what for:
//   data-passkeys="sign-in"   its button signs in; and the name field suggests passkeys
//   data-passkeys="confirm"   its button fills in `confirmation` and submits it
//   data-passkeys="register"  submitting it makes a passkey and fills in `credential`; its button confirms first

import { bytesOf, textOf } from "./base64url.js";
import { holdButtons } from "./leaving.js";
import { wordsFor } from "./words.js";

const OPTIONS = "/api/v1/passkeys/";
const RENEWED_MS = 4 * 60_000; // the server forgets a challenge after five minutes
const isSupported = "PublicKeyCredential" in window && isSecureContext;

// A page that came back from the browser's memory starts again, with its buttons enabled.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

for (const form of document.querySelectorAll("form[data-passkeys]")) {
  if (!isSupported) {
    form.querySelector(".passkey-unsupported").hidden = false;
    continue;
  }
  for (const part of form.querySelectorAll(".passkey-only")) part.hidden = false;
  const button = form.querySelector("[data-passkey-button]");
  if (form.dataset.passkeys === "sign-in") {
    const suggestion = new Suggestion(form);
    suggestion.start();
    button.addEventListener("click", async () => {
      suggestion.stop(); // the browser does one thing at a time
      const isDone = await attempt(form, async () => signIn(form, await ask("sign-in-options")));
      if (!isDone) suggestion.start();
    });
    continue;
  }
  const finish = form.dataset.passkeys === "register" ? () => register(form) : () => form.submit();
  button?.addEventListener("click", () => {
    const { password } = form.elements;
    if (password && !password.reportValidity()) return; // it is asked for besides
    attempt(form, async () => {
      await confirm(form);
      await finish();
    });
  });
  if (form.dataset.passkeys === "register") {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(form, finish);
    });
  }
}

// --- what the forms do

async function signIn(form, options, more = {}) {
  const credential = await navigator.credentials.get({ publicKey: requestOptions(options), ...more });
  form.elements.credential.value = assertionJson(credential);
  form.action = "/login/passkey";
  form.submit(); // without the check for an empty name
}

async function confirm(form) {
  const options = await ask("confirmation-options");
  const credential = await navigator.credentials.get({ publicKey: requestOptions(options) });
  form.elements.confirmation.value = assertionJson(credential);
}

async function register(form) {
  const options = await ask("registration-options", new URLSearchParams(new FormData(form)));
  const credential = await navigator.credentials.create({ publicKey: creationOptions(options) });
  form.elements.credential.value = attestationJson(credential);
  for (const name of ["password", "code", "confirmation"]) {
    if (form.elements[name]) form.elements[name].value = "";
  }
  form.submit();
}

// Passkeys in the suggestions of the name field (conditional mediation), for as long as the page is open.
function Suggestion(form) {
  let controller = null;
  let timer = 0;
  this.start = async () => {
    this.stop();
    const isAvailable = await PublicKeyCredential.isConditionalMediationAvailable?.();
    if (!isAvailable) return;
    const mine = (controller = new AbortController());
    timer = setTimeout(this.start, RENEWED_MS);
    try {
      const options = await ask("sign-in-options");
      if (!mine.signal.aborted) {
        await signIn(form, options, { mediation: "conditional", signal: mine.signal });
      }
    } catch {
      // Nobody asked for it: the button says what is wrong.
    }
  };
  this.stop = () => {
    clearTimeout(timer);
    controller?.abort();
  };
}

// --- errors

// Work that succeeds leaves the page.
async function attempt(form, work) {
  const sentence = form.querySelector(".passkey-error");
  sentence.hidden = true;
  const release = holdButtons(form.querySelectorAll("button"));
  try {
    await work();
    return true;
  } catch (error) {
    sentence.textContent = sentenceOf(error);
    sentence.hidden = false;
    if (form.elements.confirmation) form.elements.confirmation.value = "";
    release();
    return false;
  }
}

function sentenceOf(error) {
  if (error instanceof ServerError) return error.message;
  switch (error.name) {
    case "NotAllowedError":
    case "AbortError":
      return wordsFor("passkey-cancelled");
    case "InvalidStateError":
      return wordsFor("passkey-known");
    case "SecurityError":
      return wordsFor("passkey-elsewhere");
    case "NotSupportedError":
    case "ConstraintError":
      return wordsFor("passkey-impossible");
    default:
      return wordsFor("passkey-failed");
  }
}

class ServerError extends Error {}

async function ask(name, body) {
  let answer;
  try {
    answer = await fetch(OPTIONS + name, { method: "POST", body });
  } catch {
    throw new ServerError(wordsFor("site-unreachable"));
  }
  const options = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ServerError(options.detail ?? wordsFor("went-wrong"));
  return options;
}

// --- JSON of the server and objects of the browser; not every browser converts them by itself

function requestOptions(options) {
  return {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map(descriptor),
  };
}

function creationOptions(options) {
  return {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map(descriptor),
  };
}

function descriptor(credential) {
  return { ...credential, id: bytesOf(credential.id) };
}

function assertionJson(credential) {
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return credentialJson(credential, {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle ? textOf(userHandle) : undefined,
  });
}

function attestationJson(credential) {
  const { clientDataJSON, attestationObject } = credential.response;
  return credentialJson(credential, {
    clientDataJSON: textOf(clientDataJSON),
    attestationObject: textOf(attestationObject),
    transports: credential.response.getTransports?.() ?? [],
  });
}

function credentialJson(credential, response) {
  return JSON.stringify({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    response,
  });
}
