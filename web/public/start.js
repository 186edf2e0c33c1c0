// Runs before the first paint. Not inline, to satisfy a strict Content Security Policy.
(function () {
  var root = document.documentElement;
  var stored = null;
  try {
    stored = localStorage.getItem("mantine-color-scheme-value");
    // Hides the server-rendered cookie banner if the visitor has already decided.
    if (localStorage.getItem("cookieConsentStatus")) root.setAttribute("data-decided", "");
  } catch (e) {}
  var dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  // Prevents a white flash in dark mode.
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");

  // The token that every page of a signed-in user needs first (web/core/http/http.ts), requested while the application
  // is loading. Not if a sign-out has yet to reach the server: it comes first.
  try {
    if (root.hasAttribute("data-session") && !localStorage.getItem("signOutDue")) {
      // Of whom: if somebody else logs in or out in another tab meanwhile, the answer is not used
      // (web/core/session/token.ts).
      window.earlyUser = localStorage.getItem("user");
      window.earlyAnswers = {
        "/api/auth/token": fetch("/api/auth/token", {
          method: "POST",
          credentials: "same-origin",
          headers: { accept: "application/json" },
        }),
      };
    }
    if (localStorage.getItem("sidebar-collapsed") === "true") root.style.setProperty("--ly-side", "60px");
  } catch (e) {}

  // A server-rendered page is painted before the scripts of the application are loaded.
  document.addEventListener("DOMContentLoaded", function () {
    var list = document.getElementById("scripts");
    if (!list) return;
    var load = function () {
      JSON.parse(list.textContent).forEach(function (path, index) {
        var element = document.createElement(index === 0 ? "script" : "link");
        if (index === 0) {
          element.type = "module";
          element.src = path;
        } else {
          element.rel = "modulepreload";
          element.href = path;
        }
        element.crossOrigin = "";
        document.head.append(element);
      });
    };
    if (document.hidden) return load();
    requestAnimationFrame(function () {
      // Reserves the space of the cookie banner right before the first paint, so that hydration does not shift the
      // layout.
      var banner = document.querySelector("#root > section");
      var top = banner ? banner.getBoundingClientRect().top : 0;
      if (top > 0) root.style.setProperty("--ly-banner", Math.ceil(innerHeight - top) + "px");
      setTimeout(load);
    });
  });

  // Records input before hydration and replays it afterwards, because React only knows events that it has received:
  // field values, the last clicked button and a submitted form, which must not be sent natively with its fields in the
  // URL.
  var changedFields = new Map();
  var clickedButton = null;
  var submittedForm = null;
  var isReplaying = false;
  var isBeforeHydration = function () {
    return !isReplaying && document.querySelector("#root[data-rendered]");
  };
  var recordField = function (event) {
    var field = event.target;
    if (isBeforeHydration())
      changedFields.set(
        field,
        field.type === "checkbox" || field.type === "radio" ? { checked: field.checked } : { value: field.value },
      );
  };
  document.addEventListener("input", recordField, true);
  document.addEventListener("change", recordField, true);
  document.addEventListener(
    "click",
    function (event) {
      var button = event.target.closest && event.target.closest("button[type=button]");
      if (!button || !isBeforeHydration()) return;
      event.stopPropagation();
      clickedButton = button;
    },
    true,
  );
  document.addEventListener(
    "submit",
    function (event) {
      if (!isBeforeHydration()) return;
      event.preventDefault();
      event.stopPropagation();
      submittedForm = event.target;
    },
    true,
  );
  var restoreField = function (field, recorded) {
    if ("checked" in recorded) return recorded.checked !== field.checked && field.click();
    // React ignores an event whose value equals the last one it tracked, so the field is cleared first.
    field.value = "";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, recorded.value);
    field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  };
  var replayNext = function () {
    var first = changedFields.entries().next().value;
    var target = first ? first[0] : clickedButton || submittedForm;
    if (first) changedFields.delete(target);
    else if (clickedButton) clickedButton = null;
    else submittedForm = null;
    if (!target.isConnected) return;
    if (first) restoreField(target, first[1]);
    else if (target.tagName === "FORM") target.requestSubmit();
    else target.click();
  };
  // Replays one action per task, so that React renders in between. New input is queued meanwhile; hydration counts as
  // complete when the queue is empty.
  var replayAll = function () {
    if (!changedFields.size && !clickedButton && !submittedForm)
      return document.getElementById("root").removeAttribute("data-rendered");
    isReplaying = true;
    try {
      replayNext();
    } finally {
      isReplaying = false;
    }
    setTimeout(replayAll);
  };
  addEventListener("lyceum-hydrated", replayAll, { once: true });
})();
