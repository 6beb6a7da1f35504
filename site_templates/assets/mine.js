// Own outlets: which ones a reader follows stays in this browser; their newest stories come from the site's own feeds.
(function () {
  "use strict";
  var NEWEST = 100;
  var DAYS = "일월화수목금토";
  var root = new URL("..", document.currentScript.src).href;

  function held() {
    try {
      var found = JSON.parse(localStorage.getItem("mine") || "[]");
      return Array.isArray(found) ? found.filter((slug) => typeof slug === "string" && /^[a-z0-9-]+$/.test(slug)) : [];
    } catch (e) {
      return []; // storage can be forbidden, or hold what another hand wrote
    }
  }

  function keep(slugs) {
    try {
      if (slugs.length) localStorage.setItem("mine", JSON.stringify(slugs));
      else localStorage.removeItem("mine");
    } catch (e) {
      return false;
    }
    return true;
  }

  function made(tag, name, words) {
    var node = document.createElement(tag);
    if (name) node.className = name;
    if (words) node.textContent = words;
    return node;
  }

  function linked(href, words) {
    var node = made("a", "", words);
    node.href = href;
    return node;
  }

  // A button that says by itself whether its outlet is followed.
  function choice(slug, name) {
    var button = made("button", "choice", "내 매체");
    button.type = "button";
    button.append(made("span", "v", ": " + name));
    function tell() {
      button.setAttribute("aria-pressed", String(held().includes(slug)));
    }
    button.addEventListener("click", function () {
      var slugs = held();
      if (!keep(slugs.includes(slug) ? slugs.filter((one) => one !== slug) : slugs.concat(slug)))
        button.after(made("small", "", " 이 브라우저가 저장을 막아 두었습니다"));
      tell();
    });
    tell();
    return button;
  }

  function onOutlet(place) {
    place.append(choice(place.dataset.outlet, place.dataset.name));
  }

  // The directory gets its buttons on demand: hundreds of them would only be in the way.
  function onDirectory(place) {
    var button = made("button", "choice", "내 매체 고르기");
    button.type = "button";
    button.addEventListener("click", function () {
      button.remove();
      document.querySelectorAll(".directory dd > a").forEach(function (link) {
        link.after(" ", choice(link.getAttribute("href").split("/").slice(-2)[0], link.textContent));
      });
      document.querySelector(".directory dd .choice").focus();
    });
    place.append(button);
  }

  // `2026. 3. 5. (목)` in Korea.
  function dayOf(stamp) {
    var there = new Date(Date.parse(stamp) + 9 * 3600000);
    return there.getUTCFullYear() + ". " + (there.getUTCMonth() + 1) + ". " + there.getUTCDate() + ". (" +
      DAYS[there.getUTCDay()] + ")";
  }

  function row(story) {
    var item = made("li", "row " + story.kind);
    var title = made("span", "t");
    var link = /^https?:/i.test(story.url) ? linked(story.url, story.title) : made("span", "", story.title);
    if (link.href) link.rel = "noopener";
    if (story.language) title.lang = story.language;
    title.append(link);
    var of = made("span", "of");
    var outlet = linked(root + "o/" + story.slug + "/", story.outlet);
    outlet.className = "outlet";
    of.append(outlet);
    var when = made("span", "when", story.date_published ? "" : "날짜 미상");
    if (story.date_published) {
      var time = made("time", "", dayOf(story.date_published));
      time.dateTime = story.date_published;
      when.append(time);
    }
    item.append(title, " ", of, " ", when);
    return item;
  }

  async function feed(slug) {
    try {
      var answer = await fetch(root + "feeds/o/" + slug + ".json");
      if (!answer.ok) return { slug: slug, title: slug, items: [], gone: answer.status === 404 };
      var found = await answer.json();
      return { slug: slug, title: found.title, items: found.items, kind: (found._outlet || {}).kind || "" };
    } catch (e) {
      return { slug: slug, title: slug, items: [], unread: true };
    }
  }

  function chosen(one) {
    var item = made("li");
    item.append(one.gone ? one.title : linked(root + "o/" + one.slug + "/", one.title), " ");
    if (one.gone) item.append(made("small", "", "이 색인에서 빠졌습니다 "));
    if (one.unread) item.append(made("small", "", "지금 읽을 수 없습니다 "));
    item.append(choice(one.slug, one.title));
    return item;
  }

  async function onMine(place) {
    var slugs = held();
    place.querySelector(".none").hidden = slugs.length > 0;
    if (!slugs.length) return;
    place.querySelector("[role=status]").textContent = "읽는 중입니다 …";
    var feeds = await Promise.all(slugs.map(feed));
    var stories = feeds.flatMap((one) => one.items.map((item) => ({ ...item, slug: one.slug, outlet: one.title, kind: one.kind })));
    var at = (story) => Date.parse(story.date_published || story.date_modified);
    stories.sort((one, other) => at(other) - at(one));
    place.querySelector(".list").append(...stories.slice(0, NEWEST).map(row));
    place.querySelector(".chosen").append(...feeds.map(chosen));
    place.querySelector("[role=status]").textContent = "내 매체 " + slugs.length + "곳, 글 " +
      Math.min(stories.length, NEWEST) + "편";
    place.querySelectorAll("section").forEach((part) => (part.hidden = false));
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll("[data-outlet]").forEach(onOutlet);
    document.querySelectorAll("[data-choose]").forEach(onDirectory);
    document.querySelectorAll("[data-mine]").forEach(onMine);
  });
})();
