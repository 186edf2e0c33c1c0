import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { player } from "#shared/player/player.ts";
import { createClient, createWriter } from "#test/client.ts";
import { packageOf } from "#test/make.ts";
import { ADMIN } from "#test/process.ts";
import { PASSWORD } from "#test/password.ts";

/** Learners of one company, each with an open session. */
export async function openClass(url: string, count: number) {
  const admin = createClient(url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
  const { body: course } = await admin.upload("course.zip", packageOf());
  const published = await admin.call(courses.setStatus, {
    params: { id: course.id },
    body: { status: "published", version: course.version },
  });
  await admin.call(courses.assign, { params: { id: published.id }, body: { companyIds: [company.id] } });
  const enrol = async (i: number) => {
    const me = createClient(url);
    const email = `learner-${i}@example.com`;
    await me.call(auth.register, {
      body: { name: `Learner ${i}`, email, password: PASSWORD, accessCode: company.accessCode },
    });
    me.useToken((await me.call(auth.signIn, { body: { email, password: PASSWORD } })).token);
    const session = await me.call(player.launch, {
      params: { companyId: company.id, courseId: published.id },
      body: { clientId: `window-${i}` },
    });
    return { session, writer: createWriter(url, session) };
  };
  const people = [];
  for (let i = 0; i < count; i += 10)
    people.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => enrol(i + n)))));
  return people;
}
