import { Menu } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DecisionDialog } from "#web/catalogue/DecisionDialog.tsx";
import { download } from "#web/core/api/download.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { formatDate } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { catalogue, type CatalogueRequest, requestStatus } from "#shared/catalogue/catalogue.ts";
import { formatPrice } from "#shared/catalogue/prices.ts";

type Asked = { request: CatalogueRequest; kind: "approve" | "decline" | "takeOff" };

const refusalOf = ({ status }: CatalogueRequest) => (status === "waiting" ? "takeOff" : "decline");

/** Requests, waiting lists and enrolments of the catalogue of a company. */
export function RequestTable({ companyId }: { companyId: string }) {
  const { t, i18n } = useTranslation();
  const [asked, setAsked] = useState<Asked | null>(null);
  const decide = useApiMutation(catalogue.decide, { quiet: true });
  const params = { id: companyId };
  const statusOf = ({ status, closed }: CatalogueRequest) =>
    closed ? t(`catalogue.requests.closed.${closed}`) : t(`catalogue.statuses.${status}`);
  const isOpen = ({ status }: CatalogueRequest) => status === "open" || status === "waiting";
  return (
    <>
      <DataTable<CatalogueRequest>
        list={catalogue.requests}
        params={params}
        prefix="r."
        sort="asked"
        search={t("catalogue.requests.search")}
        noun={t("catalogue.requests.people")}
        filters={[
          {
            key: "status",
            label: t("catalogue.requests.status"),
            options: requestStatus.options.map((value) => ({ value, label: t(`catalogue.statuses.${value}`) })),
          },
          {
            key: "unmanaged",
            label: t("catalogue.requests.manager"),
            options: [{ value: "true", label: t("catalogue.requests.unmanaged") }],
          },
        ]}
        rowKey={(row) => row.id}
        name={nameOf}
        to={(row) => `/learners/report/${row.userId}`}
        mark={(row) => <PersonMark name={nameOf(row)} size={26} />}
        note={(row) => row.note || row.reason}
        columns={[
          { key: "person", head: t("catalogue.requests.person") },
          { key: "course", head: t("catalogue.requests.course"), render: (row) => row.course },
          { key: "status", head: t("catalogue.requests.status"), render: statusOf },
          {
            key: "asked",
            head: t("catalogue.requests.asked"),
            sort: true,
            render: (row) => formatDate(row.askedAt),
            minor: "narrow",
          },
          {
            key: "manager",
            head: t("catalogue.requests.manager"),
            render: (row) => row.manager ?? (row.status === "open" ? t("catalogue.requests.noManager") : ""),
            minor: true,
          },
          {
            key: "price",
            head: t("catalogue.requests.price"),
            align: "right",
            minor: true,
            render: ({ priceMinor, currency }) => formatPrice(i18n.language, priceMinor, currency) ?? "",
          },
          {
            key: "costCentre",
            head: t("catalogue.requests.costCentre"),
            render: (row) => row.costCentre,
            isOptional: true,
          },
        ]}
        menu={(row) =>
          isOpen(row) ? (
            <>
              {row.status === "open" && (
                <Menu.Item onClick={() => setAsked({ request: row, kind: "approve" })}>
                  {t("catalogue.requests.approve")}
                </Menu.Item>
              )}
              <Menu.Item color="red" onClick={() => setAsked({ request: row, kind: refusalOf(row) })}>
                {t(`catalogue.requests.${refusalOf(row)}`)}
              </Menu.Item>
            </>
          ) : null
        }
        phone={(row) => ({ line: row.course, side: statusOf(row) })}
        onExport={async (query, onProgress) => {
          await download(urlOf(catalogue.export, { params, query }), "catalogue.csv", onProgress).catch(
            (error: unknown) => toast.failed(error),
          );
        }}
        empty={{ title: t("catalogue.requests.none"), text: t("catalogue.requests.noneText") }}
      />
      {asked && (
        <DecisionDialog
          name={nameOf(asked.request)}
          kind={asked.kind}
          onDecide={(body) => decide.mutateAsync({ params: { id: asked.request.id }, body })}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
