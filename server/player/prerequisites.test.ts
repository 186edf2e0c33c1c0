import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { buildManifest, organizationsXml, scormPage } from "#test/packages.ts";
import { start } from "#test/start.ts";

// Prerequisites of SCORM 1.2 while a package is learned

const { as, make } = await start();
const commit = committer(as);

const item = (id: string, script = "", inner = "") =>
  `<item identifier="${id}"${inner === "" ? ' identifierref="R"' : ""}><title>Part ${id}</title>${
    script && `<adlcp:prerequisites type="aicc_script">${script}</adlcp:prerequisites>`
  }${inner}</item>`;
const filesOf = (...items: string[]) => ({
  "imsmanifest.xml": buildManifest({ organizations: organizationsXml(items.join("")) }),
  "a.html": scormPage.data,
});

test("opens a part when what it waits for is done, also in a group", async () => {
  const items = [item("A"), item("G", "A", item("B") + item("C", "B=passed")), item("D", "G")];
  const { learner, company, course } = await make.classroom(filesOf(...items));
  const enter = () => make.launch(learner, company.id, course.id, { takeOver: true });
  const launch = await enter();
  const waiting = ({ attempt }: Pick<typeof launch, "attempt">) =>
    attempt.parts.map(({ sco, waitsFor = [] }) => [sco, ...waitsFor].join(" "));
  expect(waiting(launch)).toEqual(["A", "B A", "C A B", "D G"]);
  expect([launch.current, launch.ignoresRules]).toEqual(["A", false]);

  let seq = 0;
  const report = async (sco: string, status: string) => {
    const events = [...openPart(seq + 1, sco), setValue(seq + 3, "cmi.core.lesson_status", status, sco)];
    seq += 3;
    return (await commit(launch, { events })).body;
  };
  expect(waiting(await report("A", "completed"))).toEqual(["A", "B", "C B", "D G"]);
  expect(waiting(await report("B", "completed"))).toEqual(["A", "B", "C B", "D G"]);
  expect(waiting(await report("B", "passed"))).toEqual(["A", "B", "C", "D G"]);
  expect(waiting(await report("C", "failed"))).toEqual(["A", "B", "C", "D G"]);
  expect(waiting(await report("C", "passed"))).toEqual(["A", "B", "C", "D"]);
  expect((await enter()).current).toBe("C");
});

test("opens the first part that is not closed", async () => {
  const { learner, company, course } = await make.classroom(filesOf(item("A", "B"), item("B")));
  expect((await make.launch(learner, company.id, course.id)).current).toBe("B");
});

test("says that prerequisites are not followed", async () => {
  const { learner, company, course } = await make.classroom(filesOf(item("A"), item("B", "X")));
  const launch = await make.launch(learner, company.id, course.id);
  expect([launch.ignoresRules, launch.attempt.parts.some(({ waitsFor }) => waitsFor)]).toEqual([true, false]);
});
