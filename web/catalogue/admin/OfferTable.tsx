import { Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { counted, removalEffects } from "#web/catalogue/admin/offerEffects.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import { confirm } from "#web/core/dialog/confirm.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { catalogue, type Offer } from "#shared/catalogue/catalogue.ts";
import { formatPrice } from "#shared/catalogue/prices.ts";

type Props = { companyId: string; onEdit: (offer: Offer) => void };

/** The courses that a company offers in its catalogue. */
export function OfferTable({ companyId, onEdit }: Props) {
  const { t, i18n } = useTranslation();
  const remove = useApiMutation(catalogue.remove, { quiet: true });
  const askToRemove = (offer: Offer) =>
    confirm({
      title: t("catalogue.admin.removeTitle", { course: offer.course }),
      text: removalEffects(t, offer).join(" "),
      confirmLabel: t("catalogue.admin.remove"),
      cancelLabel: t("catalogue.admin.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id: offer.id } });
        toast.done(t("catalogue.admin.removed"));
      },
    });
  const placesOf = ({ enrolled, held, places }: Offer) => {
    if (places !== null)
      return t("catalogue.admin.places", { taken: formatNumber(held), places: formatNumber(places) });
    return t("catalogue.admin.people", counted(enrolled));
  };
  const queueOf = ({ open, waiting }: Offer) =>
    [
      open > 0 && t("catalogue.admin.open", counted(open)),
      waiting > 0 && t("catalogue.admin.waiting", counted(waiting)),
    ]
      .filter(Boolean)
      .join(", ");
  const priceOf = ({ priceMinor, currency }: Offer) => formatPrice(i18n.language, priceMinor, currency) ?? "";
  const pillOf = ({ courseStatus, isVisible }: Offer) => {
    if (courseStatus !== "published") return <Pill tone="warn">{t("catalogue.admin.unpublished")}</Pill>;
    return !isVisible && <Pill>{t("catalogue.admin.hidden")}</Pill>;
  };
  return (
    <DataTable<Offer>
      list={catalogue.offers}
      params={{ id: companyId }}
      prefix="o."
      sort="title"
      search={t("catalogue.admin.search")}
      noun={t("catalogue.admin.offered")}
      rowKey={(row) => row.id}
      name={(row) => row.course}
      onOpen={onEdit}
      mark={(row) => <Cover code={row.code} tile />}
      badge={pillOf}
      columns={[
        { key: "title", head: t("catalogue.course"), sort: true },
        { key: "way", head: t("catalogue.form.way"), render: (row) => t(`catalogue.admin.wayShort.${row.way}`) },
        { key: "places", head: t("catalogue.form.places"), render: placesOf },
        { key: "queue", head: t("catalogue.admin.requests"), render: queueOf, minor: "narrow" },
        { key: "price", head: t("catalogue.form.price"), render: priceOf, align: "right", minor: true },
        { key: "costCentre", head: t("catalogue.form.costCentre"), render: (row) => row.costCentre, minor: true },
      ]}
      menu={(row) => (
        <>
          <Menu.Item onClick={() => onEdit(row)}>{t("catalogue.admin.edit")}</Menu.Item>
          <Menu.Item color="red" onClick={() => askToRemove(row)}>
            {t("catalogue.admin.remove")}
          </Menu.Item>
        </>
      )}
      phone={(row) => ({ line: t(`catalogue.admin.wayShort.${row.way}`), side: placesOf(row), sideLine: queueOf(row) })}
      empty={{ title: t("catalogue.admin.none"), text: t("catalogue.admin.noneText") }}
    />
  );
}
