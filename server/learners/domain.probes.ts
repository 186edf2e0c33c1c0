import { learners } from "#shared/learners/learners.ts";
import { addNumbered, allowPins } from "#test/numbered.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server, admin, learner, company, own, tag }) {
    const { as, db, make } = server;
    const email = `invited-${tag}@example.com`;
    const people = [{ email, name: `Ines ${tag}` }];
    bodyOf(await as(admin)(learners.invite, { body: { companyId: company.id, people, courseIds: [] } }));
    const invitee = await db.selectFrom("users").where("email", "=", email).select("id").executeTakeFirstOrThrow();
    const colleague = await make.learner(company.accessCode, `Carl ${tag}`);
    const suspension = { ids: [colleague.user.id], reason: `Reason ${tag}` };
    const { undoId } = bodyOf(await as(admin)(learners.suspend, { body: suspension }));
    const present = await allowPins(server, admin, company);
    const numbered = await addNumbered(server, admin, present, `P-${tag}`, `Nora ${tag}`);
    const ids = [learner.user.id, invitee.id];
    return {
      marks: [invitee.id, email, undoId, numbered.id, `P-${tag}`],
      writes: {
        "learners.invite": {
          body: { companyId: company.id, people: [{ email: "new@example.com", name: "New" }] },
        },
        "learners.create": { body: { companyId: company.id, name: "New", personnelNumber: "P-new" } },
        "learners.issuePin": { id: numbered.id, body: {} },
        "learners.checkInvitations": { body: { companyId: company.id, emails: ["new@example.com"] } },
        "learners.update": { id: learner.user.id, body: { name: "Taken over", version: 1 } },
        "learners.resend": { body: { ids } },
        "learners.suspend": { body: { ids } },
        "learners.reactivate": { body: { ids } },
        "learners.undoSuspension": { id: undoId },
        "learners.move": { body: { ids, companyId: own.company.id } },
        "learners.remindPreview": { body: { ids } },
        "learners.remind": { body: { ids } },
        "learners.assign": { body: { ids, courseIds: [own.course.id] } },
      },
    };
  },
  boundedPages: [
    learners.list.path,
    ...["-name", "email", "-lastActive", "lastActive"].map((sort) => `${learners.list.path}?sort=${sort}`),
    ...["status=active", "joinedOn=2026-01-01", "completedOn=2026-01-01", "overdueOn=2026-01-01"].map(
      (filter) => `${learners.list.path}?${filter}`,
    ),
  ],
};
