import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import classes from "#web/auditPacks/auditPacks.module.css";
import type { AuditPack } from "#shared/auditPacks/auditPacks.ts";

/** Whether a pack is ready, and how many links to it work. */
export function PackState({ pack: { state, links } }: { pack: AuditPack }) {
  const { t } = useTranslation();
  return (
    <span className={classes.state}>
      {state === "made" ? (
        t("auditPacks.states.made")
      ) : (
        <Pill tone={state === "failed" ? "bad" : "info"}>{t(`auditPacks.states.${state}`)}</Pill>
      )}
      {links > 0 && <span className={classes.dim}>{t("auditPacks.card.links", { count: links })}</span>}
    </span>
  );
}
