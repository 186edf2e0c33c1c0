import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { FIRST_PAGE, PagedPeople } from "#web/imports/PagedPeople.tsx";
import { type ImportDetail, imports } from "#shared/imports/imports.ts";

const courseWhy = { acted: "courseActed", changed: "courseChanged" } as const;

/** People whom the undoing left as they are, and why. */
export function Stayed({ file: { id, about, stayed: count } }: { file: ImportDetail }) {
  const { t } = useTranslation();
  const [paging, setPaging] = useState(FIRST_PAGE);
  const { data } = useQuery(pagedQueryFor(imports.stayed, { params: { id }, query: paging }));
  return (
    <Section title={t("imports.stayedTitle", { count })}>
      <PagedPeople data={data} paging={paging} onPage={setPaging}>
        {(person) => (
          <>
            <Link to={`/learners/report/${person.id}`}>{person.name || person.email}</Link>
            <span>{person.email}</span>
            <span>{t(`imports.why.${about === "people" ? person.why : courseWhy[person.why]}`)}</span>
          </>
        )}
      </PagedPeople>
    </Section>
  );
}
