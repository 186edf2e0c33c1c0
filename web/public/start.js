// Runs before the first paint. A file, not inline: it passes a strict CSP.
(function () {
  var root = document.documentElement;
  var stored = null;
  try {
    stored = localStorage.getItem("mantine-color-scheme-value");
    // The cookie banner that the server drew must not flash where somebody has decided.
    if (localStorage.getItem("cookieConsentStatus")) root.setAttribute("data-decided", "");
  } catch (e) {}
  var dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  // A dark page never flashes white.
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");

  // A page that the server drew is painted first; then the application comes and takes it over.
  document.addEventListener("DOMContentLoaded", function () {
    var list = document.getElementById("scripts");
    if (!list) return;
    var load = function () {
      JSON.parse(list.textContent).forEach(function (path, at) {
        var one = document.createElement(at === 0 ? "script" : "link");
        if (at === 0) {
          one.type = "module";
          one.src = path;
        } else {
          one.rel = "modulepreload";
          one.href = path;
        }
        one.crossOrigin = "";
        document.head.append(one);
      });
    };
    if (document.hidden) return load();
    requestAnimationFrame(function () {
      // Right before the first paint: the room that the cookie banner takes, so that nothing moves when the application measures it.
      var banner = document.querySelector("#root > section");
      var top = banner ? banner.getBoundingClientRect().top : 0;
      if (top > 0) root.style.setProperty("--ly-banner", Math.ceil(innerHeight - top) + "px");
      setTimeout(load);
    });
  });

  // Whoever is quicker than the application: what is typed and ticked is put in again once it is here (it knows only what it
  // hears), the last button is pressed again, and the form that was sent waits, instead of leaving as a plain form with its
  // fields in the address.
  var typed = new Map();
  var pressed = null;
  var held = null;
  var again = false;
  var isEarly = function () {
    return !again && document.querySelector("#root[data-rendered]");
  };
  var remember = function (event) {
    var field = event.target;
    if (isEarly())
      typed.set(
        field,
        field.type === "checkbox" || field.type === "radio" ? { checked: field.checked } : { value: field.value },
      );
  };
  document.addEventListener("input", remember, true);
  document.addEventListener("change", remember, true);
  document.addEventListener(
    "click",
    function (event) {
      var button = event.target.closest && event.target.closest("button[type=button]");
      if (!button || !isEarly()) return;
      event.stopPropagation();
      pressed = button;
    },
    true,
  );
  document.addEventListener(
    "submit",
    function (event) {
      if (!isEarly()) return;
      event.preventDefault();
      event.stopPropagation();
      held = event.target;
    },
    true,
  );
  var putIn = function (field, was) {
    if ("checked" in was) return was.checked !== field.checked && field.click();
    // React hears only a value that differs from the last one it saw, and it sees what is set like this.
    field.value = "";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, was.value);
    field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  };
  var step = function () {
    var first = typed.entries().next().value;
    var target = first ? first[0] : pressed || held;
    if (first) typed.delete(target);
    else if (pressed) pressed = null;
    else held = null;
    if (!target.isConnected) return;
    if (first) putIn(target, first[1]);
    else if (target.tagName === "FORM") target.requestSubmit();
    else target.click();
  };
  // One after the other, each in its own turn: what the last one changed must be on screen before the next. What people do
  // meanwhile joins the line; the page is the application's when it is empty.
  var goOn = function () {
    if (!typed.size && !pressed && !held) return document.getElementById("root").removeAttribute("data-rendered");
    again = true;
    try {
      step();
    } finally {
      again = false;
    }
    setTimeout(goOn);
  };
  addEventListener("lyceum-hydrated", goOn, { once: true });
})();
