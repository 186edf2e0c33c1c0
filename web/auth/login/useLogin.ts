import { useRef, useState } from "react";
import { googleFailure, loginFailure } from "#web/auth/failures.ts";
import { signInWithPasskey } from "#web/auth/passkey.ts";
import { inWindow } from "#web/auth/popup.ts";
import type { Method } from "#web/auth/login/SecondStep.tsx";
import { ApiError, isCode } from "#web/core/api/http.ts";
import { useSession } from "#web/core/session/session.tsx";

type Props = { onStep: (methods: Method[]) => void; onOffer: (details: Record<string, unknown>) => void };

/** One login at a time, whichever way: what is going on, what went wrong, and where a second step is needed. */
export function useLogin({ onStep, onOffer }: Props) {
  const { signIn, acceptGrant, resumeSession } = useSession();
  const [failure, setFailure] = useState<{ text: string; code: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const turn = useRef(0);

  const run = async (work: () => Promise<unknown>, wordsOf = loginFailure) => {
    const mine = ++turn.current;
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (mine !== turn.current) return;
      if (isCode(error, "auth.stepNeeded")) return onStep(error.details.methods as Method[]);
      if (isCode(error, "auth.useSso")) onOffer(error.details);
      setFailure({ text: wordsOf(error), code: error instanceof ApiError ? error.code : "" });
    } finally {
      if (mine === turn.current) {
        setBusy(false);
        setWaiting(false);
      }
    }
  };
  const byPassword = (input: { email: string; password: string }) => {
    setBusy(true);
    return run(() => signIn(input));
  };
  const byWindow = (provider: string, email?: string) => {
    setWaiting(true);
    return run(
      async () => {
        await inWindow({ provider, ...(email && { email }) }, () => void resumeSession());
        await resumeSession();
      },
      provider === "google" ? googleFailure : loginFailure,
    );
  };
  const byPasskey = async () => void acceptGrant(await signInWithPasskey());
  return {
    failure: failure?.text ?? null,
    code: failure?.code ?? null,
    busy,
    waiting,
    run,
    byPassword,
    byWindow,
    byPasskey,
  };
}
