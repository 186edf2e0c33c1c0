import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call, queriesOf } from "#web/core/api/api.ts";
import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { ApiError, isStatus } from "#web/core/http/http.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { useUser } from "#web/core/session/session.tsx";
import { browserZone } from "#web/core/format/zone.ts";
import { type Draft, storeDraft, storeOutcome, readDraft } from "#web/events/registration/registrationDraft.ts";
import { expectedOutcomeOf } from "#web/events/registration/expectedOutcome.ts";
import { fieldOf } from "#web/events/registration/registrationErrors.ts";
import { useProofOfWork } from "#web/events/registration/useProofOfWork.ts";
import { events } from "#shared/events/events.ts";
import { checkAnswers } from "#shared/events/eventQuestions.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";
import { email as emailShape } from "#shared/core/users.ts";

type FieldErrors = Record<string, string>;

/** State of the registration form: input, errors, and submitting it once. */
export function useRegister(event: PublicEvent, code: string) {
  const { t } = useTranslation();
  const user = useUser();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug, questions, questionVersion, attendanceMode } = event;
  const [serverRendered] = useState(isServerRendered);
  const initialDraft = (stored: ReturnType<typeof readDraft>): Draft => {
    const empty = {
      company: "",
      attendance: attendanceMode === "online" ? ("online" as const) : ("in_person" as const),
      answers: {},
      marketingOptIn: false,
      accessCode: code,
    };
    // The user may have signed in since the draft was stored.
    return {
      ...empty,
      ...stored,
      name: stored?.name || (user?.name ?? ""),
      email: stored?.email || (user?.email ?? ""),
    };
  };
  // The server renders the form without the draft, so it is restored after hydration.
  const [draft, setDraft] = useState<Draft>(() => initialDraft(serverRendered ? null : readDraft(slug)));
  const restore = useEffectEvent(() => setDraft(initialDraft(readDraft(slug))));
  useEffect(() => {
    if (serverRendered) restore();
  }, [serverRendered]);
  const [agreed, setAgreed] = useState(false);
  const [website, setWebsite] = useState("");
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const takeSolution = useProofOfWork(slug, code, event.challenge === "pow");

  useEffect(() => storeDraft(slug, draft), [slug, draft]);
  const set = (change: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...change }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))));
  };
  const answer = (id: string, value: Draft["answers"][string]) => {
    setDraft((before) => ({ ...before, answers: { ...before.answers, [id]: value } }));
    setErrors(({ [`answers.${id}`]: _, ...rest }) => rest);
  };

  const check = (): FieldErrors => {
    const { problems } = checkAnswers(questions, draft.answers);
    return {
      ...(!draft.name.trim() && { name: t("events.form.enterName") }),
      ...checkEmail(draft.email),
      ...Object.fromEntries(problems.map(({ id, code: problem }) => [`answers.${id}`, answerError(id, problem)])),
      ...(!agreed && { privacyAccepted: t("events.form.agreeToRegister") }),
    };
  };
  const checkEmail = (email: string): FieldErrors => {
    if (!email.trim()) return { email: t("events.form.enterEmail") };
    return emailShape.safeParse(email).success ? {} : { email: t("events.form.invalidEmail") };
  };
  const answerError = (id: string, problem: string) => {
    if (problem === "events.badAnswer") return t("events.form.invalidAnswer");
    const isCheckbox = questions.find((question) => question.id === id)?.kind === "checkbox";
    return t(isCheckbox ? "events.form.tickBox" : "events.form.enterAnswer");
  };

  const send = async () => {
    const solution = await takeSolution();
    return call(eventRegistrations.register, {
      params: { slug },
      body: {
        name: draft.name.trim(),
        email: draft.email.trim(),
        company: draft.company.trim(),
        ...(attendanceMode === "hybrid" && { attendance: draft.attendance }),
        answers: checkAnswers(questions, draft.answers).answers,
        questionVersion,
        privacyAccepted: true,
        marketingOptIn: draft.marketingOptIn,
        timezone: browserZone(),
        website,
        ...(draft.accessCode.trim() && { accessCode: draft.accessCode.trim() }),
        ...(solution && { proofOfWork: solution }),
      },
    });
  };

  const fieldErrorsOf = (error: unknown): FieldErrors => {
    if (!(error instanceof ApiError)) return {};
    return {
      ...issuesOf(error),
      ...fieldOf(error),
      ...(error.status === 404 && { accessCode: t("events.codeWrong") }),
    };
  };

  /** Submits the form. Ignored while a request is running. */
  const submit = async () => {
    if (sending.current) return;
    setFailure(null);
    const found = check();
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    sending.current = true;
    setBusy(true);
    try {
      const { next, reference, state, sendsMail } = await send();
      storeOutcome(slug, {
        next,
        reference,
        state,
        sendsMail,
        email: draft.email.trim(),
        title: event.title,
        expected: expectedOutcomeOf(event),
      });
      void client.invalidateQueries(queriesOf(events.list));
      await navigate(`/events/${slug}/success${reference ? `?ref=${encodeURIComponent(reference)}` : ""}`, {
        replace: true,
      });
    } catch (error) {
      const fieldErrors = fieldErrorsOf(error);
      setErrors(fieldErrors);
      if (Object.keys(fieldErrors).length === 0) setFailure(messageOf(error));
      if (isStatus(error, 409)) void client.invalidateQueries(queriesOf(events.list));
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  const agree = (yes: boolean) => {
    setAgreed(yes);
    setErrors(({ privacyAccepted: _, ...rest }) => rest);
  };
  return { draft, set, answer, agreed, agree, website, setWebsite, errors, failure, busy, submit };
}
