import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { activatedMail, resetMail } from "#server/auth/mails.ts";
import { renderMail } from "#server/mails/template.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const setUp = await start();
const { make } = setUp;
const { createPublished, form, sendForm } = createEventMaker(setUp);
const LINKS = ["You won: https://evil.example/prize", "www.evil.example", "Read bit.ly/2xyz now", "evil.com", "a<b"];

test("leaves a name with a link out of emails", () => {
  for (const name of LINKS) {
    for (const { parts } of [
      resetMail({ name, link: "https://academy.example/x" }),
      activatedMail({ name, company: "Acme", link: null }),
    ]) {
      const { body, html } = renderMail({ name: "Academy", ...parts });
      expect(body).toMatch(/^Hello,\n/);
      expect([name, html.includes("evil"), html.includes("bit.ly")]).toEqual([name, false, false]);
    }
  }
  expect(resetMail({ name: "Dr. A. Berg-O’Neill", link: "https://academy.example/x" }).parts.paragraphs[0]).toBe(
    "Hello Dr. A. Berg-O’Neill,",
  );
});

test("keeps names on one line and refuses guest names with a link", async () => {
  const { admin, company } = await make.classroom();
  const lea = await make.learner(
    company.accessCode,
    "Lea\r\n\r\nYour account is locked,\tcall us",
    `n-${randomUUID()}@example.com`,
  );
  expect(lea.user.name).toBe("Lea Your account is locked, call us");
  const event = await createPublished(admin);
  for (const name of LINKS)
    expect([name, (await sendForm(event.slug, form(event, { name }))).body.issues?.[0]?.path]).toEqual([name, "name"]);
});
