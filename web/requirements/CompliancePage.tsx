import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSuspenseQueries, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
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
  const [search] = useSearchParams();
  const [{ data: company }, { data: choices }, { data: live }] = useSuspenseQueries({
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
  const asked = search.get("asOf") ?? "";
  const asOf = asked !== "" && asked < live.today ? asked : undefined;
  const { data: list } = useSuspenseQuery(
    queryFor(requirements.list, { params: { id }, query: { ...(asOf && { asOf }) } }),
  );
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
        line={t(asOf ? "requirements.leadAsOf" : "requirements.lead", { day: formatDate(list.today), zone: list.zone })}
        parent={{ to: `/companies/${id}`, label: company.name }}
        actions={
          !asOf &&
          (list.total > 0 || live.recordedFrom !== null) && (
            <>
              <Button component={Link} to={`/companies/${id}/audit-packs`} variant="default">
                {t("auditPacks.open")}
              </Button>
              {list.total > 0 && add}
            </>
          )
        }
      />
      {list.total === 0 && !asOf && (
        <EmptyState title={t("requirements.none")} text={t("requirements.noneText")} action={add} />
      )}
      {list.total === 0 && asOf && (
        <EmptyState
          title={t("requirements.notRequiredThen")}
          text={live.recordedFrom && t("requirements.recordedFrom", { day: formatDate(live.recordedFrom) })}
          action={
            <Button component={Link} to={`/companies/${id}/compliance`}>
              {t("requirements.toToday")}
            </Button>
          }
        />
      )}
      {list.total > 0 && (
        <>
          <ComplianceFigures list={list} {...(asOf && { asOf })} />
          <CompliancePeople
            list={list}
            people={requirements.people}
            params={{ id }}
            fileOf={(query) => urlOf(requirements.export, { params: { id }, query })}
            groups={choices.items}
            pathOf={({ userId }) => `/learners/report/${userId}`}
            page="report"
            canOpen={!asOf}
            hasEarlierDays={live.recordedFrom !== null}
          />
          <Section title={t("requirements.list")}>
            <RequirementTable items={list.items} {...(!asOf && { onEdit: setEdited })} />
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
