import { expect, test } from "vitest";
import { auditPacks } from "#shared/auditPacks/auditPacks.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import { DEFAULT_CHOICES, measures } from "#shared/measures/measures.ts";
import { createAuditTester } from "#test/auditPacks.ts";
import { recordEarlier } from "#test/pastDays.ts";
import { bodyOf } from "#test/probes.ts";
import { createRequirementTester, dayIn } from "#test/requirements.ts";
import { type Person, start } from "#test/start.ts";
import { unpack } from "#test/unpackedAudit.ts";

const { heads } = texts;
const server = await start();
const { make, db } = server;
const admin = await make.admin();
const { call, room, demand, complete, moveTo } = createRequirementTester(server, admin);
const audits = createAuditTester(server, admin);

test("a pack has no scores and times that are switched off; an earlier one is refused", async () => {
  const { company, course, learners } = await room(["Ada"]);
  const [ada] = learners as [Person];
  await demand(company.id, course.id);
  await complete(ada, company.id, course.id);
  await moveTo(ada, course.id, dayIn(-3));
  await recordEarlier(db, 3);
  const measuredIn = async (id: string) => {
    const [row = {}] = unpack(await audits.download(id)).rows("completions.csv");
    return [row[heads.score], row[heads.activeMinutes], row[heads.reportedMinutes]];
  };
  const earlier = await audits.make(company.id);
  expect(await measuredIn(earlier.id)).not.toContain("");
  const choices = { ...DEFAULT_CHOICES, replay: "nobody", activeTime: "nobody", scores: "nobody" } as const;
  bodyOf(await call(measures.update, { params: { id: company.id }, body: { choices, version: 0 } }));
  const refused = await call(auditPacks.file, { params: { id: earlier.id } });
  expect([refused.status, refused.code]).toEqual([409, "auditPacks.switchedOff"]);
  const later = await audits.make(company.id);
  expect(await measuredIn(later.id)).toEqual(["", "", ""]);
  const { files } = await audits.check(later.id);
  expect(files?.find(({ path }) => path === "completions.csv")?.check).toBe("same");
});
