// Who sits at a shared table: looked up when there is news, and now and then, which also says that this page lives.

const EVERY = 8000;
const company = document.getElementById("company");

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`${company.dataset.address}/people`, { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) await htmx.swap({ text: await answer.text(), target: company, swap: "innerMorph" });
  } catch {
    // The table itself says when the connection is gone.
  }
}

function offerCopy() {
  const button = document.querySelector(".copy-link");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("invitation").value);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

setInterval(look, EVERY);
document.addEventListener("news", look);
document.addEventListener("visibilitychange", look);
offerCopy();
