import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import classes from "#web/documents/documents.module.css";
import { type DocumentVersion, stages } from "#shared/documents/documentVersions.ts";

const tones: Partial<Record<DocumentVersion["state"], Tone>> = { ready: "ok", held: "warn", failed: "bad" };

/** Progress of a version: the stages of the pipeline as columns, or its final state. */
export function VersionStateText({ version }: { version: DocumentVersion }) {
  const { t } = useTranslation();
  const { state, done, total, code } = version;
  const name = t(`documents.states.${state}`);
  const stage = (stages as readonly string[]).indexOf(state);
  if (stage < 0 && state !== "waiting")
    return <StatusDot tone={tones[state] ?? "idle"}>{code === "noText" ? t("documents.noTextState") : name}</StatusDot>;
  return (
    <span className={classes.stage}>
      <Colonnade
        total={stages.length}
        done={Math.max(0, stage)}
        current={stage + 1 || null}
        label={t("documents.stage", { stage: stage + 1, name })}
      />
      {state === "reading" && total > 0 ? t("documents.readingPage", { done, total }) : name}
    </span>
  );
}
