// Pictures and players. It stands in the head: a picture that fails before the page is read to its end is seen too.
(function () {
  "use strict";

  // The box stays, its words take the picture's place.
  function lose(img) {
    var box = img.closest(".pic");
    if (!box) return;
    box.classList.add("lost");
    box.querySelectorAll("[aria-hidden]").forEach(function (words) {
      words.removeAttribute("aria-hidden");
    });
    img.remove();
  }

  function isPicture(node) {
    return node.tagName === "IMG";
  }

  document.addEventListener(
    "error",
    function (event) {
      if (isPicture(event.target)) lose(event.target);
    },
    true
  );

  // Where a film has no thumbnail, YouTube sends a grey picture of 120 pixels instead of an error.
  document.addEventListener(
    "load",
    function (event) {
      var img = event.target;
      if (isPicture(img) && img.closest(".film") && img.naturalWidth <= 120) lose(img);
    },
    true
  );

  function player(film, title) {
    var frame = document.createElement("iframe");
    frame.src = "https://www.youtube-nocookie.com/embed/" + encodeURIComponent(film) + "?autoplay=1";
    frame.title = title;
    frame.allow = "autoplay; encrypted-media; picture-in-picture; fullscreen";
    frame.allowFullscreen = true;
    // The player refuses to start (its error 153) where it is not told which site it stands on.
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    return frame;
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("button.play");
    if (!button) return;
    var frame = player(button.dataset.film, button.textContent);
    button.parentNode.replaceChildren(frame);
    frame.focus();
  });

  // One sound at a time.
  document.addEventListener(
    "play",
    function (event) {
      document.querySelectorAll("audio").forEach(function (other) {
        if (other !== event.target) other.pause();
      });
    },
    true
  );
})();
