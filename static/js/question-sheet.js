// Whether the game can still be won, asked and answered in a sheet over the table, which stays as it is: no swap of htmx,
// since each of those is one of the table and would take a hint away.

import { showAnswer } from "./answer.js";
import { table } from "./board.js";
import { parsePage, refusalIn } from "./parse-page.js";
import { fetchPiece } from "./send.js";
import { openSheet } from "./sheet.js";
import { swapIn } from "./swap.js";
import { wordsFor } from "./words.js";

const AGAIN = 1000; // milliseconds between two looks at the progress
const LONGEST = 30_000; // the same while there is no answer: each time twice as long, up to this

export async function openQuestion(link) {
  const sheet = await openSheet(link, ".question", "question.css", "question-sheet");
  if (!sheet) return;
  sheet.closedBy = "any"; // by a touch beside it, too
  sheet.addEventListener("click", (event) => {
    if (event.target.closest("a")?.pathname !== table().dataset.address) return;
    event.preventDefault();
    sheet.close();
  });
  sheet.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.matches("[action$='/help/back']")) goBack(sheet, event.target);
    else send(sheet, link.href, event.target);
  });
  settle(sheet, link.href);
  // In a game that is assisted already, nothing has to be thought over.
  sheet.querySelector("form.free")?.requestSubmit();
}

// The answer is the table as it is then, whether it went back or has changed meanwhile.
async function goBack(sheet, form) {
  const button = form.querySelector("button");
  button.disabled = true;
  let text;
  try {
    const answer = await fetchPiece(form.action, filled(form));
    if (answer.status >= 500) throw new Error(String(answer.status));
    text = await answer.text();
  } catch {
    button.disabled = false;
    return complain(sheet, wordsFor("unreachable"));
  }
  sheet.close();
  await swapIn(text);
  // What led to the sheet may be gone.
  if (document.activeElement === document.body) document.querySelector(".rail .undo").focus();
}

// The focus is on the whole sheet: screen readers read all of it, and a key pressed twice asks nothing.
function settle(sheet, address) {
  const piece = sheet.querySelector("#asked");
  piece.tabIndex = -1;
  piece.focus();
  showMark(piece);
  follow(sheet, address);
}

async function send(sheet, address, form) {
  form.querySelector("button").disabled = true;
  const { piece, why } = await load(form.action, filled(form));
  const fresh = piece ?? (await load(address)).piece; // after a refusal it is asked from the position that there is now
  if (fresh) show(sheet, address, fresh);
  else form.querySelector("button").disabled = false;
  if (why) complain(sheet, why);
}

function complain(sheet, why) {
  hush(sheet);
  const alert = document.createElement("p");
  alert.setAttribute("role", "alert");
  alert.textContent = why;
  sheet.querySelector("#asked").prepend(alert);
}

const hush = (sheet) => sheet.querySelector("#asked > [role=alert]")?.remove();

function show(sheet, address, fresh) {
  sheet.querySelector("#asked").replaceWith(fresh);
  settle(sheet, address);
}

// While it is searched, only the bar changes: what is being read stays. An answer is also marked beside the name of the game
// when the sheet is closed; but nobody waits for it then if the site can't be reached.
async function follow(sheet, address) {
  const bar = sheet.querySelector("progress");
  let pause = AGAIN;
  while (bar) {
    await new Promise((done) => setTimeout(done, pause));
    if (!bar.isConnected) return;
    const { piece, why, status } = await load(address);
    if (!bar.isConnected) return;
    if (piece) {
      const now = piece.querySelector("progress");
      if (!now || saidIn(piece) !== saidIn(sheet)) return sheet.open ? show(sheet, address, piece) : showMark(piece);
      bar.value = now.value;
      if (pause > AGAIN) hush(sheet);
      pause = AGAIN;
      continue;
    }
    if (!sheet.open) return;
    const isRefused = status >= 400 && status < 500 && status !== 429;
    if (isRefused) return complain(sheet, why);
    if (pause === AGAIN) complain(sheet, wordsFor("lost")); // once, and not with every attempt
    pause = Math.min(pause * 2, LONGEST);
  }
}

const filled = (form) => ({ method: "POST", body: new URLSearchParams(new FormData(form)) });
const saidIn = (part) => part.querySelector("[role=status]").textContent;

/** The piece that an address answers with, or why there is none, and the status of a refusal. */
async function load(address, more) {
  try {
    const answer = await fetchPiece(address, more);
    const text = await answer.text();
    if (answer.ok) return { piece: document.adoptNode(parsePage(text).getElementById("asked")) };
    return { why: refusalIn(text), status: answer.status };
  } catch {
    return { why: wordsFor("unreachable") };
  }
}

// From the question on, the line above the table says that the game is assisted; then also what was found.
function showMark(piece) {
  const marks = piece.querySelector("template")?.content.cloneNode(true);
  if (!marks) return;
  if (!document.querySelector(".game-bar .assisted")) document.querySelector(".game-bar .name").append(marks.querySelector(".assisted"));
  const answer = marks.querySelector(".answered");
  if (answer) showAnswer(answer);
}
