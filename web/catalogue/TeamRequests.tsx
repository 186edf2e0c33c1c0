import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DecisionDialog } from "#web/catalogue/DecisionDialog.tsx";
import classes from "#web/catalogue/teamRequests.module.css";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { catalogue, type TeamRequest } from "#shared/catalogue/catalogue.ts";
import { formatPrice } from "#shared/catalogue/prices.ts";

/** Requests of a manager's people, each with two answers. Nothing without requests. */
export function TeamRequests() {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(queryFor(catalogue.teamRequests));
  const [asked, setAsked] = useState<{ request: TeamRequest; approve: boolean } | null>(null);
  const decide = useApiMutation(catalogue.decideForTeam, { quiet: true });
  if (!data || (data.total === 0 && !asked)) return null;
  const factsOf = ({ priceMinor, currency, costCentre, askedAt }: TeamRequest) =>
    [
      formatDate(askedAt),
      priceMinor !== null && currency ? formatPrice(i18n.language, priceMinor, currency) : null,
      costCentre || null,
    ]
      .filter(Boolean)
      .join(" · ");
  return (
    <Section title={t("catalogue.team.title")} side={t("catalogue.team.count", { count: data.total })}>
      <ul className={classes.requests}>
        {data.items.map((request) => (
          <li key={request.id}>
            <PersonMark name={nameOf(request)} size={32} />
            <div className={classes.what}>
              <span>
                <strong>{nameOf(request)}</strong> {t("catalogue.team.wants")} <strong>{request.course}</strong>
              </span>
              {request.note && <span className={classes.note}>{request.note}</span>}
              <span className={classes.dim}>{factsOf(request)}</span>
            </div>
            <span className={classes.answers}>
              <Button
                variant="default"
                aria-label={t("catalogue.requests.declineTitle", { name: nameOf(request) })}
                onClick={() => setAsked({ request, approve: false })}
              >
                {t("catalogue.requests.decline")}
              </Button>
              <Button
                aria-label={t("catalogue.requests.approveTitle", { name: nameOf(request) })}
                onClick={() => setAsked({ request, approve: true })}
              >
                {t("catalogue.requests.approve")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {asked && (
        <DecisionDialog
          name={nameOf(asked.request)}
          approve={asked.approve}
          onDecide={(body) => decide.mutateAsync({ params: { id: asked.request.id }, body })}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}
