import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call } from "#web/core/api/api.ts";
import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { ApiError, isStatus } from "#web/core/api/http.ts";
import { issuesOf, messageOf } from "#web/core/api/messages.ts";
import { useUser } from "#web/core/session/session.tsx";
import { ownZone } from "#web/core/format/zone.ts";
import { type Draft, storeDraft, storeOutcome, readDraft } from "#web/events/registration/registrationDraft.ts";
import { expectedOutcomeOf } from "#web/events/registration/expectedOutcome.ts";
import { fieldOf } from "#web/events/registration/registrationErrors.ts";
import { useProofOfWork } from "#web/events/registration/useProofOfWork.ts";
import { checkAnswers } from "#shared/eventQuestions.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import type { PublicEvent } from "#shared/eventViews.ts";
import { email as emailShape } from "#shared/users.ts";

type Faults = Record<string, string>;

/** The form of one event: what was typed, what is wrong with it, and sending it once. */
export function useRegister(event: PublicEvent, code: string) {
  const { t } = useTranslation();
  const user = useUser();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug, questions, questionVersion, attendanceMode } = event;
  const [drawn] = useState(isServerRendered);
  const start = (before: ReturnType<typeof readDraft>): Draft => {
    const empty = {
      company: "",
      attendance: attendanceMode === "online" ? ("online" as const) : ("in_person" as const),
      answers: {},
      marketingOptIn: false,
      accessCode: code,
    };
    // Who signed in since then has a name now.
    return {
      ...empty,
      ...before,
      name: before?.name || (user?.name ?? ""),
      email: before?.email || (user?.email ?? ""),
    };
  };
  // The server that drew the form knew nothing of a draft: it comes right after the form is taken over.
  const [draft, setDraft] = useState<Draft>(() => start(drawn ? null : readDraft(slug)));
  const restore = useEffectEvent(() => setDraft(start(readDraft(slug))));
  useEffect(() => {
    if (drawn) restore();
  }, [drawn]);
  const [agreed, setAgreed] = useState(false);
  const [website, setWebsite] = useState("");
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const proof = useProofOfWork(slug, code, event.challenge === "pow");

  useEffect(() => storeDraft(slug, draft), [slug, draft]);
  const set = (change: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...change }));
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))));
  };
  const answer = (id: string, value: Draft["answers"][string]) => {
    setDraft((before) => ({ ...before, answers: { ...before.answers, [id]: value } }));
    setFaults(({ [`answers.${id}`]: _, ...rest }) => rest);
  };

  const check = (): Faults => {
    const { problems } = checkAnswers(questions, draft.answers);
    const words = (id: string, code: string) =>
      code === "events.badAnswer"
        ? t("events.form.invalidAnswer")
        : t(
            questions.find((one) => one.id === id)?.kind === "checkbox"
              ? "events.form.tickBox"
              : "events.form.enterAnswer",
          );
    return {
      ...(!draft.name.trim() && { name: t("events.form.enterName") }),
      ...(!draft.email.trim()
        ? { email: t("events.form.enterEmail") }
        : !emailShape.safeParse(draft.email).success && { email: t("events.form.invalidEmail") }),
      ...Object.fromEntries(problems.map(({ id, code: why }) => [`answers.${id}`, words(id, why)])),
      ...(!agreed && { privacyAccepted: t("events.form.agreeToRegister") }),
    };
  };

  const send = async () => {
    const solved = await proof();
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
        timezone: ownZone(),
        website,
        ...(draft.accessCode.trim() && { accessCode: draft.accessCode.trim() }),
        ...(solved && { proofOfWork: solved }),
      },
    });
  };

  /** Sends the form; a second press while it is on its way does nothing. */
  const submit = async () => {
    if (sending.current) return;
    setFailure(null);
    const wrong = check();
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return;
    sending.current = true;
    setBusy(true);
    try {
      const { next, reference, state } = await send();
      storeOutcome(slug, {
        next,
        reference,
        state,
        email: draft.email.trim(),
        title: event.title,
        ending: expectedOutcomeOf(event),
      });
      void client.invalidateQueries({ queryKey: ["events"] });
      await navigate(`/events/${slug}/success${reference ? `?ref=${encodeURIComponent(reference)}` : ""}`, {
        replace: true,
      });
    } catch (error) {
      const found =
        error instanceof ApiError
          ? {
              ...issuesOf(error),
              ...fieldOf(error),
              ...(error.status === 404 && { accessCode: t("events.codeWrong") }),
            }
          : {};
      setFaults(found);
      if (Object.keys(found).length === 0) setFailure(messageOf(error));
      if (isStatus(error, 409)) void client.invalidateQueries({ queryKey: ["events"] });
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  const agree = (yes: boolean) => {
    setAgreed(yes);
    setFaults(({ privacyAccepted: _, ...rest }) => rest);
  };
  return { draft, set, answer, agreed, agree, website, setWebsite, faults, failure, busy, submit };
}
