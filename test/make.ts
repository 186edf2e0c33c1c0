import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAdmin } from "#server/auth/admins/firstAdmin.ts";
import type { Services } from "#server/core/services.ts";
import { importPackage } from "#server/courses/versions.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies, type CompanyInput } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { player, type Launch } from "#shared/player/player.ts";
import type { Caller, Person } from "#test/start.ts";
import { packageOf } from "#test/samplePackage.ts";
import { PASSWORD } from "#test/password.ts";

type Tools = { services: Services; as: (person: Person | null, extra?: Record<string, string>) => Caller };

/**
 * Creates test data through the same services and endpoints as in production. Every call creates new, independent data.
 */
export function createMaker({ services, as }: Tools) {
  const signIn = async (email: string, password = PASSWORD): Promise<Person> => {
    const reply = await as(null)(auth.signIn, { body: { email, password } });
    if (reply.status !== 200) throw new Error(`sign-in of ${email}: ${reply.status} ${reply.code}`);
    return { user: { ...reply.body.user, email }, password, token: reply.body.token };
  };
  const admin = async () => {
    const email = `admin-${randomUUID()}@example.com`;
    await createAdmin(services, { email, name: "Ada Admin", password: PASSWORD });
    return signIn(email);
  };
  const company = async (by: Person, input: Partial<CompanyInput> = {}) => {
    const reply = await as(by)(companies.create, { body: { name: `Company ${randomUUID().slice(0, 8)}`, ...input } });
    if (reply.status !== 200) throw new Error(`company: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const learner = async (accessCode: string, name = "Lea Learner", email = `learner-${randomUUID()}@example.com`) => {
    const reply = await as(null)(auth.register, { body: { name, email, password: PASSWORD, accessCode } });
    if (reply.status !== 200) throw new Error(`register: ${JSON.stringify(reply.body)}`);
    return signIn(email);
  };
  const course = async (by: Person, options: { files?: Record<string, string>; publish?: boolean } = {}) => {
    const zip = join(services.config.filesDir, `${randomUUID()}.zip`);
    await mkdir(services.config.filesDir, { recursive: true });
    await writeFile(zip, packageOf(options.files));
    const made = await importPackage({ ...services, user: by.user }, zip, { name: "test.zip" });
    if (options.publish === false) return made;
    return (
      await as(by)(courses.setStatus, { params: { id: made.id }, body: { status: "published", version: made.version } })
    ).body;
  };
  /** A new version of a course, in use from now on. */
  const version = async (by: Person, courseId: string, files: Record<string, string>) => {
    const zip = join(services.config.filesDir, `${randomUUID()}.zip`);
    await writeFile(zip, packageOf(files));
    const { version, versions } = await importPackage({ ...services, user: by.user }, zip, {
      name: "test.zip",
      courseId,
    });
    const [newest] = versions.toSorted((a, b) => b.number - a.number);
    return as(by)(courses.setLive, { params: { id: courseId }, body: { versionId: newest?.id as string, version } });
  };
  const launch = async (
    who: Person,
    companyId: string,
    courseId: string,
    body: { clientId?: string; takeOver?: boolean; newAttempt?: boolean; orphan?: boolean } = {},
  ): Promise<Launch> => {
    const reply = await as(who)(player.launch, {
      params: { companyId, courseId },
      body: { clientId: randomUUID(), ...body },
    });
    if (reply.status !== 200) throw new Error(`launch: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  /** An admin, a company with one learner, and a published SCORM 1.2 course assigned to it. */
  const classroom = async (files?: Record<string, string>) => {
    const boss = await admin();
    const acme = await company(boss);
    const lea = await learner(acme.accessCode);
    const lesson = await course(boss, files ? { files } : {});
    await as(boss)(courses.assign, { params: { id: lesson.id }, body: { companyIds: [acme.id] } });
    return { admin: boss, company: acme, learner: lea, course: lesson };
  };
  return { admin, company, learner, course, version, launch, classroom, signIn };
}
