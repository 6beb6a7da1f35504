// Where the search cannot even begin, the page says so instead of standing still. Plain old script on purpose.
(function () {
  "use strict";
  function tell(words) {
    var trouble = document.getElementById("trouble");
    trouble.firstElementChild.textContent = words;
    trouble.hidden = false;
    document.getElementById("again").onclick = function () {
      location.reload();
    };
  }
  function once(words) {
    if (document.getElementById("trouble")) tell(words);
    else document.addEventListener("DOMContentLoaded", tell.bind(null, words));
  }

  if (!("noModule" in HTMLScriptElement.prototype) || !window.DecompressionStream) {
    once("이 브라우저가 오래되어 찾기가 움직이지 않습니다. 새 브라우저로 열거나, 매체와 보관함에서 둘러봐 주세요.");
  }
  // Errors of what a page loads do not rise: they are caught on their way down.
  addEventListener("error", function (event) {
    if (event.target.type === "module") once("찾기에 드는 조각을 받지 못했습니다. 잠시 뒤 다시 찾아 보세요.");
  }, true);
})();
