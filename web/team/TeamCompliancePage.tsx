import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { ComplianceFigures } from "#web/requirements/ComplianceFigures.tsx";
import { CompliancePeople } from "#web/requirements/CompliancePeople.tsx";
import { requirements } from "#shared/requirements/requirements.ts";

/** `/team/compliance`: what the people of a manager must hold, and until when they hold it. */
export function TeamCompliancePage() {
  const { t } = useTranslation();
  const { data: list } = useSuspenseQuery(queryFor(requirements.teamList));
  return (
    <>
      <PageHead
        title={t("requirements.title")}
        line={t("requirements.lead", { day: formatDate(list.today), zone: list.zone })}
        parent={{ to: "/team", label: t("team.title") }}
      />
      {list.total === 0 ? (
        <EmptyState title={t("requirements.noneOfTeam")} text={t("requirements.noneOfTeamText")} />
      ) : (
        <>
          <ComplianceFigures list={list} />
          <CompliancePeople
            list={list}
            people={requirements.team}
            fileOf={(query) => urlOf(requirements.exportTeam, { query })}
            pathOf={({ userId }) => `/team/people/${userId}`}
            page="person"
            canOpen={false}
          />
        </>
      )}
    </>
  );
}
