import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import { CourseResult } from "#web/player/CourseResult.tsx";
import { asksFor, testsOf } from "#shared/courses/completion.ts";
import type { AttemptState, Launch } from "#shared/player/player.ts";

type Props = { launch: Launch; attempt: AttemptState; onOpen: (sco: string) => void };

/** What is done, what is missing and why, and what to do next. */
export function CourseEnd({ launch, attempt, onOpen }: Props) {
  const { t } = useTranslation();
  const states = new Map(attempt.parts.map(({ sco, state }) => [sco, state]));
  const parts = launch.parts.filter(({ href }) => href !== null);
  const open = parts.filter(({ sco }) => states.get(sco) !== "done");
  const { rule } = launch.course;
  const isComplete = attempt.completion === "complete";
  const missing = testsOf(rule);
  const score = missing.find((test) => test.kind === "score" && (attempt.scorePercent ?? 0) < test.percent);
  const time = missing.find((test) => test.kind === "time");
  const why = () => {
    if (isComplete) return t("lessons.completeText", { course: launch.course.title });
    if (open.length > 0) return t("lessons.openLessons", { count: open.length });
    if (score?.kind === "score") return t("lessons.needsScore", { percent: formatPercent(score.percent) });
    if (asksFor(rule, "confirmed")) return t("lessons.needsConfirm");
    return time?.kind === "time" ? t("lessons.needsTime", { count: time.minutes }) : t("lessons.needsMore");
  };
  return (
    <CourseResult
      parts={launch.parts}
      attempt={attempt}
      why={why()}
      onOpen={onOpen}
      certificate={isComplete && !launch.preview && <EarnedCertificate courseId={launch.course.id} />}
    />
  );
}
