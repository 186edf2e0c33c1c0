import { useRef, useState } from "react";
import { sendRequest } from "#web/core/http/http.ts";
import { auth } from "#shared/auth/auth.ts";
import type { Reply } from "#shared/core/route.ts";

export type SsoOffer = NonNullable<Reply<typeof auth.sso>>;
/** Delay after the last key before the domain is looked up. */
const DEBOUNCE_MS = 350;

/** The single sign-on offer for the email being typed. Requested once per domain. */
export function useSsoOffer() {
  const [offer, setOffer] = useState<SsoOffer | null>(null);
  const cache = useRef(new Map<string, SsoOffer | null>());
  const timer = useRef(0);
  const latest = useRef("");

  const lookUp = (typed: string) => {
    const domain = /@([^@\s]+\.[^@\s.]{2,})$/.exec(typed.trim().toLowerCase())?.[1] ?? "";
    latest.current = domain;
    clearTimeout(timer.current);
    if (!domain) return setOffer(null);
    if (cache.current.has(domain)) return setOffer(cache.current.get(domain) ?? null);
    timer.current = window.setTimeout(() => {
      void sendRequest(auth.sso, { body: { email: typed.trim() } }).then(
        (result) => {
          cache.current.set(domain, result);
          if (latest.current === domain) setOffer(result);
        },
        () => {},
      );
    }, DEBOUNCE_MS);
  };
  /** Creates the offer from the details of an `auth.ssoRequired` error. */
  const offerOf = ({ connectionId, company }: Record<string, unknown>) =>
    setOffer({ connectionId: String(connectionId), company: String(company), enforced: true });
  return { offer, lookUp, offerOf };
}
