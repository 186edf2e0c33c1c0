import { deflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";
import { mailServers } from "#shared/mails/mailServer.ts";
import { LOGO_BYTES } from "#shared/companies/companies.ts";
import { academies, LOGO_PATH } from "#shared/settings/settings.ts";
import { startMailbox } from "#test/mailbox.ts";
import { PASSWORD } from "#test/password.ts";
import { start } from "#test/start.ts";

const { app, as, make, db } = await start();
const admin = await make.admin();

const dataUrl = (bytes: Buffer | string, type = "image/png") =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const versionNow = async () => (await as(admin)(academies.settings)).body.version;
const set = async (url: string) =>
  as(admin)(academies.setLogo, { body: { dataUrl: url, version: await versionNow() } });
const codeOf = ({ body }: { body: unknown }) => (body as { issues?: { path: string; code: string }[] }).issues?.[0];
const svg = (inner: string, attributes = 'viewBox="0 0 200 50"') =>
  dataUrl(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`,
  );
const read = () => app.inject({ url: LOGO_PATH });

/** A grey PNG of this size. */
function png(width: number, height: number) {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.alloc(10)))]);
}

test("the logo is part of the academy, is served to guests and can be removed", async () => {
  expect((await read()).statusCode).toBe(404);
  const image = png(300, 100);
  const { status, body } = await set(dataUrl(image));
  expect([status, body.logo]).toEqual([200, { url: `${LOGO_PATH}?v=${body.version}`, width: 300, height: 100 }]);
  expect((await as(null)(academies.read)).body.logo).toEqual(body.logo);
  const served = await app.inject({ url: body.logo?.url as string });
  expect(served.headers).toMatchObject({ "content-type": "image/png", "x-content-type-options": "nosniff" });
  expect(served.headers["content-security-policy"]).toContain("sandbox");
  expect(served.rawPayload.equals(image)).toBe(true);
  const page = await app.inject({ url: "/login", headers: { host: "localhost" } });
  expect(page.body).toContain(`${LOGO_PATH}?v=`);
  const stale = await as(admin)(academies.removeLogo, { query: { version: body.version - 1 } });
  expect(stale).toMatchObject({ status: 409, code: "core.conflict" });
  expect((await as(admin)(academies.removeLogo, { query: { version: body.version } })).body.logo).toBeNull();
  expect((await read()).statusCode).toBe(404);
});

test("JPEG and WebP are recognised by their bytes, with their size", async () => {
  const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc00011080040008003012200021101031101", "hex");
  expect((await set(dataUrl(jpeg))).body.logo).toMatchObject({ width: 128, height: 64 });
  const webp = Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"),
    Buffer.from([0xff, 0, 0, 0x3f, 0, 0]),
  ]);
  expect((await set(dataUrl(webp, "text/html"))).body.logo).toMatchObject({ width: 256, height: 64 });
  expect((await read()).headers["content-type"]).toBe("image/webp");
});

test("other types, damaged files and huge images are refused", async () => {
  for (const bytes of [
    "",
    "GIF89a",
    "<html></html>",
    png(4001, 10),
    png(0, 10),
    png(10, 10).subarray(0, 20),
    Buffer.concat([png(10, 10), Buffer.alloc(LOGO_BYTES)]),
    Buffer.from("ffd8ffe0", "hex"),
  ])
    expect(codeOf(await set(dataUrl(bytes)))).toMatchObject({ path: "logo", code: "settings.badLogo" });
  expect(codeOf(await set("nonsense"))).toMatchObject({ code: "settings.badLogo" });
});

test("an SVG is rewritten without the additions of drawing programs", async () => {
  const source = svg(
    '<metadata><rdf:RDF xmlns:rdf="x"/></metadata><sodipodi:namedview xmlns:sodipodi="y" id="base"/>' +
      "<!-- made with a program --><style>.a{fill:#0f5763}</style>" +
      '<defs><linearGradient id="g"><stop offset="0"/></linearGradient>' +
      '<linearGradient id="h" xlink:href="#g"/><path id="p" d="M0 0h9v9z"/></defs>' +
      '<g inkscape:label="Layer &amp; 1" xmlns:inkscape="z" data-name="x"><use xlink:href="#p" class="a"/>' +
      '<rect width="9" height="9" style="fill:url(#h)"/><text>A &lt; B</text></g>',
  );
  expect((await set(source)).body.logo).toMatchObject({ width: 512, height: 128 });
  const { body, headers } = await read();
  expect(headers["content-type"]).toBe("image/svg+xml");
  expect(body).toContain("<text>A &lt; B</text>");
  expect(body).toContain('<use xlink:href="#p" class="a">');
  expect(body).not.toMatch(/rdf|sodipodi|inkscape|program|data-/);
  const sized = svg("<path d='M0 0h9v9z'/>", 'width="40mm" height="20mm"');
  expect((await set(sized)).body.logo).toMatchObject({ width: 512, height: 256 });
  expect((await read()).body).toContain('viewBox="0 0 40 20"');
});

test.each([
  ["<script>alert(1)</script>"],
  ['<path onload="alert(1)"/>'],
  ['<g OnClick="alert(1)"/>'],
  ['<a href="https://evil.example"><path/></a>'],
  ['<image href="https://evil.example/x.png"/>'],
  ['<use href="https://evil.example/x.svg#y"/>'],
  ['<use xlink:href="data:image/svg+xml;base64,AA=="/>'],
  ["<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>"],
  ['<rect fill="url(https://evil.example/x)"/>'],
  ["<rect style=\"fill:url('//evil.example/x')\"/>"],
  ['<rect style="fill:u\\72l(//evil.example/x)"/>'],
  ["<style>@import '//evil.example/x.css';</style>"],
  ["<style>rect{background:url(//evil.example)}</style>"],
  ['<animate attributeName="href" to="javascript:alert(1)"/>'],
  ['<set attributeName="onload" to="alert(1)"/>'],
  ['<filter id="f"><feImage href="#x"/></filter>'],
  ['<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
  ['<g id="a"><use href="#p"/></g><g id="b"><use href="#a"/><use href="#a"/></g><path id="p"/>'],
  ["<g>".repeat(5001) + "</g>".repeat(5001)],
  ["<path/>".repeat(5001)],
])("the SVG %s is refused", async (inner) => {
  expect(codeOf(await set(svg(inner.slice(0, 400_000))))).toMatchObject({ path: "logo", code: "settings.badSvg" });
});

test("an SVG with entities, without a size or not well-formed is refused", async () => {
  for (const text of [
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">&a;</svg>',
    '<?xml version="1.0"?><!DOCTYPE svg SYSTEM "x" [ ]><svg viewBox="0 0 1 1"/>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg viewBox="0 0 1 0"/>',
    '<svg viewBox="0 0 1 1">',
    '<svg viewBox="0 0 1 1"/><svg viewBox="0 0 1 1"/>',
  ])
    expect([text, codeOf(await set(dataUrl(text)))?.code]).toEqual([text, "settings.badSvg"]);
});

test("emails of the academy show the logo, or the name once the logo is removed", async () => {
  const mailbox = await startMailbox();
  const smtp = await start({ SMTP_URL: mailbox.url });
  const jobs = await smtp.runJobs();
  onTestFinished(async () => {
    await jobs.stop();
    await mailbox.close();
  });
  const owner = await smtp.make.admin();
  const { version } = (await smtp.as(owner)(academies.settings)).body;
  const body = { dataUrl: dataUrl(png(300, 100)), version };
  expect((await smtp.as(owner)(academies.setLogo, { body })).status).toBe(200);
  await smtp.as(owner)(mailServers.test);
  const mail = await mailbox.waitForMail(owner.user.email, "Test email");
  expect(mail.raw).toMatch(/Content-ID: <academy-logo>/i);
  expect(mail.raw).toMatch(/width=3D"144" height=3D"48"|width="144" height="48"/);
  const change = { password: "wrong mule charger", current: PASSWORD };
  await smtp.db.updateTable("settings").set({ logoType: "image/svg+xml" }).execute();
  expect((await smtp.as(owner)(accounts.changePassword, { body: change })).status).toBe(204);
  const text = await mailbox.waitForMail(owner.user.email, "Your password was changed");
  expect(text.raw).not.toContain("academy-logo");
}, 30_000);

test("only an admin with a recent login can change the logo", async () => {
  const { learner } = await make.classroom();
  const body = { dataUrl: dataUrl(png(10, 10)), version: await versionNow() };
  expect((await as(learner)(academies.setLogo, { body })).status).toBe(403);
  const old = await make.admin();
  const createdAt = new Date(Date.now() - 11 * 60_000).toISOString();
  await db.updateTable("authSessions").set({ createdAt }).where("userId", "=", old.user.id).execute();
  expect((await as(old)(academies.setLogo, { body })).code).toBe("auth.reauthRequired");
  expect((await as(old)(auth.me)).status).toBe(200);
});
