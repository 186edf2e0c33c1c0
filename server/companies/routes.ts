import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { listCompanyCourses, removeCompanyCourse } from "#server/companies/courses.ts";
import { rotateCode } from "#server/companies/codeRotation.ts";
import { getOwnBrand, readLogo, removeLogo, setLogo } from "#server/companies/branding.ts";
import { createCompany, getCompany, setCompanyStatus, updateCompany } from "#server/companies/service.ts";
import { listCompanies, listCompanyChoices } from "#server/companies/companyList.ts";
import type { Mount } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { canManageCompanies, canSetCompanyStatus, companies } from "#shared/companies/companies.ts";
import { isSignedIn } from "#shared/core/users.ts";

export function companyRoutes(on: Mount) {
  on(companies.list, canManageCompanies, (call) => listCompanies(call, call.query));
  on(companies.choices, canManageCompanies, (call) => listCompanyChoices(call));
  on(companies.get, canManageCompanies, (call) => getCompany(call, call.params.id));
  on(companies.create, canManageCompanies, (call) => createCompany(call, call.body));
  on(companies.update, canManageCompanies, (call) => updateCompany(call, call.params.id, call.body));
  on(companies.rotateCode, canManageCompanies, (call) => rotateCode(call, call.params.id, call.body));
  on(companies.setStatus, canSetCompanyStatus, (call) => setCompanyStatus(call, call.params.id, call.body));
  on(companies.setLogo, canManageCompanies, (call) => setLogo(call, call.params.id, call.body));
  on(companies.removeLogo, canManageCompanies, (call) => removeLogo(call, call.params.id, call.query.version));
  on(companies.courses, canManageCompanies, (call) => listCompanyCourses(call, call.params.id));
  on(companies.removeCourse, canManageCompanies, (call) =>
    removeCompanyCourse(call, call.params.id, call.params.courseId),
  );
  on(companies.brand, isSignedIn, (call) => getOwnBrand(call));
}

/** Serves the logo as an image, without sign-in. The URL contains the version, so it can be cached for a year. */
export function logoRawRoute(app: FastifyInstance, { db }: Services) {
  app.get("/api/companies/:id/logo", { config: { pace: "file" } }, async (request, reply) => {
    const id = z.object({ id: z.uuid() }).safeParse(request.params);
    if (!id.success) throw notFound();
    const { bytes, type } = await readLogo(db, id.data.id);
    return reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("x-content-type-options", "nosniff")
      .type(type)
      .send(bytes);
  });
}
