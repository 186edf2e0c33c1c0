import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { DecisionDialog } from "#web/catalogue/DecisionDialog.tsx";
import classes from "#web/catalogue/teamRequests.module.css";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { formatDate } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { catalogue, type TeamRequest } from "#shared/catalogue/catalogue.ts";
import { formatPrice } from "#shared/catalogue/prices.ts";

/** Requests of a manager's people, each with two answers. Nothing without requests. */
export function TeamRequests() {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useQuery(queryFor(catalogue.teamRequests));
  const [asked, setAsked] = useState<{ request: TeamRequest; kind: "approve" | "decline" } | null>(null);
  const decide = useApiMutation(catalogue.decideForTeam, { quiet: true });
  if (!data && error)
    return <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />;
  if (!data || (data.total === 0 && !asked)) return null;
  const factsOf = ({ priceMinor, currency, costCentre, askedAt }: TeamRequest) =>
    [formatDate(askedAt), formatPrice(i18n.language, priceMinor, currency), costCentre || null]
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
                <Trans
                  i18nKey="catalogue.team.wants"
                  components={{
                    person: <strong>{nameOf(request)}</strong>,
                    course: <strong>{request.course}</strong>,
                  }}
                />
              </span>
              {request.note && <span className={classes.note}>{request.note}</span>}
              <span className={classes.dim}>{factsOf(request)}</span>
            </div>
            <span className={classes.answers}>
              <Button
                variant="default"
                aria-label={t("catalogue.requests.titles.decline", { name: nameOf(request) })}
                onClick={() => setAsked({ request, kind: "decline" })}
              >
                {t("catalogue.requests.decline")}
              </Button>
              <Button
                aria-label={t("catalogue.requests.titles.approve", { name: nameOf(request) })}
                onClick={() => setAsked({ request, kind: "approve" })}
              >
                {t("catalogue.requests.approve")}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {data.total > data.items.length && (
        <p className={classes.dim}>{t("catalogue.team.more", { count: data.items.length })}</p>
      )}
      {asked && (
        <DecisionDialog
          name={nameOf(asked.request)}
          kind={asked.kind}
          onDecide={(body) => decide.mutateAsync({ params: { id: asked.request.id }, body })}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}
