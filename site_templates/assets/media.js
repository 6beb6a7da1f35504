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

  // Saving data: said by the browser, or chosen here and kept here.
  function spared() {
    var own = null;
    try {
      own = localStorage.getItem("pictures");
    } catch (e) {
      /* storage can be forbidden */
    }
    return own ? own === "off" : Boolean(navigator.connection && navigator.connection.saveData);
  }

  // Pictures wait until they come near; taken away as soon as they are read, they are never asked for.
  if (spared())
    new MutationObserver(function () {
      document.querySelectorAll(".pic img").forEach(lose);
    }).observe(document, { childList: true, subtree: true });

  document.addEventListener("DOMContentLoaded", function () {
    var button = document.querySelector("button.pictures");
    button.textContent = spared() ? "사진 받기" : "사진 받지 않기";
    button.hidden = false;
    button.addEventListener("click", function () {
      try {
        localStorage.setItem("pictures", spared() ? "on" : "off");
      } catch (e) {
        return;
      }
      location.reload();
    });
  });

  function mute(sound) {
    var words = document.createElement("p");
    words.className = "fine";
    words.textContent = "이 소리 파일을 틀 수 없습니다. 제목을 눌러 원문에서 들어 보세요.";
    var focused = sound === document.activeElement;
    sound.replaceWith(words);
    // Who walks by keyboard must not be sent back to the page's head.
    words.tabIndex = -1;
    if (focused) words.focus();
  }

  function isPicture(node) {
    return node.tagName === "IMG";
  }

  document.addEventListener(
    "error",
    function (event) {
      if (isPicture(event.target)) lose(event.target);
      if (event.target.tagName === "AUDIO") mute(event.target);
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

  function play(button) {
    var frame = player(button.dataset.film, button.textContent);
    button.parentNode.replaceChildren(frame);
    frame.focus();
  }

  function listen(button) {
    var sound = document.createElement("audio");
    sound.controls = true;
    sound.preload = "none";
    sound.src = button.dataset.sound;
    sound.setAttribute("aria-label", button.textContent);
    button.parentNode.replaceChildren(sound);
    sound.focus();
    sound.play().catch(function () {
      // What a browser will not start by itself, or cannot: the error tells, or the reader presses again.
    });
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("button.play, button.listen");
    if (button) (button.dataset.film ? play : listen)(button);
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
