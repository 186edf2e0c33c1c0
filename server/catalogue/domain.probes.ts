import { followCatalogue } from "#server/catalogue/follow.ts";
import { catalogue } from "#shared/catalogue/catalogue.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as, make, services }, admin, learner, company, tag }) {
    const call = as(admin);
    const params = { id: company.id };
    const [course, asked, other] = [await make.course(admin), await make.course(admin), await make.course(admin)];
    const terms = { way: "self" as const, costCentre: `Centre ${tag}`, requires: [] };
    const { id, version } = bodyOf(await call(catalogue.create, { params, body: { courseId: course.id, terms } }));
    const onRequest = { courseId: asked.id, terms: { ...terms, way: "request" as const } };
    const requested = bodyOf(await call(catalogue.create, { params, body: onRequest }));
    bodyOf(await as(learner)(catalogue.join, { params: { id }, body: { as: "enrol" } }));
    const ask = { as: "ask" as const, note: `Note ${tag}` };
    bodyOf(await as(learner)(catalogue.join, { params: { id: requested.id }, body: ask }));
    const [open] = bodyOf(await call(catalogue.requests, { params, query: { status: "open" } })).items;
    await followCatalogue.run(services, {});
    return {
      marks: [id, requested.id, open?.id as string],
      writes: {
        "catalogue.join": { id, body: { as: "enrol" } },
        "catalogue.withdraw": { id: requested.id },
        "catalogue.leave": { id },
        "catalogue.create": { id: company.id, body: { courseId: other.id, terms } },
        "catalogue.update": { id, body: { terms, version } },
        "catalogue.remove": { id },
        "catalogue.decide": { id: open?.id as string, body: { approve: true } },
        "catalogue.decideForTeam": { id: open?.id as string, body: { approve: true } },
      },
    };
  },
  companyRows: {},
  boundedPages: [],
};
