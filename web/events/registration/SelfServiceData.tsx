import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { answerText } from "#web/events/answerText.ts";
import classes from "#web/events/registration/SelfService.module.css";
import { QuestionField } from "#web/events/registration/QuestionField.tsx";
import { checkAnswers, shownQuestions } from "#shared/events/eventQuestions.ts";
import { eventRegistrations, type MyRegistration } from "#shared/events/eventRegistrations.ts";

type Props = { registration: MyRegistration; token: string };

/** The entered data with a form to change it. The email address cannot change, because it identifies the guest. */
export function SelfServiceData({ registration, token }: Props) {
  const { t } = useTranslation();
  const { name, email, company, answers, questions, createdAt, canChange, reference, attendance, event } = registration;
  const [editing, setEditing] = useState(false);
  const facts: [string, ReactNode][] = [
    [t("events.form.name"), name],
    [t("events.form.email"), email],
    [t("events.form.company"), company],
    [
      t("events.selfService.attendance"),
      event.attendanceMode === "hybrid"
        ? t(attendance === "online" ? "events.mode.online" : "events.form.inPerson")
        : "",
    ],
    ...questions.map(({ id, label, kind }): [string, string] => [label, answerText(answers[id], kind)]),
    [t("events.reference"), <code key="reference">{reference}</code>],
    [t("events.selfService.registeredAt"), formatDateTime(createdAt)],
  ];
  return (
    <section className={classes.section} aria-labelledby="registration-data">
      <h2 id="registration-data">{t("events.selfService.data")}</h2>
      {editing ? (
        <EditForm registration={registration} token={token} onDone={() => setEditing(false)} />
      ) : (
        <>
          <dl className={classes.facts}>
            {facts
              .filter(([, value]) => value)
              .map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label} is`}>{value}</dd>])}
          </dl>
          {canChange && (
            <div>
              <Button variant="default" onClick={() => setEditing(true)}>
                {t("events.selfService.change")}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function EditForm({
  registration: { name, company, answers, questions },
  token,
  onDone,
}: Props & { onDone: () => void }) {
  const { t } = useTranslation();
  const focusFirstError = useFocusFirstError();
  const change = useApiMutation(eventRegistrations.updateMine, { quiet: true });
  const [form, setForm] = useState({ name, company, answers });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, showError } = useFormErrors(setErrors);
  const submit = async (press: FormEvent<HTMLFormElement>) => {
    press.preventDefault();
    const element = press.currentTarget;
    const checkedAnswers = checkAnswers(questions, form.answers);
    const mistakes = {
      ...(!form.name.trim() && { name: t("events.form.enterName") }),
      ...Object.fromEntries(
        checkedAnswers.problems.map(({ id, code }) => [
          `answers.${id}`,
          t(code === "events.badAnswer" ? "events.form.invalidAnswer" : "events.form.enterAnswer"),
        ]),
      ),
    };
    setErrors(mistakes);
    setFailure(null);
    if (Object.keys(mistakes).length === 0) {
      try {
        await change.mutateAsync({
          params: { token },
          body: { name: form.name.trim(), company: form.company.trim(), answers: checkedAnswers.answers },
        });
        toast.done(t("events.selfService.saved"));
        return onDone();
      } catch (error) {
        showError(error);
      }
    }
    focusFirstError(element);
  };
  return (
    <form noValidate className={classes.section} onSubmit={(press) => void submit(press)}>
      <TextInput
        size="md"
        label={t("events.form.name")}
        data-autofocus
        autoComplete="name"
        maxLength={120}
        value={form.name}
        error={errors.name}
        onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
      />
      <TextInput
        size="md"
        label={<OptionalLabel>{t("events.form.company")}</OptionalLabel>}
        autoComplete="organization"
        maxLength={120}
        value={form.company}
        error={errors.company}
        onChange={(event) => setForm({ ...form, company: event.currentTarget.value })}
      />
      {shownQuestions(questions, form.answers).map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          value={form.answers[question.id]}
          error={errors[`answers.${question.id}`]}
          onChange={(value) => setForm({ ...form, answers: { ...form.answers, [question.id]: value } })}
        />
      ))}
      {failure !== null && (
        <p role="alert" style={{ margin: 0, color: "var(--ly-bad)" }}>
          {messageOf(failure)}
        </p>
      )}
      <Group gap="xs">
        <Button type="submit" loading={change.isPending}>
          {t("events.selfService.save")}
        </Button>
        <Button variant="default" onClick={onDone}>
          {t("core.cancel")}
        </Button>
      </Group>
    </form>
  );
}
