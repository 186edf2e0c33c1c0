import { expect, test } from "vitest";
import { settingChanges } from "#web/chatbots/versions/settingChanges.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";

const draft = (changes: object) => ({ name: "Mira", settings: botSettings.parse(changes) });

test("names what changed within limits and voice in words", () => {
  const changes = settingChanges(draft({}), draft({ limits: { perDay: 5 }, voice: { isOn: true } }));
  expect(changes.map(({ field }) => field).toSorted()).toEqual(["limits", "voice"]);
  const [limits, voice] = ["limits", "voice"].map((field) => changes.find((change) => change.field === field));
  expect(limits?.before).toContain("Messages per day in total: 2000");
  expect(limits?.after).toContain("Messages per day in total: 5");
  expect(voice?.before).toContain("Voice conversations: No");
  expect(voice?.after).toContain("Voice conversations: Yes");
});
