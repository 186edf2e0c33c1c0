import { expect, test } from "vitest";
import { start } from "#test/start.ts";

const URL_PATH = "/.well-known/security.txt";

test("security.txt has the contact of the operator and has not expired", async () => {
  const { app } = await start({ SECURITY_CONTACT: "mailto:security@example.com" });
  const { body, headers, statusCode } = await app.inject(URL_PATH);
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(body).toContain("Contact: mailto:security@example.com\n");
  expect(body).toContain(`Canonical: http://localhost:1${URL_PATH}\n`);
  const [, expires = ""] = /^Expires: (.*)$/m.exec(body) ?? [];
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(100);
  expect(days).toBeLessThan(365);
});

test("there is no security.txt without a contact", async () => {
  const { app } = await start();
  expect((await app.inject(URL_PATH)).statusCode).toBe(404);
});

test("a contact that is neither a mail nor a web address is refused at the start", async () => {
  await expect(start({ SECURITY_CONTACT: "security@example.com" })).rejects.toThrow(/SECURITY_CONTACT: Write mailto:/);
});
