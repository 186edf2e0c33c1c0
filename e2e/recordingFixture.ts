import { gunzipSync, gzipSync } from "node:zlib";
import { type Browser, expect, type Page } from "@playwright/test";
import { strToU8, zipSync } from "fflate";
import { companies } from "#shared/companies/companies.ts";
import { ADMIN } from "#test/process.ts";
import { auth } from "#shared/auth/auth.ts";
import { addLearner, openAs, type ServerFixture, signIn, undecided } from "./server.ts";

/** What a learner reads while the page is recorded. */
export const NOTICE = /records this page while you learn/;

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * A page with a form, which repeats what is typed in text, attributes and style; with a picture of its own and one of
 * another host.
 */
export const formPackage = () => ({
  name: "form.zip",
  bytes: zipSync({
    "style.css": strToU8("h1 { color: rgb(0, 98, 104); }"),
    "pixel.png": new Uint8Array(PIXEL),
    "index.html":
      strToU8(`<!doctype html><meta charset="utf-8"><title>Form</title><link rel="stylesheet" href="style.css"><body>
<h1>Who are you?</h1><img id="own" src="pixel.png" alt="A pixel"><img src="http://foreign.example/seen.png" alt="">
<label>Name <input id="name"></label> <label>Story <textarea id="story"></textarea></label>
<label>Secret <input id="secret" type="password"></label>
<label><input id="yes" type="radio" name="r" value="yes">Yes</label>
<div id="edit" contenteditable="true">edit here</div><div data-private>private-words</div>
<p id="echo"></p><p id="attributes"></p><p id="pass"></p><p id="done"></p>
<script>
const byId = (id) => document.getElementById(id)
byId('name').addEventListener('input', ({ target: { value } }) => {
  byId('echo').textContent = 'Hello ' + value + ', or ' + value.split(' ')[0].toUpperCase() + '.'
  for (const name of ['title', 'aria-label', 'data-name']) byId('attributes').setAttribute(name, value)
  byId('attributes').style.setProperty('--typed', '"' + value + '"')
})
byId('secret').addEventListener('input', ({ target: { value } }) => {
  byId('pass').textContent = value.length + ' characters'
})
byId('story').addEventListener('change', ({ target: { value } }) => {
  const style = document.createElement('style')
  style.textContent = '#done::after { content: "' + value + '" }'
  document.head.append(style)
  byId('done').textContent = 'Story received'
})
</script></body>`),
  }),
});

/** A page that shows keys typed outside of fields, and repeats a choice in its own sentence. */
export const keysPackage = () => ({
  name: "keys.zip",
  bytes: zipSync({
    "index.html": strToU8(`<!doctype html><meta charset="utf-8"><title>Keys</title><body><h1>Guess the word</h1>
<p id="word"></p><p id="upper"></p><p id="spelled"></p><p id="coded"></p><p id="keys"></p><p id="more"></p>
<label><input id="officer" type="radio" name="role" value="officer">Safety officer</label>
<script>
const byId = (id) => document.getElementById(id)
let word = ''
addEventListener('keydown', ({ key }) => {
  if (key.length > 1) return
  word += key
  byId('word').textContent = 'You wrote ' + word + ' so far'
  byId('upper').textContent = word.toUpperCase()
  byId('spelled').textContent = [...word].join('-')
  byId('coded').textContent = btoa(word) + ' ' + [...word].reverse().join('')
  const letter = document.createElement('b'); letter.textContent = key; byId('keys').append(letter)
})
byId('officer').addEventListener('change', () => {
  byId('more').textContent = 'Every safety officer reads www.scorm.com first.'
})
</script></body>`),
  }),
});

/** A page with embedded pictures, and many parts that are not recorded. */
export const missingPackage = () => ({
  name: "missing.zip",
  bytes: zipSync({
    "index.html": strToU8(`<!doctype html><meta charset="utf-8"><title>Missing</title><body><h1>A bit of everything</h1>
<img id="inline" src="data:image/png;base64,${PIXEL.toString("base64")}" alt="A pixel">
<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>" alt="">
<img src="data:image/png;base64,${Buffer.from("secret text").toString("base64")}" alt="">
<canvas width="20" height="20"></canvas><video controls></video><video controls></video><x-card></x-card>
<script>
customElements.define('x-card', class extends HTMLElement {
  constructor() {
    super()
    this.attachShadow({ mode: 'closed' }).innerHTML = '<p style="display:block">Hidden</p>'
    this.style.display = 'block'
  }
})
</script></body>`),
  }),
});

/** A page with more elements than are recorded. */
export const largePagePackage = () => ({
  name: "large-page.zip",
  bytes: zipSync({
    "index.html": strToU8(
      `<!doctype html><meta charset="utf-8"><title>Large</title><body>${"<i></i>".repeat(25_000)}</body>`,
    ),
  }),
});

/** Switches recording on for the company of the app. */
export async function startToRecord(app: ServerFixture) {
  app.admin.useToken((await app.admin.call(auth.signIn, { body: ADMIN })).token);
  const params = { id: app.company.id };
  const { version } = await app.admin.call(companies.get, { params });
  await app.admin.call(companies.update, { params, body: { recordPages: true, version } });
}

/** A learner who has accepted all cookies in a browser of their own, and opens a course. */
export async function openConsenting(
  browser: Browser,
  app: ServerFixture,
  address: string,
  name = "Karoline Vestergaard",
) {
  const learner = await addLearner(app, name);
  const context = await undecided(browser);
  const page = await context.newPage();
  await page.goto(`${app.url}/login`);
  const recorded = page.waitForResponse((reply) => reply.url().endsWith("/api/recordConsent"));
  await page.getByRole("button", { name: "Accept All" }).click();
  await signIn(page, learner);
  await recorded;
  await page.goto(address);
  await expect(page.getByText(NOTICE)).toBeVisible();
  return { page, context, learner };
}

/** The latest session. */
export const lastSession = async (app: ServerFixture) =>
  ((await app.query("select id from sessions order by started_at desc limit 1"))[0] as { id: string }).id;

/** All that is stored of the recording of a session, as one text. */
export async function readRecording(app: ServerFixture, sessionId: string) {
  const rows = (await app.query(
    `select encode(body, 'base64') as body from recording_chunks where session_id = '${sessionId}' order by number`,
  )) as { body: string }[];
  return rows.map(({ body }) => gunzipSync(Buffer.from(body, "base64")).toString("utf8")).join("\n");
}

/** Writes chunks of a recording straight into the database, as a forged browser could send them. */
export async function forgeRecording(app: ServerFixture, sessionId: string, chunks: (object[] | string)[]) {
  await app.query(`delete from recordings where session_id = '${sessionId}'`);
  await app.query(
    `insert into recordings (session_id, user_id, company_id, chunks)
     select id, user_id, company_id, ${chunks.length}
     from sessions
     where id = '${sessionId}'`,
  );
  for (const [number, chunk] of chunks.entries()) {
    const body = gzipSync(typeof chunk === "string" ? chunk : JSON.stringify(chunk)).toString("hex");
    await app.query(
      `insert into recording_chunks (session_id, number, body)
       values ('${sessionId}', ${number}, decode('${body}', 'hex'))`,
    );
  }
}

/** Opens the recording of a session as an admin, at a second. */
export async function openRecording(browser: Browser, app: ServerFixture, sessionId: string, second: number) {
  const opened = await openAs(browser, ADMIN, `${app.url}/login`);
  await expect(opened.page).toHaveURL(/dashboard/);
  const hosts: string[] = [];
  opened.context.on("request", (request) => hosts.push(new URL(request.url()).host));
  await opened.page.goto(`${app.url}/reports/session/replay/${sessionId}?t=${second}`);
  await opened.page
    .getByRole("region", { name: "Replay view", exact: true })
    .getByText("Recording", { exact: true })
    .click();
  return { ...opened, hosts };
}

/** The note below a recording. */
export const recordingNote = (page: Page) =>
  page.getByRole("region", { name: "Replay view", exact: true }).getByRole("status");
/** The page that shows a recording, and the frame that is rebuilt in it. */
export const viewer = (page: Page) => page.frameLocator('iframe[title="The page as it was recorded"]');
export const rebuilt = (page: Page) => viewer(page).frameLocator('iframe[title="Recording"]');
