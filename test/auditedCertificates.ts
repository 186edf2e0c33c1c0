import { certificates } from "#shared/certificates/certificates.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";
import { createCertifier, sampleDesign } from "#test/certificates.ts";
import { stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on certificates that the audit log records. */
export async function changeCertificates(server: Awaited<ReturnType<typeof start>>, admin: Person) {
  const boss = server.as(admin);
  const { school, holder } = createCertifier(server);
  const of = await school({}, { title: "a secret title" }, admin);
  const { person, certificate } = await holder(of, "A secret name");
  const params = { id: certificate.id };
  await server.app.inject({
    url: certificates.pdf.path.replace(":id", certificate.id),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await boss(certificates.issueMissing, { params: { courseId: of.course.id } });
  const path = bodyOf(await boss(paths.create, { body: { title: "Certified", steps: [stepOf(of.course.id)] } }));
  const ofPath = { params: { pathId: path.id } };
  const body = { enabled: true, content: sampleDesign, version: null };
  bodyOf(await boss(certificates.savePathDesign, { ...ofPath, body }));
  bodyOf(await boss(certificates.issueMissingOfPath, ofPath));
  const { version } = bodyOf(await boss(learners.get, { params: { id: person.user.id } }));
  await boss(learners.update, { params: { id: person.user.id }, body: { name: "Another secret name", version } });
  const made = bodyOf(await boss(certificates.reissue, { params }));
  await boss(certificates.revoke, { params: { id: made.id }, body: { reason: "a secret reason" } });
}
