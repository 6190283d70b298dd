// The games page: what is typed filters the list at once, and the choice of new deals is saved at once. Without this
// script, buttons do it.

const PAUSE = 200; // milliseconds between two keys that are one word

const search = document.querySelector("form.search");
let waiting = 0;
let asked = null; // stops the last request

async function find() {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  const wanted = [...new FormData(search)].filter(([, value]) => value.trim());
  const address = new URL(search.action);
  address.search = new URLSearchParams(wanted);
  try {
    const answer = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok && !signal.aborted) show(page, address);
  } catch {
    // The list stays as it is; Enter asks again.
  }
}

function show(page, address) {
  for (const id of ["filters", "found"]) document.getElementById(id).replaceWith(page.getElementById(id));
  document.getElementById("said").textContent = document.querySelector(".result span")?.textContent.trim() ?? "";
  history.replaceState(null, "", address);
}

search.elements.q.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(find, PAUSE);
});

document.querySelector("form.choice")?.addEventListener("change", async (event) => {
  const { currentTarget: form, target: select } = event;
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (answer?.type !== "opaqueredirect") return form.submit(); // its page says what is wrong
  form.querySelector("[role=status]").textContent = select.selectedOptions[0].dataset.note;
});
