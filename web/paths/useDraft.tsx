import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { reasonOf } from "#web/paths/stepText.ts";
import { type PathDetail, paths } from "#shared/paths/paths.ts";
import { findStepProblem, type PathStep, titleOf } from "#shared/paths/steps.ts";

/** Changes within this time are saved together, in ms. */
const DELAY_MS = 400;

/**
 * The draft of the steps, saved automatically. `change` refuses steps that cannot be taken, with a reason, and returns
 * false. If another admin has changed the path, the user chooses a version.
 */
export function useDraft(path: PathDetail, titles: ReadonlyMap<string, string>) {
  const { t } = useTranslation();
  const update = useApiMutation(paths.update, { quiet: true });
  const [steps, setSteps] = useState(path.draft);
  const [version, setVersion] = useState(path.version);
  const [state, setState] = useState<"saved" | "waiting" | "saving" | "failed">("saved");
  const [refusal, setRefusal] = useState<string | null>(null);
  /** The steps on screen, for a later save. */
  const latest = useRef(path.draft);
  const hasMore = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Nothing is unsaved: take over changes of other admins and tabs.
  if (state === "saved" && path.version > version) {
    setVersion(path.version);
    setSteps(path.draft);
  }

  const send = async (at: number) => {
    setState("saving");
    let now = at;
    try {
      do {
        hasMore.current = false;
        const body = { steps: latest.current, version: now };
        now = (await update.mutateAsync({ params: { id: path.id }, body })).version;
      } while (hasMore.current);
      setVersion(now);
      setRefusal(null);
      setState("saved");
    } catch (error) {
      setVersion(now);
      setState("failed");
      if (!(await conflict.handleError(error, { draft: latest.current }))) setRefusal(reasonOf(error));
    }
  };
  const conflict = useConflict<PathDetail>({
    labels: { draft: t("paths.tabs.steps") },
    formatValue: (_, value) => (value as PathStep[]).map((step) => titleOf(step, titles)).join(", "),
    onKeepMine: (_, current) => send(current),
    onTakeTheirs: (theirs) => {
      latest.current = theirs.draft;
      setVersion(theirs.version);
      setSteps(theirs.draft);
      setRefusal(null);
      setState("saved");
    },
  });
  const change = (next: PathStep[]) => {
    const problem = findStepProblem(next);
    if (problem) {
      const [step, other] = problem.steps;
      const shared = step?.courseIds.find((id) => other?.courseIds.includes(id)) ?? "";
      setRefusal(
        t(`paths.errors.${problem.code}`, {
          step: step && titleOf(step, titles),
          other: other && titleOf(other, titles),
          course: titles.get(shared) ?? "",
          needed: step?.needed,
          offered: step?.courseIds.length,
        }),
      );
      return false;
    }
    setRefusal(null);
    setSteps(next);
    latest.current = next;
    hasMore.current = true;
    if (state !== "saving") {
      setState("waiting");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void send(version), DELAY_MS);
    }
    return true;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { steps, change, state, refusal, retry: () => void send(version), dialog: conflict.dialog };
}
