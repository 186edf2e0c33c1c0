import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { ComplianceFigures } from "#web/requirements/ComplianceFigures.tsx";
import { CompliancePeople } from "#web/requirements/CompliancePeople.tsx";
import { RequirementDialog } from "#web/requirements/RequirementDialog.tsx";
import { RequirementTable } from "#web/requirements/RequirementTable.tsx";
import { companies } from "#shared/companies/companies.ts";
import { groups } from "#shared/groups/groups.ts";
import { type CourseRequirement, type RequirementList, requirements } from "#shared/requirements/requirements.ts";

/** While a change is being applied to everyone, in ms. */
const REFRESH_MS = 2000;

/** What the people of a company must hold, who holds it until when, and who must do it again. */
export function CompliancePage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const [{ data: company }, { data: choices }, { data: list }] = useSuspenseQueries({
    queries: [
      queryFor(companies.get, { params: { id } }),
      queryFor(groups.choices, { query: { companyId: id } }),
      {
        ...queryFor(requirements.list, { params: { id } }),
        refetchInterval: ({ state }: { state: { data: RequirementList | undefined } }) =>
          state.data?.items.every(({ isApplied }) => isApplied) === false ? REFRESH_MS : false,
      },
    ],
  });
  const [edited, setEdited] = useState<CourseRequirement | "new" | null>(null);
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setEdited("new")}>
      {t("requirements.add")}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t("requirements.title")}
        line={t("requirements.lead", { day: formatDate(list.today), zone: list.zone })}
        parent={{ to: `/companies/${id}`, label: company.name }}
        actions={list.total > 0 && add}
      />
      {list.total === 0 ? (
        <EmptyState title={t("requirements.none")} text={t("requirements.noneText")} action={add} />
      ) : (
        <>
          <ComplianceFigures list={list} />
          <CompliancePeople
            list={list}
            people={requirements.people}
            params={{ id }}
            fileOf={(query) => urlOf(requirements.export, { params: { id }, query })}
            groups={choices.items}
            pathOf={({ userId }) => `/learners/report/${userId}`}
            canOpen
          />
          <Section title={t("requirements.list")}>
            <RequirementTable items={list.items} onEdit={setEdited} />
          </Section>
        </>
      )}
      {edited && (
        <RequirementDialog
          companyId={id}
          requirement={edited === "new" ? null : edited}
          required={list.items.map(({ courseId }) => courseId)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
