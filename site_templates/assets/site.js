// Comforts only: every page reads without this file.
(function () {
  "use strict";
  var root = document.documentElement;
  var site = new URL("..", document.currentScript.src).href;
  var dark = matchMedia("(prefers-color-scheme: dark)");

  function stored(name) {
    try {
      return localStorage.getItem(name);
    } catch (e) {
      return null; // storage can be forbidden
    }
  }

  function keep(theme) {
    try {
      if (theme) localStorage.setItem("theme", theme);
      else localStorage.removeItem("theme");
    } catch (e) {
      /* the choice then lasts for this page */
    }
  }

  function show(theme) {
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  // In the head and before anything is painted, so that a chosen theme does not flash.
  root.classList.add("js");
  show(stored("theme"));

  function toggle() {
    var now = root.dataset.theme || (dark.matches ? "dark" : "light");
    var next = now === "dark" ? "light" : "dark";
    // Choosing what the system wants anyway means following the system again.
    var own = (next === "dark") === dark.matches ? null : next;
    keep(own);
    show(own);
  }

  // The page itself never tells the time; how old its night is can only be known here.
  function tellLate(mark) {
    var night = Date.parse(mark.dataset.night + "T00:00:00+09:00");
    var days = Math.floor((Date.now() - night) / 86400000);
    if (days >= 2) mark.textContent = mark.dataset.late.replace("{n}", days);
  }

  // A page lies for days as it was built: only the reader's clock knows which day is today in Korea.
  function near(day) {
    var today = Math.floor((Date.now() + 9 * 3600000) / 86400000);
    return ["오늘", "어제"][today - Date.parse(day.slice(0, 10) + "T00:00:00Z") / 86400000];
  }

  function tellDay(heading) {
    var word = near(heading.dataset.day);
    if (!word) return;
    var date = document.createElement("small");
    date.textContent = heading.textContent;
    heading.textContent = word + " ";
    heading.append(date);
  }

  // Shorter than the date it stands for, so nothing grows.
  function tellDate(time) {
    var word = near(time.dateTime);
    if (word) time.textContent = word + " " + time.textContent.slice(-3);
  }

  function copy(button) {
    var said = button.parentNode.querySelector("[role=status]");
    var korean = root.lang === "ko";
    var address = button.dataset.copy ? new URL(button.dataset.copy, location).href : location.href;
    navigator.clipboard.writeText(address).then(
      function () {
        said.textContent = korean ? "복사했습니다" : "Copied";
      },
      function () {
        said.textContent = address; // to be copied by hand
      }
    );
  }

  // A single key can be struck by chance (or by a voice): the page of the search turns it off.
  function slash(event) {
    var busy = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented;
    var field = document.getElementById("q");
    if (event.key !== "/" || busy || !field || stored("slash") === "off") return;
    if (event.target.isContentEditable || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
    field.select();
  }

  // The last pages seen can be read without a network; where a browser forbids this, nothing is lost.
  function remember() {
    navigator.serviceWorker.register(site + "sw.js").catch(function () {});
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll("button.copy").forEach(function (button) {
      if (navigator.clipboard) button.addEventListener("click", copy.bind(null, button));
      else button.hidden = true;
    });
    document.querySelectorAll("button.theme").forEach(function (button) {
      button.addEventListener("click", toggle);
    });
    document.addEventListener("keydown", slash);
    document.querySelectorAll(".late").forEach(tellLate);
    document.querySelectorAll("h2[data-day]").forEach(tellDay);
    if (root.lang === "ko") document.querySelectorAll("main li .when > time, aside li .when > time").forEach(tellDate);
  });
  if (navigator.serviceWorker) addEventListener("load", remember);
})();
