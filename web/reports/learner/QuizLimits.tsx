import { Button, NumberInput, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/reports/CourseHistory.module.css";
import { isAdmin } from "#shared/core/users.ts";
import { MAX_ATTEMPTS, MAX_QUIZ_MINUTES } from "#shared/lessons/quiz.ts";
import { type LearnerQuiz, quizzes } from "#shared/player/quizzes.ts";

/** For admins: the quizzes of a course with the attempts of the learner, and more of them for this one person. */
export function QuizLimits({ enrolmentId }: { enrolmentId: string }) {
  const { t } = useTranslation();
  const admin = isAdmin(useUser());
  const [chosen, setChosen] = useState<LearnerQuiz | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...queryFor(quizzes.list, { params: { id: enrolmentId } }), enabled: admin });
  if (!data || data.items.length === 0) return null;
  return (
    <section>
      <h3 className={classes.title}>{t("quizzes.admin.title")}</h3>
      <WideContent label={t("quizzes.admin.title")}>
        <Table highlightOnHover={false} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("quizzes.admin.quiz")}</Table.Th>
              <Table.Th>{t("quizzes.admin.attempts")}</Table.Th>
              <Table.Th>{t("quizzes.admin.time")}</Table.Th>
              <Table.Th ta="right">{t("quizzes.admin.score")}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((quiz) => (
              <Table.Tr key={quiz.sco}>
                <Table.Td>{quiz.title}</Table.Td>
                <Table.Td>{attemptsOf(quiz, t)}</Table.Td>
                <Table.Td>{timeOf(quiz, t)}</Table.Td>
                <Table.Td ta="right">{formatPercent(quiz.scorePercent)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={t("quizzes.admin.moreOf", { title: quiz.title })}
                    onClick={() => {
                      setChosen(quiz);
                      setOpen(true);
                    }}
                  >
                    {t("quizzes.admin.more")}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideContent>
      {chosen && (
        <LimitsDialog
          key={`${chosen.sco} ${isOpen}`}
          enrolmentId={enrolmentId}
          quiz={chosen}
          opened={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

function attemptsOf({ started, attempts, extra }: LearnerQuiz, t: TFunction) {
  if (attempts === null) return t("quizzes.admin.attemptsAny", { started });
  const total = attempts + extra.attempts;
  return extra.attempts > 0
    ? t("quizzes.admin.withExtra", { started, total, count: extra.attempts })
    : t("quizzes.admin.attemptsOf", { started, total });
}
function timeOf({ minutes, extra }: LearnerQuiz, t: TFunction) {
  if (minutes === null) return t("quizzes.admin.noLimit");
  return extra.minutes > 0
    ? t("quizzes.admin.minutesExtra", { count: minutes + extra.minutes, extra: extra.minutes })
    : t("quizzes.admin.minutes", { count: minutes });
}

type DialogProps = {
  enrolmentId: string;
  quiz: LearnerQuiz;
  opened: boolean;
  onClose: () => void;
};

function LimitsDialog({ enrolmentId, quiz, opened, onClose }: DialogProps) {
  const { t } = useTranslation();
  const allow = useApiMutation(quizzes.allow);
  const [attempts, setAttempts] = useState(quiz.extra.attempts);
  const [minutes, setMinutes] = useState(quiz.extra.minutes);
  const save = async () => {
    try {
      await allow.mutateAsync({ params: { id: enrolmentId }, body: { sco: quiz.sco, attempts, minutes } });
      toast.done(t("quizzes.admin.done"));
      onClose();
    } catch {
      // Shown in the dialog.
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("quizzes.admin.moreOf", { title: quiz.title })}
      submitLabel={t("quizzes.admin.save")}
      onSubmit={save}
      busy={allow.isPending}
      failure={allow.error}
      size={460}
    >
      <p className={classes.none}>{t("quizzes.admin.moreText")}</p>
      {quiz.attempts !== null && (
        <NumberInput
          label={t("quizzes.admin.extraAttempts")}
          value={attempts}
          min={0}
          max={MAX_ATTEMPTS}
          allowDecimal={false}
          onChange={(value) => setAttempts(Math.min(MAX_ATTEMPTS, Math.max(0, Number(value) || 0)))}
        />
      )}
      {quiz.minutes !== null && (
        <NumberInput
          label={t("quizzes.admin.extraMinutes")}
          value={minutes}
          min={0}
          max={MAX_QUIZ_MINUTES}
          allowDecimal={false}
          onChange={(value) => setMinutes(Math.min(MAX_QUIZ_MINUTES, Math.max(0, Number(value) || 0)))}
        />
      )}
    </FormDialog>
  );
}
