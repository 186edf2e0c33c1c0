/*
 * Course runtime for one SCORM 1.2 SCO. It does four things and knows nothing about phishing:
 *
 *   1. finds the API that the learning platform offers and opens a session
 *   2. keeps the learner's state in cmi.suspend_data, so that learners resume exactly where they left off
 *   3. shows one slide at a time
 *   4. ends the session once, however the learner leaves
 *
 * To make another course, keep this file and write other slides (see slides-see.js for the shape of a slide).
 */
const Course = (() => {
  "use strict";

  // ---------------------------------------------------------------- 1. The session with the platform

  // SCORM 1.2 puts an object called "API" into a parent frame or the opener window.
  // Accessing a parent on another origin throws; frames above it cannot provide the API either.
  function findApi() {
    const climb = (start) => {
      let win = start;
      for (let level = 0; win && level < 12; level++) {
        try {
          if (win.API) return win.API;
        } catch {
          return null;
        }
        if (win.parent === win) return null;
        win = win.parent;
      }
      return null;
    };
    return climb(window) || climb(window.opener) || climb(window.top && window.top.opener);
  }

  const api = findApi();
  const startedAt = Date.now();
  let live = false; // between LMSInitialize and LMSFinish
  let readOnly = false; // the platform shows the course for review: nothing may be changed
  let status = "";
  let masteryScore = 80;

  // Every call returns a string. "false" means rejected: log the reason and continue.
  function call(name, ...args) {
    if (!live) return "";
    const answer = String(api[name](...args));
    if (answer === "false") console.warn(name, ...args, "was refused, error", String(api.LMSGetLastError()));
    return answer;
  }

  const get = (element) => call("LMSGetValue", element);
  const set = (element, value) => (readOnly ? "" : call("LMSSetValue", element, String(value)));

  // CMITimespan is HHHH:MM:SS.SS, CMITime is HH:MM:SS.
  const two = (number) => String(number).padStart(2, "0");
  function timespan(ms) {
    const hundredths = Math.round(ms / 10);
    const seconds = Math.floor(hundredths / 100);
    const hours = String(Math.floor(seconds / 3600)).padStart(4, "0");
    return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
  }
  const clock = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

  function open() {
    if (!api || String(api.LMSInitialize("")) !== "true") return;
    live = true;
    readOnly = ["browse", "review"].includes(get("cmi.core.lesson_mode"));
    status = get("cmi.core.lesson_status");
    masteryScore = parseFloat(get("cmi.student_data.mastery_score")) || masteryScore;
    if (["", "not attempted", "unknown"].includes(status)) setStatus("incomplete");
    // Set "suspend" immediately, so that the course resumes even after a crash of the browser.
    set("cmi.core.exit", status === "passed" ? "" : "suspend");
  }

  function setStatus(next) {
    status = next;
    set("cmi.core.lesson_status", next);
  }

  // Called at the end of the quiz. A passed course stays passed when the quiz is repeated.
  function reportScore(percent) {
    if (status === "passed") return;
    set("cmi.core.score.min", 0);
    set("cmi.core.score.max", 100);
    set("cmi.core.score.raw", percent);
    setStatus(percent >= masteryScore ? "passed" : "failed");
    set("cmi.core.exit", status === "passed" ? "" : "suspend");
    share("quiz_score", percent);
    save();
  }

  // A value that other courses and chatbots of the platform can use; other platforms have no such object.
  function share(key, value) {
    try {
      for (let win = window; ; win = win.parent) {
        if (win.Lyceum) return win.Lyceum.set(key, value);
        if (win === win.parent) return false;
      }
    } catch {
      return false;
    }
  }

  // One answer = one entry in cmi.interactions. Entries are a journal: a second try is a second entry.
  // Strict platforms expect id and type first.
  function record({ id, type, response, pattern, correct, weighting = 1, since }) {
    const entry = `cmi.interactions.${parseInt(get("cmi.interactions._count"), 10) || 0}`;
    set(`${entry}.id`, id);
    set(`${entry}.type`, type);
    set(`${entry}.time`, clock(new Date()));
    if (pattern) set(`${entry}.correct_responses.0.pattern`, pattern);
    set(`${entry}.weighting`, weighting);
    set(`${entry}.student_response`, response);
    set(`${entry}.result`, correct === undefined ? "neutral" : correct ? "correct" : "wrong");
    if (since) set(`${entry}.latency`, timespan(Date.now() - since));
    save();
  }

  // ---------------------------------------------------------------- 2. The learner's state

  // SCORM 1.2 guarantees only 4,096 characters, so the names are short.
  //   v     version of this shape       x  exercises: slide id -> state of the exercise
  //   seen  ids of the slides visited   q  quiz: question id -> { a: chosen answers, ok: 1 or 0 once checked }
  const state = { v: 1, seen: [], x: {}, q: {} };

  function restore() {
    try {
      const saved = JSON.parse(get("cmi.suspend_data") || "{}");
      if (saved.v === state.v) Object.assign(state, saved);
    } catch {
      // Unknown or damaged: start from the beginning.
    }
  }

  // keep() passes the state to the platform, save() also requests a commit.
  function keep() {
    set("cmi.suspend_data", JSON.stringify(state));
    set("cmi.core.session_time", timespan(Date.now() - startedAt));
  }
  function save() {
    keep();
    call("LMSCommit", "");
  }

  // The state of an exercise: an object that is created with these values at the first visit.
  function memory(slideId, initial) {
    return (state.x[slideId] = { ...initial, ...state.x[slideId] });
  }

  // ---------------------------------------------------------------- 3. Slides

  const slides = [];
  const byId = (id) => document.getElementById(id);
  let at = 0;

  // A slide: { id, title, html: () => string, setup?: (root) => void, ready?: () => boolean }
  // html() must contain exactly one h1. "Next" is disabled until ready() returns true.
  function add(...more) {
    slides.push(...more);
  }

  function show(index, { focus = true } = {}) {
    at = Math.max(0, Math.min(index, slides.length - 1));
    const slide = slides[at];
    if (!state.seen.includes(slide.id)) state.seen.push(slide.id);

    const root = byId("slide");
    root.className = `slide slide-${slide.id}`;
    root.innerHTML = slide.html();
    const heading = root.querySelector("h1");
    heading.tabIndex = -1;
    if (slide.setup) slide.setup(root);
    document.title = `${slide.title} (${at + 1} of ${slides.length})`;
    refresh();

    // Moving the focus to the heading makes screen readers announce the new slide.
    window.scrollTo(0, 0);
    if (focus) heading.focus({ preventScroll: true });

    set("cmi.core.lesson_location", slide.id);
    save();
  }

  // Updates buttons and progress. Called by exercises when ready() may have changed.
  function refresh() {
    const slide = slides[at];
    const last = at === slides.length - 1;
    byId("back").disabled = at === 0;
    byId("next").hidden = last;
    byId("next").disabled = Boolean(slide.ready && !slide.ready());
    byId("place").textContent = `${at + 1} of ${slides.length}`;
    const look = ({ id }) => (id === slide.id ? "here" : state.seen.includes(id) ? "done" : "");
    byId("ticks").innerHTML = slides.map((other) => `<li class="${look(other)}"></li>`).join("");
  }

  const goTo = (id) => show(slides.findIndex((slide) => slide.id === id));

  // ---------------------------------------------------------------- 4. Start and end

  function close() {
    if (!live) return;
    set("cmi.core.exit", status === "passed" ? "" : "suspend");
    keep();
    call("LMSFinish", "");
    live = false;
  }

  function start() {
    open();
    restore();
    byId("notice").hidden = live && !readOnly;
    byId("back").addEventListener("click", () => show(at - 1));
    byId("next").addEventListener("click", () => show(at + 1));

    // Mobile browsers may end a hidden page without further events, so save now.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && live) save();
    });
    window.addEventListener("pagehide", close);
    window.addEventListener("unload", close);
    // Restored from the back/forward cache with a closed session: start a new one.
    window.addEventListener("pageshow", (event) => event.persisted && location.reload());

    const where = get("cmi.core.lesson_location");
    show(
      Math.max(
        0,
        slides.findIndex((slide) => slide.id === where),
      ),
      { focus: false },
    );
  }

  // SCORM 1.2 formats names as "Hagen, Jonas".
  const firstName = () => (get("cmi.core.student_name").split(",")[1] || "").trim().split(" ")[0];

  document.addEventListener("DOMContentLoaded", start); // by then the slide files have run

  return {
    add,
    goTo,
    refresh,
    state,
    memory,
    keep,
    save,
    record,
    reportScore,
    firstName,
    passed: () => status === "passed",
    passMark: () => masteryScore,
  };
})();
