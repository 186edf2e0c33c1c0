import { useState } from "react";
import { useApiMutation } from "#web/core/api/api.ts";
import { type MailServerInput, mailServers, type MailTest } from "#shared/mails/mailServer.ts";

/** Sends a test email with the settings in use, or with others. `outcome` is that of the last one. */
export function useTestMail() {
  const [outcome, setOutcome] = useState<MailTest | null>(null);
  const inUse = useApiMutation(mailServers.test, { refetch: false, quiet: true });
  const others = useApiMutation(mailServers.tryOut, { refetch: false, quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const attempt = async (sending: Promise<MailTest>) => {
    setOutcome(null);
    setFailure(null);
    setOutcome(await sending);
  };
  return {
    outcome,
    failure,
    isSending: inUse.isPending || others.isPending,
    clear: () => setOutcome(null),
    send: () => attempt(inUse.mutateAsync()).catch(setFailure),
    /** Rejects if the settings cannot be used, so that the form shows why. */
    tryOut: (server: MailServerInput) => attempt(others.mutateAsync({ body: server })),
  };
}
