import { documents } from "#shared/documents/documents.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["documents.create", "documents.addPage", "documents.addText", "documents.addCourse"],
  async fill({ server: { as, db }, admin, company, tag }) {
    const title = `Rules ${tag}`;
    const { id } = bodyOf(await as(admin)(documents.addText, { body: { title, text: `Passage ${tag}.` } }));
    await db
      .updateTable("documents")
      .set({ companyId: company.id, allCompanies: false })
      .where("id", "=", id)
      .execute();
    const question = await db
      .insertInto("testQuestions")
      .values({ documentId: id, question: `Test question ${tag}`, expected: "Rules" })
      .returning("id")
      .executeTakeFirstOrThrow();
    return {
      marks: [id, title, `Passage ${tag}`, `Test question ${tag}`],
      writes: {
        "documents.update": { id, body: { title: "Taken over", version: 1 } },
        "documents.archive": { id, body: {} },
        "documents.restore": { id, body: {} },
        "documents.remove": { id },
        "documents.indexAgain": { id, body: {} },
        "documents.publish": { id, body: {} },
        "documents.ask": { id, body: { question: "Where?" } },
        "documents.addTestQuestion": { id, body: { question: "Where?", expected: "There" } },
        "documents.removeTestQuestion": { id: question.id },
      },
    };
  },
};
