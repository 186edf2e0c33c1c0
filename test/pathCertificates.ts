import { certificates } from "#shared/certificates/certificates.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import { completions } from "#shared/completions/completions.ts";
import { createCertifier, sampleDesign } from "#test/certificates.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** Paths with certificates, and people who complete them. */
export function createPathCertifier(server: Awaited<ReturnType<typeof start>>, admin: Person) {
  const { db } = server;
  const { newest } = createCertifier(server);
  const tester = createPathTester(server, admin);
  const { call, walk, complete, room, enrolmentOf, work } = tester;
  const switchOn = async (pathId: string, changed: Partial<DesignContent> = {}, version: number | null = null) => {
    const content = { ...sampleDesign, fields: ["completed" as const, "courses" as const], ...changed };
    const body = { enabled: true, version, content };
    return bodyOf(await call(certificates.savePathDesign, { params: { pathId }, body }));
  };
  const rowsOf = (pathId: string) =>
    db.selectFrom("certificates").where("pathId", "=", pathId).selectAll().orderBy("issuedAt").execute();
  /** A path of two courses with a certificate, which the learner has completed. */
  const certified = async (title = "Ready for the tower") => {
    const { company, ada, bo, lessons } = await room(2);
    const [one, two] = lessons as [string, string];
    const first = stepOf(one);
    const pathId = await walk([first, stepOf(two, { after: [first.id] })], [ada], title);
    await switchOn(pathId);
    for (const lesson of lessons) await complete(ada, company.id, lesson);
    const certificate = await newest(ada);
    if (!certificate) throw new Error("no certificate");
    return { company, ada, bo, lessons, pathId, certificate };
  };
  /** Starts the course over, which takes its completion back. */
  const takeBack = async (person: Person, courseId: string) => {
    const { id } = (await enrolmentOf(person, courseId)) as { id: string };
    const body = { reason: "Completed by mistake", attemptNo: 1, status: "completed" as const };
    bodyOf(await call(completions.restart, { params: { id }, body }));
    await work();
  };
  return { ...tester, newest, switchOn, rowsOf, certified, takeBack };
}
