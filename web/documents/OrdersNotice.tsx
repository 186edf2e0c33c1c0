import { Button } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatNumber } from "#web/core/format/format.ts";
import classes from "#web/documents/documents.module.css";
import type { DocumentDetail } from "#shared/documents/documents.ts";

/** The number of passages that seem to give orders to a language model; nothing if there are none. */
export function OrdersNotice({ document: { id, orders } }: { document: DocumentDetail }) {
  const { t } = useTranslation();
  if (orders === 0) return null;
  return (
    <div className={classes.trouble} data-tone="warn">
      <IconAlertCircle size={18} stroke={1.7} aria-hidden />
      <p>{t("documents.orders.found", { count: orders, n: formatNumber(orders) })}</p>
      <Button size="compact-sm" variant="default" component={Link} to={`/admin/documents/${id}?orders=yes`}>
        {t("documents.orders.show")}
      </Button>
    </div>
  );
}
