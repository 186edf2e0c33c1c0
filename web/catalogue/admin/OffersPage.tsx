import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { OfferDialog } from "#web/catalogue/admin/OfferDialog.tsx";
import { OfferTable } from "#web/catalogue/admin/OfferTable.tsx";
import { RequestTable } from "#web/catalogue/admin/RequestTable.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import type { Offer } from "#shared/catalogue/catalogue.ts";
import { companies } from "#shared/companies/companies.ts";

/** The catalogue of a company: what it offers, and who asks for what. */
export function OffersPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: company } = useSuspenseQuery(queryFor(companies.get, { params: { id } }));
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
      <Section title={t("catalogue.admin.offers")}>
        <OfferTable companyId={id} onEdit={setEdited} />
      </Section>
      <Section title={t("catalogue.admin.requests")}>
        <RequestTable companyId={id} />
      </Section>
      {edited && (
        <OfferDialog companyId={id} offer={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
