import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { AuditPackView } from "#web/auditPacks/AuditPackView.tsx";
import { PackDialog } from "#web/auditPacks/PackDialog.tsx";
import { PackState } from "#web/auditPacks/PackState.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate, formatDateTime } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { type AuditPack, auditPacks } from "#shared/auditPacks/auditPacks.ts";
import { companies } from "#shared/companies/companies.ts";
import { requirements } from "#shared/requirements/requirements.ts";

/** `/companies/:id/audit-packs`, and a pack of it: in one file, because every page lists all files. */
export const AuditPacksPage = () => (useParams().packId ? <AuditPackView /> : <PackList />);

/** Evidence of what a company required, for auditors. */
function PackList() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const params = { id };
  const [isAdding, setAdding] = useState(false);
  const [{ data: company }, { data: required }, { data: packs }] = useSuspenseQueries({
    queries: [
      queryFor(companies.get, { params }),
      queryFor(requirements.list, { params, query: {} }),
      queryFor(auditPacks.list, { params, query: { size: 1 } }),
    ],
  });
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
      {t("auditPacks.new")}
    </Button>
  );
  const periodOf = ({ from, to }: AuditPack) =>
    t("auditPacks.card.period", { from: formatDate(from), to: formatDate(to) });
  const canMake = required.total > 0 || required.recordedFrom !== null;
  return (
    <>
      <PageHead
        title={t("auditPacks.title")}
        line={t("auditPacks.lead")}
        parent={{ to: `/companies/${id}/compliance`, label: t("auditPacks.ofCompany", { company: company.name }) }}
        actions={canMake && packs.total > 0 && add}
      />
      {!canMake && packs.total === 0 ? (
        <EmptyState
          title={t("auditPacks.nothingRequired")}
          text={t("auditPacks.nothingRequiredText")}
          action={
            <Button component={Link} to={`/companies/${id}/compliance`}>
              {t("auditPacks.toCompliance")}
            </Button>
          }
        />
      ) : (
        <DataTable<AuditPack>
          list={auditPacks.list}
          params={params}
          rowKey={(row) => row.id}
          name={(row) => row.number}
          to={(row) => `/companies/${id}/audit-packs/${row.id}`}
          columns={[
            { key: "number", head: t("auditPacks.number"), width: 180 },
            { key: "period", head: t("auditPacks.form.period"), render: periodOf },
            {
              key: "courses",
              head: t("auditPacks.details.courses"),
              render: ({ courses }) => courses.map(({ title }) => title).join(", "),
            },
            {
              key: "asOf",
              head: t("auditPacks.form.asOf"),
              render: (row) => formatDateTime(row.asOf),
              minor: true,
            },
            { key: "state", head: t("auditPacks.state"), render: (row) => <PackState pack={row} />, width: 180 },
          ]}
          phone={(row) => ({
            line: periodOf(row),
            sideLine: t("auditPacks.card.courses", { count: row.courses.length }),
            extra: <PackState pack={row} />,
          })}
          empty={{ title: t("auditPacks.none"), text: t("auditPacks.noneText"), action: add }}
        />
      )}
      {isAdding && (
        <PackDialog
          companyId={id}
          courses={required.items}
          today={required.today}
          recordedFrom={required.recordedFrom}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
