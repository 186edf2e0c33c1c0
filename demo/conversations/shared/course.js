/*
 * Course runtime for one SCO of a SCORM 2004 course. Every part of the course loads this file and calls
 * Course.start({ number, parts, title, next, objective, passFrom, steps }), see part1/part.js.
 *
 *   1. finds the API that the learning platform offers and opens a session
 *   2. keeps the learner's state in cmi.suspend_data, so that learners resume exactly where they left off
 *   3. reports progress, completion, success, score, one objective and the answers
 *   4. shows one step at a time
 *   5. ends the session once, however the learner leaves
 */
const Course = (() => {
  "use strict";

  // ---------------------------------------------------------------- 1. The session with the platform

  // SCORM 2004 puts an object called "API_1484_11" into a parent frame or the opener window.
  // Accessing a parent on another origin throws; frames above it cannot provide the API either.
  function findApi() {
    const climb = (start) => {
      let win = start;
      for (let level = 0; win && level < 12; level++) {
        try {
          if (win.API_1484_11) return win.API_1484_11;
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

  // Variables of the platform that other courses and chatbots can use; null on a platform without them.
  const variables = (() => {
    try {
      for (let win = window; ; win = win.parent) {
        if (win.Lyceum) return win.Lyceum;
        if (win === win.parent) return null;
      }
    } catch {
      return null;
    }
  })();

  const api = findApi();
  const startedAt = Date.now();
  let live = false; // between Initialize and Terminate
  let readOnly = false; // the platform shows the course for review: look, but change nothing
  let part; // what the part handed to start()

  // Every call returns a string. "false" means rejected: log the reason and continue.
  function call(name, ...args) {
    if (!live) return "";
    const answer = String(api[name](...args));
    if (answer === "false") console.warn(name, ...args, "was refused, error", String(api.GetLastError()));
    return answer;
  }

  const get = (element) => call("GetValue", element);
  const count = (list) => parseInt(get(`cmi.${list}._count`), 10) || 0;

  // Only changed values are sent to the platform.
  const told = {};
  function set(element, value) {
    const text = String(value);
    if (readOnly || told[element] === text) return;
    if (call("SetValue", element, text) === "true") told[element] = text;
  }
  // ISO 8601: durations like PT1H4M7.25S, moments like 2026-11-20T14:03:00.25Z. Two decimals are the most that is
  // allowed, and a moment with a zone must have decimals.
  function duration(ms) {
    const seconds = Math.round(ms / 10) / 100;
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return `PT${hours ? `${hours}H` : ""}${minutes ? `${minutes}M` : ""}${Math.round((seconds % 60) * 100) / 100}S`;
  }
  const moment = () => `${new Date().toISOString().slice(0, 22)}Z`;
  const rounded = (number) => Math.round(number * 100) / 100;

  function open() {
    if (!api || String(api.Initialize("")) !== "true") return;
    live = true;
    readOnly = ["browse", "review"].includes(get("cmi.mode"));
    // Set "suspend" immediately, so that the course resumes even after a crash of the browser.
    set("cmi.exit", "suspend");
  }

  // ---------------------------------------------------------------- 2. The learner's state

  //   v     version of this shape             x  exercises: step id -> state of the exercise
  //   seen  ids of the steps visited          c  checks: exercise id -> { first: share right at first, ok: solved }
  //   done, won  1 once the part was completed or passed; neither is ever reset
  const state = { v: 1, seen: [], x: {}, c: {}, done: 0, won: 0 };

  function restore() {
    try {
      const saved = JSON.parse(get("cmi.suspend_data") || "{}");
      if (saved.v === state.v) Object.assign(state, saved);
    } catch {
      // Unknown or damaged: start from the beginning.
    }
    // A platform may drop suspend_data of a finished part and keep the result. Leave the result alone then.
    if (get("cmi.completion_status") === "completed") state.done = 1;
    if (get("cmi.success_status") === "passed") state.won = 1;
  }

  // keep() passes the state to the platform, save() also requests a commit.
  function keep() {
    set("cmi.suspend_data", JSON.stringify(state));
    set("cmi.session_time", duration(Date.now() - startedAt));
  }
  function save() {
    report();
    keep();
    call("Commit", "");
  }

  // The state of an exercise: an object that is created with these values at the first visit.
  const memory = (id, initial) => (state.x[id] = { ...initial, ...state.x[id] });

  // ---------------------------------------------------------------- 3. Results

  // An exercise that counts calls solved() after each try. The score takes the first try, success needs only the last.
  // A part with a pass mark (passFrom) counts the best try instead.
  function solved(id, { ok, share }) {
    const before = state.c[id];
    const first = !before ? share : part.passFrom ? Math.max(before.first, share) : before.first;
    state.c[id] = { first: rounded(first), ok: ok || (before && before.ok) ? 1 : 0 };
  }

  const checks = () => part.steps.filter((step) => step.check).map((step) => step.check);
  const unsolved = () => part.steps.filter((step) => step.check && !(state.c[step.check] && state.c[step.check].ok));

  function report() {
    const all = checks();
    if (state.seen.length === part.steps.length && unsolved().length === 0) state.done = 1;
    const tried = all.every((id) => state.c[id]);
    const scaled = rounded(all.reduce((sum, id) => sum + (state.c[id] ? state.c[id].first : 0), 0) / all.length);

    set("cmi.progress_measure", state.done ? 1 : rounded(state.seen.length / part.steps.length));
    set("cmi.completion_status", state.done ? "completed" : "incomplete");
    set("cmi.exit", state.done ? "normal" : "suspend");
    set("cmi.objectives.0.completion_status", state.done ? "completed" : "incomplete");
    if (!tried) return;

    set("cmi.score.min", 0);
    set("cmi.score.max", 100);
    set("cmi.score.raw", Math.round(scaled * 100));
    set("cmi.score.scaled", scaled);
    set("cmi.objectives.0.score.scaled", scaled);
    // With a pass mark the score decides; without one, solving all exercises is enough.
    if (part.passFrom ? scaled >= part.passFrom : state.done) state.won = 1;
    const success = state.won ? "passed" : part.passFrom ? "failed" : "unknown";
    set("cmi.success_status", success);
    set("cmi.objectives.0.success_status", success);
  }

  function declareObjective() {
    if (count("objectives") > 0) return;
    set("cmi.objectives.0.id", part.objective.id);
    set("cmi.objectives.0.description", part.objective.text);
  }

  // One answer = one entry in cmi.interactions. Every try is an entry of its own; with replace: true (reflections,
  // ratings) an entry with the same id is overwritten. Strict platforms expect id and type first.
  function record({ id, type, text, response, pattern, result = "neutral", weighting = 0, since, replace }) {
    const total = count("interactions");
    let index = total;
    for (let i = 0; replace && i < total; i++) if (get(`cmi.interactions.${i}.id`) === id) index = i;
    const entry = `cmi.interactions.${index}`;
    set(`${entry}.id`, id);
    set(`${entry}.type`, type);
    if (index === total) set(`${entry}.objectives.0.id`, part.objective.id);
    set(`${entry}.timestamp`, moment());
    if (pattern) set(`${entry}.correct_responses.0.pattern`, pattern);
    set(`${entry}.weighting`, weighting);
    set(`${entry}.learner_response`, response);
    set(`${entry}.result`, result);
    if (since) set(`${entry}.latency`, duration(Date.now() - since));
    set(`${entry}.description`, text.slice(0, 250));
    save();
  }

  // ---------------------------------------------------------------- 4. Steps

  const byId = (id) => document.getElementById(id);
  let at = 0;

  // A step: { id, title, html: () => string, setup?: (root) => void, check?: id of the exercise that counts }
  // html() must contain exactly one h1.
  function show(index, { focus = true } = {}) {
    at = Math.max(0, Math.min(index, part.steps.length - 1));
    const step = part.steps[at];
    if (!state.seen.includes(step.id)) state.seen.push(step.id);

    const root = byId("step");
    root.className = `step step-${step.id}`;
    root.innerHTML = step.html();
    const heading = root.querySelector("h1");
    heading.tabIndex = -1;
    if (step.setup) step.setup(root);
    document.title = `${step.title}, ${part.title}`;

    const last = at === part.steps.length - 1;
    byId("back").disabled = at === 0;
    byId("next").textContent = !last ? "Next" : part.next ? "Next part" : "Finish";
    byId("place").textContent = `${at + 1} of ${part.steps.length}`;
    const look = ({ id }) => (id === step.id ? "here" : state.seen.includes(id) ? "done" : "");
    byId("columns").innerHTML = part.steps.map((other) => `<li class="${look(other)}"></li>`).join("");

    // Moving the focus to the heading makes screen readers announce the new step.
    window.scrollTo(0, 0);
    if (focus) heading.focus({ preventScroll: true });

    set("cmi.location", step.id);
    save();
  }

  const goTo = (id) => show(part.steps.findIndex((step) => step.id === id));

  // ---------------------------------------------------------------- 5. Start and end

  function close() {
    if (!live) return;
    report();
    keep();
    call("Terminate", "");
    live = false;
  }

  // The platform opens the next part if requested before Terminate. If it does not, the learner is told what to do.
  function leave() {
    if (!live) {
      if (part.next) location.href = part.next; // preview without a platform
      return;
    }
    if (!part.next) set("adl.nav.request", "exitAll");
    else if (get("adl.nav.request_valid.continue") !== "false") set("adl.nav.request", "continue");
    close();
    byId("step").innerHTML = `<h1 tabindex="-1">${part.next ? "This part is stored" : "The course is stored"}</h1>
      <p class="lead">${part.next ? "Choose the next part in the table of contents." : "You can close it now."}</p>`;
    byId("bar").hidden = true;
    byId("step").querySelector("h1").focus();
  }

  function start(definition) {
    part = definition;
    open();
    restore();
    declareObjective();
    byId("notice").hidden = live && !readOnly;
    byId("part-number").textContent = `Part ${part.number} of ${part.parts}`;
    byId("part-title").textContent = part.title;
    byId("scene").innerHTML = Art.room(part.number);
    byId("back").addEventListener("click", () => show(at - 1));
    byId("next").addEventListener("click", () => (at === part.steps.length - 1 ? leave() : show(at + 1)));

    // Mobile browsers may end a hidden page without further events, so save now.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && live) save();
    });
    window.addEventListener("pagehide", close);
    window.addEventListener("unload", close);
    // Restored from the back/forward cache with a closed session: start a new one.
    window.addEventListener("pageshow", (event) => event.persisted && location.reload());

    const where = get("cmi.location");
    show(
      Math.max(
        0,
        part.steps.findIndex((step) => step.id === where),
      ),
      { focus: false },
    );
  }

  // A value that others may use, and what is known from elsewhere.
  const share = (key, value) => Boolean(!readOnly && variables && variables.set(key, value));
  const known = (key) => (variables ? variables.get(key) : null);

  return { start, goTo, state, memory, keep, save, record, solved, unsolved, share, known };
})();
