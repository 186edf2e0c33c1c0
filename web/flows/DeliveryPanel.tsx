import { Pagination } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import classes from "#web/flows/flows.module.css";
import { type Delivery, type Webhook, webhooks } from "#shared/webhooks/webhooks.ts";

const SIZE = 25;
const tones = { pending: "warn", delivered: "ok" } as const;

/** The deliveries to a webhook, newest first, with the last response to each. */
export function DeliveryPanel({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data } = useQuery(
    pagedQueryFor(webhooks.deliveries, { params: { id: webhook.id }, query: { page, size: SIZE } }),
  );
  const answer = ({ lastStatus, lastAnswer }: Delivery) => [lastStatus, lastAnswer].filter(Boolean).join(" · ");
  return (
    <SidePanel title={t("flows.hooks.deliveriesOf", { name: webhook.name })} line={webhook.url} onClose={onClose}>
      {data?.total === 0 && (
        <EmptyState title={t("flows.hooks.noDeliveries")} text={t("flows.hooks.noDeliveriesText")} />
      )}
      <ul className={classes.deliveries}>
        {data?.items.map((delivery) => (
          <li key={delivery.id}>
            <div className={classes.deliveryHead}>
              <Pill tone={tones[delivery.status]}>{t(`flows.hooks.statuses.${delivery.status}`)}</Pill>
              {delivery.tries > 0 && <span>{t("flows.hooks.tries", { count: delivery.tries })}</span>}
              <Time at={delivery.createdAt} />
            </div>
            <p className={classes.answer}>{answer(delivery)}</p>
            <details>
              <summary>{delivery.eventId}</summary>
              <pre className={classes.body}>{JSON.stringify(JSON.parse(delivery.body), null, 2)}</pre>
            </details>
          </li>
        ))}
      </ul>
      {data && data.total > SIZE && (
        <Pagination size="sm" value={page} onChange={setPage} total={Math.ceil(data.total / SIZE)} />
      )}
    </SidePanel>
  );
}
