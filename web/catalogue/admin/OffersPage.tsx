import { Button, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { OfferDialog } from "#web/catalogue/admin/OfferDialog.tsx";
import { OfferTable } from "#web/catalogue/admin/OfferTable.tsx";
import { RequestTable } from "#web/catalogue/admin/RequestTable.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import type { Offer } from "#shared/catalogue/catalogue.ts";
import { companies } from "#shared/companies/companies.ts";

const tabs = ["offers", "requests"] as const;

/** The catalogue of a company: what it offers, and who asks for what. */
export function OffersPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: company } = useSuspenseQuery(queryFor(companies.get, { params: { id } }));
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get("tab")) ?? "offers";
  const tabList = useTabInView(tab);
  const [edited, setEdited] = useState<Offer | "new" | null>(null);
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setEdited("new")}>
      {t("catalogue.admin.add")}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t("catalogue.admin.title")}
        line={t("catalogue.admin.lead")}
        parent={{ to: `/companies/${id}`, label: company.name }}
        actions={add}
      />
      <Tabs
        value={tab}
        onChange={(next) => setSearch(next && next !== "offers" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabList} mb={22}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`catalogue.admin.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="offers">
          <OfferTable companyId={id} onEdit={setEdited} />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <RequestTable companyId={id} />
        </Tabs.Panel>
      </Tabs>
      {edited && (
        <OfferDialog companyId={id} offer={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
