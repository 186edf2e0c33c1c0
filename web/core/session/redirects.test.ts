import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { targetAfterSignIn } from "#web/core/session/redirects.ts";
import type { User } from "#shared/core/users.ts";

const learner = { role: "learner" } as User;
const goTo = (redirect: string) => targetAfterSignIn(learner, `?redirect=${encodeURIComponent(redirect)}`);

beforeEach(() => vi.stubGlobal("location", { origin: "https://academy.example" }));
afterEach(() => vi.unstubAllGlobals());

test("redirects to courses and chatbots only", () => {
  expect(goTo("/launch/1/2?x=1#y")).toBe("/launch/1/2?x=1#y");
  expect(goTo("/chatbot/1/2")).toBe("/chatbot/1/2");
  expect(goTo("/companies")).toBe("/my-courses");
});

test("never redirects to another site", () => {
  const targets = [
    "//evil.example/chatbot/",
    "/\\evil.example/chatbot/",
    "/\t/evil.example/chatbot/",
    "/.//evil.example/chatbot/",
    "/x/..//evil.example/chatbot/",
    "/%2e//evil.example/chatbot/",
    "/./\\evil.example/chatbot/",
    "https://evil.example/chatbot/",
    "javascript:alert(1)//chatbot/",
    "\\\\evil.example/chatbot/",
    " //evil.example/chatbot/",
  ];
  for (const target of targets) expect([target, goTo(target)]).toEqual([target, "/my-courses"]);
});
