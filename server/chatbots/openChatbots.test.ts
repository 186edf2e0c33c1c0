import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { createBotMaker } from "#test/bots.ts";
import { type Person, start } from "#test/start.ts";

const server = await start();
const { app, as, db, make } = server;
const { createBot, talk } = createBotMaker(server);
const admin = await make.admin();

test("a public chatbot is framed by its allowed origins only; other pages by none", async () => {
  const allowedOrigins = ["https://intranet.example", "https://shop.example/pages"];
  const open = await createBot(admin, { access: "public", allowedOrigins });
  const inside = await createBot(admin, { access: "signedIn", allowedOrigins });
  const plain = await createBot(admin, { access: "public" });
  const framers = async (url: string) =>
    /frame-ancestors ([^;]*)/.exec(
      String((await app.inject({ url, headers: { host: "localhost" } })).headers["content-security-policy"]),
    )?.[1];
  expect(await framers(`/chatbot/${open.id}?embed=1`)).toBe("https://intranet.example https://shop.example");
  for (const url of [
    `/chatbot/${open.id}`,
    `/chatbot/${open.id}?embed=0`,
    `/chatbot/${inside.id}?embed=1`,
    `/chatbot/${plain.id}?embed=1`,
    `/chatbot/${randomUUID()}?embed=1`,
    `/login?embed=1&from=/chatbot/${open.id}?embed=1`,
  ])
    expect([url, await framers(url)]).toEqual([url, "'none'"]);
});

test("the page of a public chatbot has its name; guests get 404 for others", async () => {
  const open = await createBot(admin, { access: "public", description: "Asks & answers" }, "Mira & <friends>");
  const inside = await createBot(admin, { access: "signedIn" }, "Secret bot");
  const load = async (path: string, cookie = "") => {
    const { statusCode, body } = await app.inject({ url: path, headers: { host: "localhost", cookie } });
    return { statusCode, title: /<title>([^<]*)/.exec(body)?.[1], body };
  };
  expect(await load(`/chatbot/${open.id}`)).toMatchObject({
    statusCode: 200,
    title: expect.stringMatching(/^Mira &amp; &lt;friends&gt; · /) as string,
  });
  const unknown = await load(`/chatbot/${randomUUID()}`);
  expect(unknown).toMatchObject({
    statusCode: 404,
    title: expect.stringMatching(/^This chatbot is not public · /) as string,
  });
  for (const path of [`/chatbot/${inside.id}`, `/chatbot/${inside.id}/`, `/chatbot/${randomUUID()}?embed=1`])
    expect([path, await load(path)]).toEqual([path, unknown]);
  for (const path of ["/chatbot/nobody", "/chatbot/%zz", "/chatbot/%zz/x", "/courses/%zz"])
    expect([path, (await load(path)).statusCode]).toEqual([path, 404]);
  // With a session cookie, which is not verified here, the browser finds out whether the person may use the chatbot.
  const session = "better-auth.session_token=x";
  const [existing, missing] = [
    await load(`/chatbot/${inside.id}`, session),
    await load(`/chatbot/${randomUUID()}`, session),
  ];
  expect(existing.statusCode).toBe(200);
  expect(missing).toEqual(existing);
});

test("an origin with a wildcard or directive is not saved, and not sent if stored", async () => {
  const allowedOrigins = ["https://xn--mnchen-3ya.de", "http://[::1]:3000", "http://localhost:8080"];
  const bot = await createBot(admin, { access: "public", allowedOrigins });
  for (const origin of ["https://*", "https://*.example", "https://a.example;sandbox", "https://a.example,b"]) {
    const settings = { ...bot.settings, allowedOrigins: [...allowedOrigins, origin] };
    const { status, body } = await as(admin)(chatbots.update, {
      params: { id: bot.id },
      body: { version: bot.version, name: bot.name, settings },
    });
    expect([origin, status, body]).toMatchObject([
      origin,
      422,
      { issues: [{ code: "chatbots.badOrigin", path: "settings.allowedOrigins.3" }] },
    ]);
    await db
      .updateTable("chatbotVersions")
      .set({ settings: JSON.stringify(settings) })
      .where("chatbotId", "=", bot.id)
      .execute();
    const page = await app.inject({ url: `/chatbot/${bot.id}?embed=1`, headers: { host: "localhost" } });
    expect(page.headers["content-security-policy"]).toMatch(
      /frame-ancestors https:\/\/xn--mnchen-3ya.de http:\/\/\[::1\]:3000 http:\/\/localhost:8080$/,
    );
  }
});

test("an admin sees the draft of a chatbot as people would, and nobody else does", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { greeting: "Live" });
  await as(admin)(chatbots.update, {
    params: { id: bot.id },
    body: { version: bot.version, name: bot.name, settings: { ...bot.settings, greeting: "Draft" } },
  });
  const open = (who: Person, preview?: "yes") =>
    as(who)(chatbots.open, { params: { id: bot.id }, query: preview ? { preview } : {} });
  expect((await open(admin, "yes")).body.greeting).toBe("Draft");
  expect((await open(learner)).body.greeting).toBe("Live");
  expect((await open(learner, "yes")).status).toBe(403);
});

test("a conversation counts from its first message", async () => {
  const { learner } = await make.classroom();
  const bot = await createBot(admin);
  const { send, read } = await talk(learner, bot);
  const counts = async () => {
    const { items } = (await as(admin)(chatbots.list, { query: { q: bot.name } })).body;
    const row = items.find(({ id }) => id === bot.id);
    return [row?.conversations, row?.people, row?.lastAt !== null];
  };
  expect(await counts()).toEqual([0, 0, false]);
  await send("Hello");
  await vi.waitFor(async () => expect((await read()).turns.at(-1)?.state).toMatch(/done|refused/), 15_000);
  expect(await counts()).toEqual([1, 1, true]);
});
