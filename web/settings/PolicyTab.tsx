import { Anchor, Button, Group, SegmentedControl, Text, Textarea } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { academy, loadAcademy } from "#web/core/academy/academy.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import classes from "#web/privacy/Privacy.module.css";
import { Markdown } from "#web/core/display/Markdown.tsx";
import { academies } from "#shared/settings/settings.ts";

type PolicyText = { body: string; version: number };

/** Edits and publishes the privacy policy. Published versions cannot be changed, only superseded. */
export function PolicyTab() {
  const { t } = useTranslation();
  const { data: policy } = useSuspenseQuery(queryFor(academies.policy));
  const { data: versions } = useQuery(queryFor(academies.policies, { query: { size: 20 } }));
  const publish = useApiMutation(academies.publishPolicy, { quiet: true });
  const [body, setBody] = useState(policy.body);
  const [after, setAfter] = useState(policy.version);
  const [view, setView] = useState("write");
  const [published, setPublished] = useState(policy.body);
  const url = academy.use()?.policyUrl ?? "";
  const dirty = body.trim() !== published.trim();
  const version = after + 1;

  const conflict = useConflict<PolicyText>({
    labels: { body: t("settings.policyText") },
    onTakeTheirs: (theirs) => {
      setBody(theirs.body);
      setPublished(theirs.body);
      setAfter(theirs.version);
    },
    onKeepMine: (_, now) => setAfter(now),
    formatValue: (_, value) => `${String(value).slice(0, 400)} …`,
  });
  const send = async () => {
    try {
      const saved = await publish.mutateAsync({ body: { body, after } });
      setAfter(saved.version);
      setBody(saved.body);
      setPublished(saved.body);
      toast.done(t("settings.published", { version: saved.version }));
      await loadAcademy();
    } catch (error) {
      if (!(await conflict.handleError(error, { body }))) throw error;
    }
  };
  const publisherOf = ({ publishedBy, version: published }: { publishedBy: string | null; version: number }) => {
    if (publishedBy) return t("settings.by", { name: publishedBy });
    return published === 1 ? t("settings.builtIn") : "";
  };
  const confirmPublish = () =>
    confirm({
      title: t("settings.publishTitle", { version }),
      text: t("settings.publishText"),
      confirmLabel: t("settings.publish", { version }),
      cancelLabel: t("settings.keep"),
      onConfirm: send,
    });
  return (
    <div style={{ maxWidth: 820 }}>
      {/^https?:/.test(url) && (
        <Text mb="md" c="var(--ly-warn)">
          {t("settings.external", { url })}
        </Text>
      )}
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          aria-label={t("settings.policyText")}
          value={view}
          onChange={setView}
          data={[
            { value: "write", label: t("settings.edit") },
            { value: "preview", label: t("settings.preview") },
          ]}
        />
        <Button disabled={!dirty || body.trim() === ""} loading={publish.isPending} onClick={confirmPublish}>
          {t("settings.publish", { version })}
        </Button>
      </Group>
      {view === "write" ? (
        <Textarea
          label={t("settings.policyText")}
          description={t("settings.policyHint")}
          autosize
          minRows={16}
          maxRows={30}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 14 } }}
        />
      ) : (
        <Markdown>{body}</Markdown>
      )}
      <div className={classes.after}>
        <Section title={t("settings.history")}>
          <ul className={classes.log}>
            {versions?.items.map((entry) => (
              <li key={entry.version}>
                <Anchor component={Link} to={`/privacy-policy?version=${entry.version}`}>
                  {t("settings.policyCurrent", { version: entry.version, date: formatDate(entry.publishedAt) })}
                </Anchor>
                <span>{publisherOf(entry)}</span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <UnsavedGuard when={dirty} />
      {conflict.dialog}
    </div>
  );
}
