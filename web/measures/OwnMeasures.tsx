import { Button, Group, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { kindNames } from "#web/measures/kindNames.ts";
import { SettingLines } from "#web/measures/MeasuresTexts.tsx";
import classes from "#web/measures/OwnMeasures.module.css";
import { measuredKinds } from "#shared/core/measuredKinds.ts";
import { measures } from "#shared/measures/measures.ts";

export const ownMeasures = () => queryFor(measures.mine);

/** What the company of a learner measures, in plain words. Nothing for people without a company. */
export function OwnMeasures() {
  const { t } = useTranslation();
  const { data } = useQuery(ownMeasures());
  if (!data) return null;
  const { choices, since, version, reason, settings } = data;
  const [admins, nobody] = (["admins", "nobody"] as const).map((who) =>
    measuredKinds.filter((kind) => choices[kind] === who),
  );
  const state =
    since === null ? t("measures.neverChanged") : t("measures.version", { version, day: formatDate(since) });
  return (
    <div id="measures">
      <Section title={t("measures.own.title")}>
        <Text size="sm">
          {state} {t("measures.own.text")}
        </Text>
        {reason && <Text size="sm">{t("measures.reasonIs", { reason })}</Text>}
        <List size="sm" my="xs">
          {admins && admins.length > 0 && <List.Item>{t("measures.own.shown", { what: kindNames(admins) })}</List.Item>}
          {nobody && nobody.length > 0 && (
            <List.Item>{t("measures.own.hidden", { what: kindNames(nobody) })}</List.Item>
          )}
          <List.Item>{t("measures.managersNever")}</List.Item>
          <List.Item>{t("measures.smallestIs", { n: choices.smallestGroup })}</List.Item>
        </List>
        <SettingLines settings={settings} />
      </Section>
    </div>
  );
}

/** Told once after a change, on the first pages of learners. */
export function MeasuresNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(ownMeasures());
  const seen = useApiMutation(measures.markSeen);
  if (!data?.isNew || data.since === null) return null;
  const { version, since } = data;
  return (
    <div className={classes.notice} role="status">
      <div>
        <strong>{t("measures.notice.title")}</strong>
        <Text size="sm">{t("measures.notice.text", { version, day: formatDate(since) })}</Text>
      </div>
      <Group gap="xs">
        <Button variant="default" component={Link} to="/privacy-settings#measures">
          {t("measures.notice.open")}
        </Button>
        <Button variant="subtle" loading={seen.isPending} onClick={() => seen.mutate({ body: { version } })}>
          {t("measures.notice.dismiss")}
        </Button>
      </Group>
    </div>
  );
}
