// The page of the search: the query lives in the address, the engine finds, show.js draws.

import { Engine, normal, parse } from "./engine.js";
import { FILTERS, parts, written } from "./query.js";
import { node, row } from "./show.js";

// What begin.js has told the reader then.
if (!self.DecompressionStream) throw new Error("this browser is too old for the search");

const PORTION = 20;
const PAUSE_MS = 400;
const PLACES = 6;
// An answer sooner than this needs no word that it is coming.
const PATIENCE_MS = 500;
const NAMES = { outlet: "매체", kind: "갈래", univ: "대학", tag: "태그", from: "부터", to: "까지", "": "낱말" };

const root = new URL("../../", import.meta.url).href;
const engine = new Engine(`${root}search/`);
const $ = (id) => document.getElementById(id);
const field = $("q");
const hits = $("hits");
const title = document.title;
const kindButtons = Array.from(document.querySelectorAll("[data-kind]"));
const nameOf = (button) => button.firstChild.data.trim();
const named = new Map(kindButtons.map((button) => [button.dataset.kind, nameOf(button)]));
const number = (value) => value.toLocaleString("ko-KR");

let asked = "";
let found = null;
let shown = [];
let turns = 0;
let typing = false;
let composing = false;
let pause = 0;
let patience = 0;
let failed = null;

/** What the address asks for; filters may also stand there by themselves: ?q=축제&outlet=hanbit-news. */
function addressed() {
  const given = new URLSearchParams(location.search);
  const filters = FILTERS.flatMap((name) => given.getAll(name).filter(Boolean).map((text) => written(name, text)));
  return [...given.getAll("q"), ...filters].join(" ").trim();
}

function settle(text, how) {
  if (how === "keep" || text === addressed()) return;
  const search = text ? `?q=${encodeURIComponent(text).replace(/%20/g, "+")}` : location.pathname;
  history[how === "push" ? "pushState" : "replaceState"](null, "", search);
}

/** Looks a query up. `how`: whether the address is to `push`, `replace` or `keep`; `wanted`: how many results. */
async function ask(text, how = "push", wanted = PORTION) {
  clearTimeout(pause);
  clearTimeout(patience);
  const turn = ++turns;
  asked = text.trim();
  settle(asked, how);
  document.title = asked ? `${asked} · ${title}` : title;
  conditions();
  found = null;
  failed = null;
  for (const id of ["trouble", "rest", "nothing"]) $(id).hidden = true;
  const { words, without, not, from, to, outlet, kind, univ, tag } = parse(asked);
  const meant = Boolean(from || to || [words, without, not, outlet, kind, univ, tag].some((list) => list.length));
  $("how").hidden = meant;
  if (!meant) {
    empty();
    hits.removeAttribute("aria-busy");
    $("count").textContent = asked ? "찾을 낱말을 적어 주세요." : "";
    counts(false);
    return;
  }
  hits.setAttribute("aria-busy", "true");
  patience = setTimeout(() => ($("count").textContent = "찾는 중…"), PATIENCE_MS);
  await portion(turn, wanted, true, () => ask(asked, "keep", wanted));
}

/** Fetches and shows some results of the query asked last; `again` is what a retry does. */
async function portion(turn, wanted, anew, again) {
  try {
    const results = found ?? (await engine.search(asked));
    const cards = await results.next(wanted);
    if (turn !== turns) return null;
    found = results;
    const rows = cards.map((card) => row(card, results.query.words, named, root, hits.dataset.report));
    if (anew) empty(results.places.slice(0, PLACES));
    hits.append(...rows);
    shown = shown.concat(cards);
    tell();
    return rows;
  } catch (error) {
    if (turn !== turns) return null;
    if (anew) {
      empty();
      $("count").textContent = "";
      counts(false);
    }
    stumble(again);
    return null;
  } finally {
    if (turn === turns) {
      clearTimeout(patience);
      hits.removeAttribute("aria-busy");
    }
  }
}

/** Takes away what was found before; leaves ways to the universities and outlets that the query may mean. */
function empty(places = []) {
  shown = [];
  hits.replaceChildren();
  const ways = places.map(({ path, name, kind }) => {
    const what = node("span", {}, named.get(kind) ?? NAMES[kind] ?? kind);
    return node("li", { class: kind }, node("a", { href: root + path }, node("bdi", {}, name), what));
  });
  $("places").replaceChildren(...ways);
  $("places").hidden = !ways.length;
}

/** How many there are, and whether more can be asked for. */
function tell() {
  const { count, given, limit } = found;
  const whole = found.ended || (count.exact && given >= count.value);
  const most = `${number(count.value)}건`;
  let words = count.exact ? `모두 ${most}, 새 글부터` : `많아야 ${most}, 새 글부터`;
  if (limit !== Infinity && count.value > limit) {
    words = `모두 ${most}. 한 글자로는 가장 새 글 ${number(limit)}건까지 보여 줍니다.`;
  }
  const places = $("places").hidden ? "" : " 이름이 맞는 곳은 아래에 있습니다.";
  if (!given) words = whole ? `찾은 글이 없습니다.${places}` : `아직 찾지 못했습니다. ${most} 가운데 새 글부터 살피는 중입니다.`;
  else if (!whole) words += ` (${number(given)}건까지 보는 중)`;
  $("count").textContent = words;
  $("nothing").hidden = given > 0 || !whole;
  $("rest").hidden = whole || given >= limit;
  counts(whole && limit === Infinity);
}

/** How many results are of each kind; `all`: whether these are all the results there are. */
function counts(all) {
  const sums = new Map();
  for (const { kind, outlet } of shown) for (const one of [kind, outlet?.kind]) sums.set(one, (sums.get(one) ?? 0) + 1);
  for (const button of kindButtons) {
    const sum = sums.get(button.dataset.kind);
    button.lastElementChild.textContent = sum ? number(sum) : "";
  }
  let words = all ? "찾은 글 모두를 갈래마다 센 수입니다." : `지금 보이는 ${number(shown.length)}건만 갈래마다 센 수입니다.`;
  if (!shown.length) words = "";
  $("over").textContent = words;
}

function stumble(again) {
  failed = again;
  const words = navigator.onLine
    ? "색인의 조각 하나를 받지 못했습니다. 잠시 뒤 다시 찾아 보세요."
    : "인터넷에 이어져 있지 않습니다. 이어지면 곧바로 다시 찾습니다.";
  $("trouble").firstElementChild.textContent = words;
  $("trouble").hidden = false;
}

async function more() {
  $("trouble").hidden = true;
  failed = null;
  $("onward").disabled = true;
  hits.setAttribute("aria-busy", "true");
  const rows = await portion(turns, PORTION, false, more);
  $("onward").disabled = false;
  if (!rows) return;
  history.replaceState({ shown: found.given }, "");
  rows[0]?.querySelector("a")?.focus();
}

/** The query without some of its parts. */
function less(text, goes) {
  let rest = text;
  for (const part of parts(text).filter(goes).reverse()) rest = rest.slice(0, part.start) + rest.slice(part.end);
  return rest.replace(/\s+/gu, " ").trim();
}

function change(text) {
  field.value = text;
  typing = false;
  return ask(text);
}

/** Shows the filters of the query as chips, and in the buttons and fields that set them. */
function conditions() {
  const all = parts(asked).filter((part) => part.filter || part.without);
  const troubles = parse(asked).troubles.map(({ part }) => part.start);
  $("asked").replaceChildren(...all.map((part) => node("li", {}, chip(part, troubles.includes(part.start)))));
  $("asked").hidden = !all.length;
  for (const button of kindButtons) button.setAttribute("aria-pressed", String(all.some(sets(button))));
  for (const input of document.querySelectorAll("[data-day]")) input.value = parse(asked)[input.dataset.day] ?? "";
  engine.edition().then(({ names }) => {
    for (const button of $("asked").querySelectorAll("[data-filter=outlet], [data-filter=univ]")) {
      const { filter, word } = button.dataset;
      const { name, university } = Array.from(names.outlets.values()).find((one) => called(one, filter, word)) ?? {};
      const whole = filter === "outlet" ? name : university;
      if (whole) button.querySelector("b").textContent = whole;
    }
  }, () => {});
}

/** Whether a filter's word is the short name of an outlet or its university. */
function called({ slug, univ }, filter, word) {
  return normal(filter === "outlet" ? slug : univ) === word;
}

function chip(part, odd) {
  const name = (part.without ? "제외 " : "") + NAMES[part.filter];
  const made = node(
    "button",
    { type: "button", class: odd && "odd", "data-filter": part.filter || null, "data-word": part.word },
    node("small", {}, odd ? `${name} (날짜를 읽을 수 없음)` : name),
    " ",
    node("b", {}, part.text),
    node("span", { "aria-hidden": "true" }, " ×"),
    node("span", { class: "v" }, " 조건 빼기"),
  );
  made.addEventListener("click", () => {
    change(less(asked, (one) => one.start === part.start));
    ($("asked").querySelector("button") ?? field).focus();
  });
  return made;
}

/** Whether a part of a query is the kind that a button stands for. */
function sets(button) {
  const words = [normal(button.dataset.kind), normal(nameOf(button))];
  return (part) => part.filter === "kind" && !part.without && words.includes(part.word);
}

for (const button of kindButtons) {
  button.addEventListener("click", () => {
    const rest = less(asked, sets(button));
    const on = button.getAttribute("aria-pressed") === "true";
    change(on ? rest : `${rest} ${written("kind", nameOf(button))}`.trim());
  });
}
for (const input of document.querySelectorAll("[data-day]")) {
  input.addEventListener("change", () => {
    const { day } = input.dataset;
    const rest = less(asked, (part) => part.filter === day);
    change(input.value ? `${rest} ${written(day, input.value)}`.trim() : rest);
  });
}

// Most readers come with a query: what offers words waits until the field is used.
const combobox = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "offers" };
for (const [name, value] of Object.entries(combobox)) field.setAttribute(name, value);
let offers = null;
async function prepare() {
  const { Offers } = await import("./offer.js");
  offers ??= new Offers(field, engine.files, (text) => {
    typing = false;
    ask(text);
  });
  if (field.value.trim() !== asked) offers.typed();
}
field.addEventListener("focus", () => prepare().catch(() => {}), { once: true });
if (document.activeElement === field) field.dispatchEvent(new Event("focus"));

field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  offers?.close();
  typing = false;
  // Some input methods send the Enter that ends a syllable twice; and what is asked already is on its way.
  if (field.value.trim() !== asked || failed) ask(field.value);
});
/** Asks once the reader pauses: one entry of the history for all that is typed without a stop. */
function later() {
  clearTimeout(pause);
  pause = setTimeout(() => {
    // A lone consonant is a syllable that has only begun.
    if (field.value.trim() === asked || (composing && /[ㄱ-ㅎ]$/.test(field.value))) return;
    ask(field.value, typing ? "replace" : "push");
    typing = true;
  }, PAUSE_MS);
}
field.addEventListener("input", () => {
  offers?.typed();
  later();
});
// A key that a syllable in the making is ended with belongs to the input method (229 where the browser says so no more).
field.addEventListener("compositionstart", () => (composing = true));
field.addEventListener("compositionend", () => {
  composing = false;
  later();
});
field.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  if (offers?.key(event.key)) event.preventDefault();
  else if (event.key === "Escape" && field.value) {
    event.preventDefault();
    change("");
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    hits.querySelector(".t a")?.focus();
  }
});
hits.addEventListener("keydown", (event) => {
  const links = Array.from(hits.querySelectorAll(".t a"));
  const at = links.indexOf(event.target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") field.focus();
  else if (step && at >= 0) {
    event.preventDefault();
    (links[at + step] ?? (step < 0 ? field : $("rest").hidden ? links[at] : $("onward"))).focus();
  }
});

// The key itself is heard by every page (site.js).
try {
  $("slash").checked = localStorage.getItem("slash") !== "off";
} catch {
  $("slash").checked = true; // storage can be forbidden
}
$("slash").addEventListener("change", () => {
  try {
    if ($("slash").checked) localStorage.removeItem("slash");
    else localStorage.setItem("slash", "off");
  } catch {
    $("slash").checked = true;
  }
});

$("onward").addEventListener("click", more);
$("again").addEventListener("click", () => failed?.());
window.addEventListener("online", () => failed?.());
window.addEventListener("popstate", (event) => arrive(event.state));

function arrive(state) {
  typing = false;
  field.value = addressed();
  offers?.close();
  ask(field.value, "keep", Math.max(PORTION, state?.shown ?? 0));
}
arrive(history.state);
