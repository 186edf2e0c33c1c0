import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { KeyText } from "#web/variables/KeyText.tsx";
import { VariableDialog } from "#web/variables/definition/VariableDialog.tsx";
import classes from "#web/variables/variables.module.css";
import { type SeenKey, variables } from "#shared/variables/variables.ts";

const SHOWN = 6;
const MOST_IGNORED = 200;

/** The undefined keys that content has sent; hidden while there are none. */
export function NewKeys() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(variables.newKeys, { query: { size: MOST_IGNORED } }));
  const [defined, setDefined] = useState<SeenKey | null>(null);
  const ignore = useApiMutation(variables.ignoreKeys);
  const ignoreAll = async (ids: string[]) => {
    const { changed } = await ignore.mutateAsync({ body: { ids } });
    toast.done(t("variables.newKeys.ignored", { count: changed }));
  };
  if (data.total === 0) return null;
  const { items, total } = data;
  const sources = [...new Set(items.map(({ course }) => course))];
  return (
    <section className={classes.tray} aria-label={t("variables.newKeys.title", { count: total })}>
      <IconInbox size={22} stroke={1.6} color="var(--ly-info)" aria-hidden />
      <div className={classes.trayWords}>
        <strong>
          {sources.length === 1
            ? t("variables.newKeys.from", { count: total, course: sources[0] })
            : t("variables.newKeys.title", { count: total })}
        </strong>{" "}
        {t("variables.newKeys.text", { count: total })}
        <div className={classes.trayKeys}>
          {items.slice(0, SHOWN).map((newKey) => (
            <span key={newKey.id} className={classes.trayKey}>
              <KeyText boxed>{newKey.key}</KeyText>
              <span className={classes.note}>
                {t("variables.newKeys.looksLike", {
                  count: newKey.values,
                  type: t(`variables.types.${newKey.type}`).toLowerCase(),
                })}
              </span>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t("variables.newKeys.defineKey", { key: newKey.key })}
                onClick={() => setDefined(newKey)}
              >
                {t("variables.newKeys.define")}
              </Button>
            </span>
          ))}
          {total > SHOWN && <span className={classes.note}>{t("variables.more", { count: total - SHOWN })}</span>}
        </div>
      </div>
      <Button
        variant="default"
        loading={ignore.isPending}
        onClick={() => void ignoreAll(items.map(({ id }) => id)).catch(() => {})}
      >
        {t("variables.newKeys.ignoreAll")}
      </Button>
      {defined && <VariableDialog key={defined.id} opened seenKey={defined} onClose={() => setDefined(null)} />}
    </section>
  );
}
