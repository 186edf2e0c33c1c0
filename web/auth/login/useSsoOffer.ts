import { useRef, useState } from "react";
import { sendRequest } from "#web/core/api/http.ts";
import { auth } from "#shared/auth.ts";
import type { Reply } from "#shared/route.ts";

export type Offer = NonNullable<Reply<typeof auth.sso>>;
/** Typing rests this long before the domain is looked up. */
const REST_MS = 350;

/** The company login that belongs to the email being typed. Asked once a domain. */
export function useSsoOffer() {
  const [offer, setOffer] = useState<Offer | null>(null);
  const known = useRef(new Map<string, Offer | null>());
  const timer = useRef(0);
  const wanted = useRef("");

  const lookUp = (typed: string) => {
    const domain = /@([^@\s]+\.[^@\s.]{2,})$/.exec(typed.trim().toLowerCase())?.[1] ?? "";
    wanted.current = domain;
    clearTimeout(timer.current);
    if (!domain) return setOffer(null);
    if (known.current.has(domain)) return setOffer(known.current.get(domain) ?? null);
    timer.current = window.setTimeout(() => {
      void sendRequest(auth.sso, { body: { email: typed.trim() } }).then(
        (found) => {
          known.current.set(domain, found);
          if (wanted.current === domain) setOffer(found);
        },
        () => {},
      );
    }, REST_MS);
  };
  /** A refusal that names the company's login (code auth.useSso) is an offer too. */
  const offerOf = ({ connectionId, company }: Record<string, unknown>) =>
    setOffer({ connectionId: String(connectionId), company: String(company), enforced: true });
  return { offer, lookUp, offerOf };
}
