// The list below the field while a reader types: a combobox as WAI-ARIA describes it.

import { Complete } from "./complete.js";
import { parts, written } from "./query.js";
import { marked, node } from "./show.js";

const MOST = 8;
const KINDS = { outlet: "매체", univ: "대학", tag: "태그", word: "낱말" };

export class Offers {
  #turn = 0;
  #found = [];
  #active = -1;

  /** `field`: a combobox that controls `offers`; `files`: the engine's; `picked(text)` is told what the field holds once an offer was taken. */
  constructor(field, files, picked) {
    this.field = field;
    this.complete = new Complete(files);
    this.picked = picked;
    this.list = node("ul", { id: "offers", class: "offers", role: "listbox", "aria-label": "찾을 말", hidden: "" });
    field.form.append(this.list);
    field.addEventListener("blur", () => this.close());
    field.addEventListener("compositionstart", () => (this.composing = true));
    field.addEventListener("compositionend", () => (this.composing = false));
    // A press must not take the focus from the field: it would close the list before the click.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const at = Array.from(this.list.children).indexOf(event.target.closest("li"));
      if (at >= 0) this.#take(at);
    });
  }

  get open() {
    return !this.list.hidden;
  }

  close() {
    this.#turn++;
    this.#found = [];
    this.#point(-1);
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
  }

  /** Offers what may be meant by the word at the caret. */
  async typed() {
    const turn = ++this.#turn;
    const caret = this.field.selectionStart;
    const part = parts(this.field.value).find((one) => one.start < caret && caret <= one.end);
    if (!part || ["kind", "from", "to"].includes(part.filter) || part.phrase) return this.close();
    const all = await this.complete.offers(part.text, part.filter ? 50 : MOST);
    if (turn !== this.#turn) return;
    this.part = part;
    this.#draw(all.filter((one) => !part.filter || one.kind === part.filter).slice(0, MOST));
  }

  #draw(found) {
    this.#found = found;
    this.list.replaceChildren(
      ...found.map(({ kind, text, ranges }, at) =>
        node(
          "li",
          { id: `offer-${at}`, role: "option", "aria-selected": "false" },
          node("span", {}, marked(text, ranges)),
          node("small", {}, KINDS[kind]),
        ),
      ),
    );
    this.list.hidden = !found.length;
    this.field.setAttribute("aria-expanded", String(found.length > 0));
    this.#point(-1);
  }

  #point(at) {
    this.#active = at;
    Array.from(this.list.children).forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
    if (at < 0) this.field.removeAttribute("aria-activedescendant");
    else {
      this.field.setAttribute("aria-activedescendant", `offer-${at}`);
      this.list.children[at].scrollIntoView({ block: "nearest" });
    }
  }

  /** Whether a key was the list's. */
  key(name) {
    if (!this.open) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[name];
    if (step) {
      const places = this.#found.length + 1;
      this.#point(((this.#active + 1 + step + places) % places) - 1);
    } else if (name === "Escape") this.close();
    else if (name === "Enter" && this.#active >= 0) this.#take(this.#active);
    else return false;
    return true;
  }

  #take(at) {
    const { kind, text, value } = this.#found[at];
    const { start, end, without } = this.part;
    if (this.composing) {
      // Else the input method would put its last syllable behind the word that was taken.
      this.field.blur();
      this.field.focus();
    }
    const word = kind === "word" ? text : written(kind, value || text);
    const before = this.field.value.slice(0, start) + (without ? "-" : "") + word + " ";
    this.field.value = before + this.field.value.slice(end).trimStart();
    this.field.setSelectionRange(before.length, before.length);
    this.close();
    this.picked(this.field.value);
  }
}
