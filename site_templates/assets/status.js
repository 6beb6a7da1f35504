// Lines of /status/ by a name: what does not hold the words is hidden, what is folded opens while there are any.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var field = document.getElementById("sift");
  if (!field) return;

  function plain(text) {
    return text.normalize("NFC").toLowerCase().replace(/\s+/g, "");
  }

  var lines = Array.from(document.querySelectorAll(".sifted li"), function (item) {
    // Of the sentence every word would be in many lines.
    var sentence = item.querySelector("p");
    return { item: item, text: plain(item.textContent.replace(sentence ? sentence.textContent : "", "")) };
  });

  function holding(word) {
    return lines.filter(function (line) {
      return line.text.includes(word);
    });
  }

  function sift(event) {
    var word = plain(field.value);
    var found = holding(word);
    // A syllable in the making is not yet what will be looked for.
    if (!found.length && event && event.isComposing) found = holding((word = word.slice(0, -1)));
    lines.forEach(function (line) {
      line.item.hidden = !found.includes(line);
    });
    document.querySelectorAll(".sifted, .sifted details").forEach(function (box) {
      box.hidden = !box.querySelector("li:not([hidden])");
      if (box.tagName === "DETAILS") box.open = word !== "";
    });
    var said = found.length ? "모두 " + found.length + "줄" : "맞는 줄이 없습니다. 등록되지 않은 매체일 수 있습니다.";
    document.querySelector(".sift [role=status]").textContent = word ? said : "";
  }

  field.addEventListener("input", sift);
  field.addEventListener("compositionend", sift);
  // A browser may keep what stood there when one comes back.
  if (field.value) sift();
});
