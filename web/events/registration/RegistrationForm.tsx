import { Alert, Button, Checkbox, Radio, Stack, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { expectedOutcomeOf } from "#web/events/registration/expectedOutcome.ts";
import { ErrorList } from "#web/events/editor/ErrorList.tsx";
import { QuestionField } from "#web/events/registration/QuestionField.tsx";
import classes from "#web/events/registration/RegistrationForm.module.css";
import { shownQuestions } from "#shared/events/eventQuestions.ts";
import { CONFIRM_HOURS } from "#shared/events/eventRegistrations.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";
import { registrationVerb } from "#web/events/public/registrationVerb.ts";
import { useRegister } from "#web/events/registration/useRegister.ts";

/** The registration form: name, email, company, questions of the organiser, and the privacy notice. */
export function RegistrationForm({ event, code }: { event: PublicEvent; code: string }) {
  const { t } = useTranslation();
  const focusFirstError = useFocusFirstError();
  const { draft, set, answer, agreed, agree, website, setWebsite, errors, failure, busy, submit } = useRegister(
    event,
    code,
  );
  const {
    attendanceMode,
    questions,
    privacyNotice,
    organiserName,
    requireEmailConfirmation,
    retentionDays,
    sendsMail,
  } = event;
  const expected = expectedOutcomeOf(event);
  const hintWithMail = expected === "Place" ? "emailHintDone" : "emailHintAnswer";
  const mailHint = requireEmailConfirmation ? "emailHint" : hintWithMail;
  const emailHint = sendsMail ? mailHint : "emailHintNoMail";
  const labels = {
    name: t("events.form.name"),
    email: t("events.form.email"),
    company: t("events.form.company"),
    accessCode: t("events.code"),
    attendance: t("events.form.attendance"),
    privacyAccepted: t("events.form.privacy"),
    ...Object.fromEntries(questions.map(({ id, label }) => [`answers.${id}`, label])),
  };
  const send = async (press: FormEvent<HTMLFormElement>) => {
    press.preventDefault();
    const form = press.currentTarget;
    await submit();
    focusFirstError(form);
  };
  const field = (name: "name" | "email" | "company" | "accessCode") => ({
    name,
    size: "md" as const,
    value: draft[name],
    error: errors[name],
    onChange: (change: { currentTarget: HTMLInputElement }) => set({ [name]: change.currentTarget.value }),
  });
  return (
    <form noValidate className={classes.form} onSubmit={(press) => void send(press)}>
      <ErrorList errors={errors} labels={labels} failure={null} />
      {failure && (
        <Alert color="red" variant="light" role="alert" tabIndex={-1}>
          {failure}
        </Alert>
      )}
      <TextInput {...field("name")} label={t("events.form.name")} autoComplete="name" maxLength={120} />
      <TextInput
        {...field("email")}
        label={t("events.form.email")}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        description={t(`events.form.${emailHint}`)}
      />
      <TextInput
        {...field("company")}
        label={<OptionalLabel>{t("events.form.company")}</OptionalLabel>}
        autoComplete="organization"
        maxLength={120}
      />
      {(code || errors.accessCode) && (
        <TextInput {...field("accessCode")} label={t("events.code")} autoComplete="off" maxLength={60} />
      )}
      {attendanceMode === "hybrid" && (
        <Radio.Group
          label={t("events.form.attendance")}
          size="md"
          value={draft.attendance}
          error={errors.attendance}
          onChange={(value) => set({ attendance: value as "in_person" | "online" })}
        >
          <Stack gap={10} mt={8}>
            <Radio value="in_person" size="sm" label={t("events.form.inPerson")} />
            <Radio value="online" size="sm" label={t("events.mode.online")} />
          </Stack>
        </Radio.Group>
      )}
      {shownQuestions(questions, draft.answers).map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          value={draft.answers[question.id]}
          onChange={(value) => answer(question.id, value)}
          error={errors[`answers.${question.id}`]}
        />
      ))}
      <div className={classes.honeypot} aria-hidden>
        <label>
          {t("events.form.website")}{" "}
          <input
            name="website"
            tabIndex={-1}
            autoComplete="off"
            value={website}
            onChange={(change) => setWebsite(change.currentTarget.value)}
          />
        </label>
      </div>
      <section className={classes.privacy} aria-labelledby="privacy-notice">
        <h2 id="privacy-notice">{t("events.form.privacy")}</h2>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard (WCAG 2.1.1) */}
        {privacyNotice && (
          <div className={classes.notice} tabIndex={0} role="group" aria-labelledby="privacy-notice">
            {privacyNotice}
          </div>
        )}
        <p>{t("events.form.deleted", { count: retentionDays })}</p>
        <Checkbox
          name="privacyAccepted"
          size="sm"
          label={t("events.form.agree")}
          checked={agreed}
          error={errors.privacyAccepted}
          aria-invalid={errors.privacyAccepted ? true : undefined}
          onChange={(change) => agree(change.currentTarget.checked)}
        />
        <Checkbox
          size="sm"
          label={
            <OptionalLabel>
              {organiserName ? t("events.form.marketingOf", { name: organiserName }) : t("events.form.marketing")}
            </OptionalLabel>
          }
          checked={draft.marketingOptIn}
          onChange={(change) => set({ marketingOptIn: change.currentTarget.checked })}
        />
      </section>
      <div>
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t(`events.verbs.${registrationVerb(event)}`)}
        </Button>
        {requireEmailConfirmation && (
          <p className={classes.after}>{t(`events.form.confirmFor${expected}`, { count: CONFIRM_HOURS })}</p>
        )}
      </div>
    </form>
  );
}
