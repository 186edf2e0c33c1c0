import { useTranslation } from "react-i18next";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { ImportState as State, PeopleImport } from "#shared/imports/imports.ts";

const tones = {
  reading: "idle",
  checking: "idle",
  ready: "warn",
  applying: "idle",
  applied: "ok",
  undoing: "idle",
  undone: "idle",
  failed: "bad",
} as const satisfies Record<State, string>;

/** The state of an import. One that stopped halfway is stored as applied, so that it can be undone. */
export function ImportState({ file: { state, code } }: { file: Pick<PeopleImport, "state" | "code"> }) {
  const { t } = useTranslation();
  const isStopped = state === "applied" && code !== null;
  return (
    <StatusDot tone={isStopped ? "bad" : tones[state]}>{t(`imports.is.${isStopped ? "stopped" : state}`)}</StatusDot>
  );
}
