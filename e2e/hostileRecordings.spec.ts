import { sampled } from "#test/long.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { auth } from "#shared/auth/auth.ts";
import { player } from "#shared/player/player.ts";
import { createClient } from "#test/client.ts";
import { forgeRecording, formPackage, openRecording, rebuilt, recordingNote, viewer } from "./recordingFixture.ts";
import { addCourse, addLearner, expect, type ServerFixture, test } from "./server.ts";

// Recordings that a forged browser has written: nothing runs, nothing leaves the page, and the page stays usable

type Node = Record<string, unknown>;
let ids = 100;
const element = (tagName: string, attributes: Node = {}, childNodes: Node[] = []): Node => ({
  type: 2,
  id: ++ids,
  tagName,
  attributes,
  childNodes,
});
const text = (textContent: string): Node => ({ type: 3, id: ++ids, textContent });
/** A recording that begins with a page of the given head and body. */
const pageOf = (body: Node[], head: Node[] = []) => [
  { type: 4, timestamp: 100, data: { href: "http://foreign.example/", width: 800, height: 600 } },
  {
    type: 2,
    timestamp: 110,
    data: {
      node: {
        type: 0,
        id: 1,
        childNodes: [
          { id: 2, ...without(element("html", {}, [element("head", {}, head), element("body", {}, body)])) },
        ],
      },
      initialOffset: { left: 0, top: 0 },
    },
  },
];
const without = ({ id: _, ...rest }: Node) => rest;
const change = (timestamp: number, data: Node) => ({ type: 3, timestamp, data });
const adds = (timestamp: number, parentId: number, ...nodes: Node[]) =>
  change(timestamp, {
    source: 0,
    texts: [],
    attributes: [],
    removes: [],
    adds: nodes.map((node) => ({ parentId, nextId: null, node })),
  });

/** A session of ten seconds, without a browser. */
async function addSession(app: ServerFixture) {
  const course = await addCourse(app, formPackage());
  const learner = await addLearner(app);
  const client = createClient(app.url);
  client.useToken((await client.call(auth.signIn, { body: learner })).token);
  const { sessionId, token, parts } = await client.call(player.launch, {
    params: { companyId: app.company.id, courseId: course.id },
    body: { clientId: crypto.randomUUID() },
  });
  await app.query(`update sessions set started_at = now() - interval '1 minute' where id = '${sessionId}'`);
  const sco = parts[0]?.sco ?? "";
  const reply = await fetch(app.url + player.commit.path.replace(":id", sessionId), {
    method: "POST",
    headers: { "content-type": "application/json", "x-session-token": token },
    body: JSON.stringify({
      events: [
        { seq: 1, t: 0, type: "nav", sco },
        { seq: 2, t: 10_000, type: "exit" },
      ],
      activeMs: 10_000,
      end: "exit",
    }),
  });
  expect(reply.status).toBe(200);
  return sessionId;
}

/** A host of somebody else that counts who asks it. */
const asked: string[] = [];
const foreign = createServer((request, reply) => {
  asked.push(request.url ?? "");
  reply.writeHead(200, { "access-control-allow-origin": "*" }).end();
}).listen(0, "127.0.0.1");
test.afterAll(() => void foreign.close());
let FOREIGN = "";
const RUN = "top.hacked = parent.hacked = window.hacked = 1";
const hostileHead = () => [
  element("base", { href: `${FOREIGN}/` }),
  element("meta", { "http-equiv": "refresh", content: `0;url=${FOREIGN}` }),
  element("link", { rel: "stylesheet", href: FOREIGN }),
  element("link", { rel: "stylesheet preload prefetch dns-prefetch preconnect", href: FOREIGN }),
  element("link", { rel: "stylesheet", _cssText: `@import url(${FOREIGN}); body { background: url(${FOREIGN}) }` }),
  element("style", {
    _cssText: `@import "${FOREIGN}"; h2 { background: u\\72l(${FOREIGN}); cursor: url(${FOREIGN}), auto }`,
  }),
  element("style", {}, [
    text(
      [
        `p { background: image-set("${FOREIGN}" 1x) }`,
        `@font-face { font-family: f; src: url(${FOREIGN}) }`,
        "p { font-family: f }",
      ].join(" "),
    ),
  ]),
  element("script", { src: FOREIGN }),
  element("script", {}, [text(RUN)]),
];
const hostileBody = () => [
  element("h2", { onclick: RUN }, [text("Shown all the same")]),
  element("img", { id: "broken", src: "x", onerror: RUN, ONLOAD: RUN }),
  element("img", { src: FOREIGN, srcset: `${FOREIGN} 1x, ${FOREIGN} 2x`, rr_dataURL: FOREIGN }),
  element("img", { src: "/files/-/../../../commit/x" }),
  element("img", { src: "data:image/svg+xml,<svg onload='top.hacked=1'/>" }),
  element("iframe", { src: FOREIGN, srcdoc: `<script>${RUN}</script>`, sandbox: "allow-scripts allow-top-navigation" }),
  element("iframe", { src: `javascript:${RUN}`, rr_src: FOREIGN }),
  element("frame", { src: FOREIGN }),
  element("object", { data: FOREIGN, type: "text/html" }),
  element("embed", { src: FOREIGN }),
  element("video", { src: FOREIGN, poster: FOREIGN, autoplay: true, rr_mediaState: "played" }, [
    element("source", { src: FOREIGN }),
    element("track", { src: FOREIGN }),
  ]),
  element("audio", { src: FOREIGN, autoplay: true }),
  element("a", { href: `javascript:${RUN}`, ping: FOREIGN, id: "link" }, [text("link")]),
  element("form", { action: FOREIGN }, [element("input", { type: "image", src: FOREIGN, formaction: FOREIGN })]),
  element("canvas", { rr_dataURL: FOREIGN }),
  element("p", { style: `background-image: url('${FOREIGN}'); list-style: url(${FOREIGN})`, background: FOREIGN }),
  {
    ...element("svg", { onload: RUN }, [
      { ...element("image", { href: FOREIGN, "xlink:href": FOREIGN }), isSVG: true },
      { ...element("use", { "xlink:href": `${FOREIGN}#a` }), isSVG: true },
      { ...element("script", {}, [text(RUN)]), isSVG: true },
      { ...element("animate", { attributeName: "href", to: `javascript:${RUN}`, onbegin: RUN }), isSVG: true },
      { ...element("foreignObject", {}, [element("body", { onload: RUN })]), isSVG: true },
      { ...element("rect", { fill: `url(${FOREIGN}#x)` }), isSVG: true },
    ]),
    isSVG: true,
  },
  element("details", { open: true, ontoggle: RUN }, [text("open")]),
  element("input", { autofocus: true, onfocus: RUN }),
  { ...element("x-custom"), isCustom: true },
  element("a b<script>", { "x y": RUN }),
];

test("nothing runs and nothing leaves a forged recording", async ({ browser, app }) => {
  FOREIGN = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/leak`;
  expect((await fetch(FOREIGN)).status).toBe(200);
  asked.length = 0;
  const sessionId = await addSession(app);
  const page = pageOf(hostileBody(), hostileHead());
  const body = ids;
  await forgeRecording(app, sessionId, [
    [
      ...page,
      adds(1000, body, ...hostileBody(), ...hostileHead()),
      change(1500, {
        source: 0,
        texts: [{ id: 101, value: RUN }],
        removes: [],
        adds: [],
        attributes: Array.from({ length: 80 }, (_, i) => ({
          id: 100 + i,
          attributes: {
            src: FOREIGN,
            onclick: RUN,
            srcdoc: `<script>${RUN}</script>`,
            style: { background: `url(${FOREIGN})` },
          },
        })),
      }),
      change(2000, { source: 8, id: 105, adds: [{ rule: `* { background: url(${FOREIGN}) }`, index: 0 }] }),
      change(2100, { source: 9, id: 110, type: 0, commands: [{ property: "drawImage", args: [{ src: FOREIGN }] }] }),
      change(2200, { source: 10, family: "f", fontSource: `url(${FOREIGN})`, buffer: false }),
      change(2300, { source: 7, type: 0, id: 110 }),
      change(2400, { source: 13, id: 105, index: [0], set: { property: "background", value: `url(${FOREIGN})` } }),
      change(2500, {
        source: 15,
        id: 1,
        styleIds: [1],
        styles: [{ styleId: 1, rules: [{ rule: `* { cursor: url(${FOREIGN}) }` }] }],
      }),
      { type: 5, timestamp: 2600, data: { tag: "x", payload: RUN } },
      { type: 6, timestamp: 2700, data: { plugin: "rrweb/canvas-webrtc@1", payload: {} } },
      "nonsense",
      null,
      { type: 2, timestamp: "x" },
    ] as object[],
  ]);
  const { page: admin, context } = await openRecording(browser, app, sessionId, 0);
  const failures: string[] = [];
  context.on("requestfailed", (request) => failures.push(`${request.url()} ${request.failure()?.errorText}`));
  await expect(rebuilt(admin).getByText("Shown all the same").first()).toBeAttached();
  await admin.getByRole("slider", { name: "Position in the session" }).press("End");
  await expect(recordingNote(admin)).toContainText("Last recorded change");
  await admin.getByRole("button", { name: "Play", exact: true }).click();
  await expect(admin.getByRole("slider", { name: "Position in the session" })).toHaveAttribute("aria-valuenow", "3");
  const frames = admin.frames();
  expect(frames.length).toBeGreaterThan(2);
  for (const frame of frames) expect(await frame.evaluate(() => "hacked" in window)).toBe(false);
  expect(asked).toEqual([]);
  // A request that the policy of the page refuses is announced, but not sent.
  expect(failures.filter((failure) => !failure.endsWith(" csp"))).toEqual([]);
  const sandbox = await viewer(admin).locator('iframe[title="Recording"]').getAttribute("sandbox");
  expect(sandbox).toBe("allow-same-origin");
  expect(await rebuilt(admin).locator("script, object, embed, base, meta, [onclick], [onload], [srcdoc]").count()).toBe(
    0,
  );
  await context.close();
});

const wide = (count: number) =>
  pageOf([
    element(
      "p",
      {},
      Array.from({ length: count }, () => element("b")),
    ),
  ]);
function deep(levels: number) {
  let node = element("b");
  for (let i = 0; i < levels; i++) node = element("b", {}, [node]);
  return pageOf([node]);
}
const refused: [string, (object[] | string)[], RegExp][] = [
  ["a million nodes", [wide(200_000), ...Array.from({ length: 4 }, () => wide(200_000))], /too large/],
  ["nodes nested a thousand deep", [deep(1000)], /too large/],
  ["a chunk that inflates to a hundred megabytes", [" ".repeat(100_000_000)], /too large/],
  ["no JSON", ["<script>"], /cannot be read/],
  ["nothing to begin with", [[change(5, { source: 3, id: 1, x: 0, y: 0 })]], /cannot be read/],
];
for (const [name, chunks, note] of sampled("recordings", refused, 2))
  test(`a recording with ${name} is refused, and the page stays usable`, async ({ browser, app }) => {
    const sessionId = await addSession(app);
    await forgeRecording(app, sessionId, chunks);
    const { page, context } = await openRecording(browser, app, sessionId, 0);
    await expect(recordingNote(page)).toContainText(note, { timeout: 30_000 });
    await page.getByText("Summary", { exact: true }).click();
    await expect(page.getByText("Nothing had been answered, said or set in this part by then.")).toBeVisible();
    await context.close();
  });

test("a chunk that is no JSON is left out, and the rest is shown", { tag: "@long" }, async ({ browser, app }) => {
  const sessionId = await addSession(app);
  await forgeRecording(app, sessionId, [pageOf([element("h2", {}, [text("Still shown")])]), "<script>"]);
  const { page, context } = await openRecording(browser, app, sessionId, 0);
  await expect(rebuilt(page).getByText("Still shown")).toBeAttached();
  await context.close();
});
