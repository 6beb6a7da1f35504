// What the page shows, made of nodes and texts alone: no word of an article is ever read as HTML.

import { marks } from "./normal.js";

const WEEKDAYS = "일월화수목금토";
const EXCERPT_FROM = 60;
const EXCERPT_BEFORE = 28;

/** An element; children may be texts or nodes, and what is empty is left out. */
export function node(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value || value === "") made.setAttribute(key, value);
  made.append(...children.filter(Boolean));
  return made;
}

/** A text with spans of it in <mark>. */
export function marked(text, ranges) {
  const made = document.createDocumentFragment();
  let at = 0;
  for (const [start, end] of ranges) {
    made.append(text.slice(at, start), node("mark", {}, text.slice(start, end)));
    at = end;
  }
  made.append(text.slice(at));
  return made;
}

function found(text, words) {
  const whole = text.normalize("NFC");
  return marked(whole, marks(whole, words));
}

/** A summary from a little before its first match on, so that what was looked for is seen. */
function excerpt(summary, words) {
  const whole = summary.normalize("NFC");
  const first = marks(whole, words)[0]?.[0] ?? 0;
  if (first < EXCERPT_FROM) return found(whole, words);
  const space = whole.indexOf(" ", first - EXCERPT_BEFORE);
  const from = space >= 0 && space < first ? space + 1 : first;
  const made = found(whole.slice(from), words);
  made.prepend("… ");
  return made;
}

/** `en` for the English text of an English paper. */
function langOf(text, outlet) {
  return outlet?.kind === "english" && /[A-Za-z]/.test(text) && !/[ᄀ-ᇿ㄰-㆏가-힣]/.test(text) ? "en" : null;
}

/** The address if a page may link to it. */
function web(url) {
  try {
    const { protocol, username, password } = new URL(url);
    return (protocol === "http:" || protocol === "https:") && !username && !password ? url : null;
  } catch {
    return null;
  }
}

/** 2026-03-05 as readers write it. */
export function dayText(date) {
  const [year, month, day] = date.split("-").map(Number);
  if (!day) return date;
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()];
  return `${year}. ${month}. ${day}.${weekday ? ` (${weekday})` : ""}`;
}

/**
 * One result, as the site's lists write it. `named`: Korean words of kinds; `root`: the site's address; `report`: where
 * readers ask to have a card removed, {url} standing for the card's address.
 */
export function row(card, words, named, root, report) {
  const { outlet } = card;
  const title = card.title ? found(card.title, words) : "(제목 없음)";
  const href = web(card.url);
  const written = report.replace("{url}", () => encodeURIComponent(card.url || card.title));
  const kind = card.kind === "article" ? "" : named.get(card.kind);
  return node(
    "li",
    { class: `row ${outlet?.kind ?? ""}` },
    node(
      "span",
      { class: "t", lang: langOf(card.title, outlet) },
      kind && node("span", { class: "mark" }, kind),
      href ? node("a", { href, rel: "noopener" }, title) : title,
    ),
    card.summary && node("p", { class: "said", lang: langOf(card.summary, outlet) }, excerpt(card.summary, words)),
    outlet &&
      node(
        "span",
        { class: "of" },
        node("a", { class: "outlet", href: `${root}o/${encodeURIComponent(outlet.slug)}/` }, outlet.name),
        node("span", { class: "v" }, named.get(outlet.kind) ?? outlet.kind),
      ),
    node("span", { class: "when" }, card.date ? node("time", { datetime: card.date }, dayText(card.date)) : "날짜 미상"),
    card.byline && node("span", { class: "by" }, found(card.byline, words)),
    node("a", { class: "report", href: written, rel: written.startsWith("http") && "noopener" }, "신고·삭제"),
  );
}
