import { useRef, useState } from "react";
import { googleErrorText, loginErrorText } from "#web/auth/errorTexts.ts";
import { signInWithPasskey } from "#web/auth/passkey.ts";
import { openSignInWindow } from "#web/auth/popup.ts";
import type { Method } from "#web/auth/login/SecondStep.tsx";
import { ApiError, isCode } from "#web/core/http/http.ts";
import { solveChallenge } from "#web/core/api/proofOfWork.ts";
import { useSession } from "#web/core/session/session.tsx";
import type { Challenge } from "#shared/auth/auth.ts";

type Props = { onStep: (methods: Method[]) => void; onOffer: (details: Record<string, unknown>) => void };

/** Pause before another try while the server is busy, in ms. */
const BUSY_PAUSE_MS = 2000;

/** State of the login form: one login at a time with any method, its error, and the transition to the second step. */
export function useLogin({ onStep, onOffer }: Props) {
  const { signIn, acceptGrant, resumeSession } = useSession();
  const [failure, setFailure] = useState<{ text: string; code: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const attempts = useRef(0);

  const run = async (work: () => Promise<unknown>, errorText = loginErrorText) => {
    const attempt = ++attempts.current;
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (attempt !== attempts.current) return;
      if (isCode(error, "auth.secondFactorRequired")) return onStep(error.details.methods as Method[]);
      if (isCode(error, "auth.ssoRequired")) onOffer(error.details);
      setFailure({ text: errorText(error), code: error instanceof ApiError ? error.code : "" });
    } finally {
      if (attempt === attempts.current) {
        setBusy(false);
        setWaiting(false);
      }
    }
  };
  /**
   * Many logins at once: tries once more. After many failed logins: sends the proof of work that the server asks for.
   */
  const retry = async (error: unknown, input: { email: string; password: string }) => {
    if (isCode(error, "auth.busy")) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
      return signIn(input);
    }
    if (!isCode(error, "auth.tooManyAttempts") || !error.details.challenge) throw error;
    const proofOfWork = await solveChallenge(error.details.challenge as Challenge);
    return signIn({ ...input, proofOfWork });
  };
  const signInByPassword = (input: { email: string; password: string }) => {
    setBusy(true);
    return run(() => signIn(input).catch((error: unknown) => retry(error, input)));
  };
  const signInByPopup = (provider: string, email?: string) => {
    setWaiting(true);
    return run(
      async () => {
        await openSignInWindow({ provider, ...(email && { email }) }, () => void resumeSession());
        await resumeSession();
      },
      provider === "google" ? googleErrorText : loginErrorText,
    );
  };
  const signInByPasskey = async () => void acceptGrant(await signInWithPasskey());
  return {
    failure: failure?.text ?? null,
    code: failure?.code ?? null,
    busy,
    waiting,
    run,
    signInByPassword,
    signInByPopup,
    signInByPasskey,
  };
}
