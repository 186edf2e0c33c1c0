import { expect, test } from "vitest";
import { readPackage } from "#server/packages/doctor/reading.ts";
import { packageFolder, readFiles, script, unit } from "#test/packageFolder.ts";

test("says what a page reports and in which line", async () => {
  const { reading, of } = await readFiles({
    "index.html": script(`
API.LMSInitialize("")
API.LMSSetValue("cmi.core.lesson_location", place)
API.LMSSetValue('cmi.core.score.raw', 80)
if (ok) scorm.set("cmi.core.lesson_status", "passed")
API.LMSSetValue("cmi.interactions." + n + ".id", id)
API.LMSGetValue("cmi.suspend_data")`),
  });
  expect(["resumes", "score", "outcome", "answers"].map((kind) => of(kind as "score"))).toEqual(
    Array<string>(4).fill("yes calls"),
  );
  expect(["time", "completed", "memory"].map((kind) => of(kind as "time"))).toEqual(Array<string>(3).fill("no never"));
  expect(reading.signals.find(({ kind }) => kind === "outcome")).toMatchObject({
    what: "cmi.core.lesson_status = passed",
    places: [{ file: "index.html", line: 5, column: 9 }],
  });
});

test("ignores comments, texts and reads", async () => {
  const { of } = await readFiles({
    "index.html": script(`
// API.LMSSetValue("cmi.core.lesson_status", "completed")
/* API.LMSSetValue("cmi.core.session_time", t) */
const help = 'call LMSSetValue("cmi.core.score.raw", 1)'
const divided = a / b / c; const pattern = /"cmi.suspend_data"/
API.LMSInitialize(""); API.LMSGetValue("cmi.core.lesson_status")`),
  });
  for (const kind of ["completed", "time", "score", "memory", "outcome"] as const) expect(of(kind)).toBe("no never");
});

test("does not guess the value of a status in a variable", async () => {
  const { of } = await readFiles({
    "index.html": script(`API.LMSInitialize(""); API.LMSSetValue("cmi.core.lesson_status", status)`),
  });
  expect(of("completed")).toBe("unknown variable");
  expect(of("outcome")).toBe("unknown variable");
});

test("a package without a run-time reports nothing", async () => {
  const { of } = await readFiles({ "index.html": "<p>Read this</p>" });
  expect(of("completed")).toBe("no noRunTime");
  expect(of("score")).toBe("no noRunTime");
});

test("what a driver is able to report decides nothing", async () => {
  const driver = `/* Rustici Software */ var strLMSStandard="AUTO"
function SetReachedEnd(){ SCORM_CallLMSSetValue("cmi.core.lesson_status", "completed") }
function SetScore(score){ SCORM_CallLMSSetValue("cmi.core.score.raw", score) } API.LMSInitialize("")`;
  const unused = await readFiles({ "index.html": "<script src=scormdriver.js></script>", "scormdriver.js": driver });
  expect(unused.reading.driver).toBe("Rustici SCORM Driver");
  expect(unused.of("completed")).toBe("depends driver");
  const used = await readFiles({
    "index.html": script("function end() { SetReachedEnd(); }"),
    "scormdriver.js": driver,
  });
  expect(used.of("completed")).toBe("yes calls");
  expect(used.of("score")).toBe("depends driver");
});

test("the pipwerks wrapper counts by the calls of the course", async () => {
  const { of, reading } = await readFiles({
    "index.html": script(`pipwerks.SCORM.init(); pipwerks.SCORM.set("cmi.core.score.raw", 5);
pipwerks.SCORM.status("set", "completed")`),
    "SCORM_API_wrapper.js": 'pipwerks.SCORM = {}; API.LMSInitialize(""); this.set("cmi.suspend_data", x)',
  });
  expect(reading.driver).toBe("pipwerks SCORM wrapper");
  expect([of("score"), of("completed"), of("memory")]).toEqual(["yes calls", "yes calls", "depends driver"]);
});

test("the settings of Rise decide, not the abilities of its driver", async () => {
  const page = (config: string) =>
    `<script id="__DRIVER_CONFIG__" type="application/json">${config}</script><script src="scormdriver.js"></script>`;
  const files = (config: string) => ({
    "scormdriver/indexAPI.html": page(config),
    "scormdriver/scormdriver.js": 'LMSInitialize; set("cmi.core.score.raw", x); set("cmi.suspend_data", d)',
    "scormcontent/index.html": "<script>window.courseData = ''</script>",
  });
  const passed = await readFiles(files('{"quizId":"q1","completionPercentage":null,"reporting":"passed-incomplete"}'));
  expect(passed.reading.tool).toMatchObject({ name: "Articulate Rise", isCertain: true });
  expect([passed.of("completed"), passed.of("outcome"), passed.of("score"), passed.of("memory")]).toEqual([
    "no settings",
    "yes settings",
    "yes settings",
    "depends tool",
  ]);
  const completed = await readFiles(files('{"quizId":null,"reporting":"completed-incomplete"}'));
  expect([completed.of("completed"), completed.of("outcome")]).toEqual(["yes settings", "no settings"]);
  const broken = await readFiles(files('{"quizId":'));
  expect(broken.of("completed")).toBe("depends tool");
});

test("the settings of Adapt decide", async () => {
  const config = { _spoor: { _isEnabled: true, _reporting: { _onTrackingCriteriaMet: "passed" } } };
  const files = (value: object) => ({
    "index.html": "<p>Adapt</p>",
    "course/config.json": JSON.stringify(value),
    "course/en/components.json": "[]",
  });
  const passed = await readFiles(files({ ...config, _completionCriteria: { _shouldSubmitScore: true } }));
  expect(passed.reading.tool?.name).toBe("Adapt");
  expect([passed.of("completed"), passed.of("outcome"), passed.of("score")]).toEqual([
    "no settings",
    "yes settings",
    "yes settings",
  ]);
  expect((await readFiles(files({ _spoor: { _isEnabled: false } }))).of("completed")).toBe("no settings");
});

test("reads version, slides and resuming of Storyline, and leaves its completion open", async () => {
  const { reading, of } = await readFiles({
    "index_lms.html":
      "<!-- Created using Storyline 360 x64 - http://www.articulate.com  -->\n<!-- version: 3.84.31647.0 -->",
    "html5/data/js/data.js": `window.globalProvideData('data', '{"resume":{"id":"a","lmsresume":false}}');`,
    "meta.xml": '<meta><project><slidemeta viewslides="31" /></project></meta>',
    "lms/scormdriver.js": 'LMSInitialize; set("cmi.core.lesson_status", "completed")',
  });
  expect(reading.tool).toMatchObject({ name: "Articulate Storyline", version: "3.84.31647.0", isCertain: true });
  expect(reading.slides).toBe(31);
  expect([of("resumes"), of("completed")]).toEqual(["no settings", "depends tool"]);
});

test("reads verbs, scores, times and states of cmi5 and xAPI", async () => {
  const page = script(`
const say = (verb, result) => send({ verb: { id: 'http://adlnet.gov/expapi/verbs/' + verb }, result })
say('passed', { score: { scaled: 0.8 }, duration: 'PT1M' })
send({ verb: { id: 'http://adlnet.gov/expapi/verbs/completed' } })
request('activities/state', state)`);
  const { of } = await readFiles({ "au.html": page }, "cmi5", { given: { moveOn: "Passed" } });
  for (const kind of ["outcome", "score", "time", "completed", "memory"] as const) expect(of(kind)).toBe("yes calls");
  expect(of("answers")).toBe("no never");
  const opened = await readFiles({ "au.html": "<p>Hi</p>" }, "cmi5", { given: { moveOn: "NotApplicable" } });
  expect(opened.of("completed")).toBe("yes opening");
});

test("a web page reports with Lyceum.complete", async () => {
  const { of, risk } = await readFiles(
    { "index.html": script("Lyceum.complete(80); Lyceum.set('rating', 3)") },
    "html",
  );
  expect([of("completed"), of("score"), of("outcome")]).toEqual(["yes calls", "yes calls", "no never"]);
  expect(risk("variables")).toEqual([1, "rating"]);
  expect((await readFiles({ "index.html": script("Lyceum.complete()") }, "html")).of("score")).toBe("no never");
});

test("assets count as done once they were opened", async () => {
  const { of, reading } = await readFiles({ "a.html": "<p>Hi</p>" }, "scorm12", { isSco: false });
  expect(of("completed")).toBe("yes opening");
  expect(reading.assets).toBe(1);
});

test("a score and a pass mark in the manifest give passed or failed", async () => {
  const files = {
    "index.html": script(`API_1484_11.Initialize(""); API_1484_11.SetValue("cmi.score.scaled", s)`),
  };
  const marked = await readFiles(files, "scorm2004", { given: { "cmi.scaled_passing_score": "0.8" } });
  expect([marked.of("outcome"), marked.reading.masteryPercent]).toEqual(["yes passMark", 80]);
  expect((await readFiles(files, "scorm2004")).of("outcome")).toBe("no never");
});

test.each([
  ["a word before a slash", "function u(s){return/^https?:\\/\\//.test(s)}"],
  ["a class with a quote", 'function u(s){return/["]/.test(s)}'],
  ["a bracket before a slash", 'if(x)/"/.test(s);'],
  ["letters that become longer", "", `<p>${"İ".repeat(60)}</p>`],
])("reads what follows %s", async (_, before, page = "") => {
  const done = 'API.LMSSetValue("cmi.core.lesson_status","completed")';
  const text = `${page}<script>var a=1</script><script>${before}${done}</script>`;
  expect((await readFiles({ "index.html": text })).of("completed")).toBe("yes calls");
});

test("reads a status chosen from two, and does not exclude a composed name", async () => {
  const chosen = 'API.LMSSetValue("cmi.core.lesson_status", isDone ? "completed" : "incomplete")';
  expect((await readFiles({ "index.html": `<script>${chosen}</script>` })).of("completed")).toBe("yes calls");
  const built = 'API.LMSInitialize(""); API.LMSSetValue("cmi.core." + key, value)';
  expect((await readFiles({ "index.html": `<script>${built}</script>` })).of("completed")).toBe("unknown variable");
  const onlyRead = 'API.LMSInitialize(""); API.LMSGetValue("cmi.core.score.raw")';
  expect((await readFiles({ "index.html": `<script>${onlyRead}</script>` })).of("score")).toBe("no never");
});

test.each(["constructor", "__proto__", "Microsoft FrontPage 4.0"])("a generator %s decides nothing", async (name) => {
  const code = 'API.LMSInitialize("");API.LMSSetValue("cmi.core.lesson_location", 1)';
  const page = `<meta name="generator" content="${name}"><script>${code}</script>`;
  expect((await readFiles({ "index.html": page })).of("score")).toBe("no never");
});

test("one silent unit among several leaves the outcome open", async () => {
  const folder = await packageFolder({
    "a.html": '<script>API.LMSSetValue("cmi.core.lesson_status","completed")</script>',
    "b.html": "<p>Only text</p>",
  });
  const read = (parts: string[]) => readPackage(folder, { kind: "scorm12", parts: parts.map((href) => unit(href)) });
  const completed = async (...parts: string[]) => (await read(parts)).signals.find(({ kind }) => kind === "completed");
  expect(await completed("a.html")).toMatchObject({ comes: "yes" });
  expect(await completed("a.html", "b.html")).toMatchObject({
    comes: "unknown",
    because: "someUnits",
    what: "b.html",
  });
});
