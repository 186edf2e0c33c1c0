import { useEffect, useState } from "react";
import { sendRequest, isStatus } from "#web/core/api/http.ts";
import type { Contract, Reply, Sent } from "#shared/route.ts";

type State<T> = { found: T | null; gone: string | null; failure: unknown };

/** What a link from a mail is for; `gone` is the sentence when it works no more. The read changes nothing. */
export function useLink<C extends Contract>(contract: C, token: string): State<Reply<C>> {
  const [state, setState] = useState<State<Reply<C>>>({ found: null, gone: null, failure: null });
  useEffect(() => {
    let current = true;
    sendRequest(contract, { params: { token } } as unknown as Sent<C>).then(
      (found) => current && setState({ found, gone: null, failure: null }),
      (error: unknown) =>
        current &&
        setState({
          found: null,
          gone: isStatus(error, 404) ? error.message : null,
          failure: isStatus(error, 404) ? null : error,
        }),
    );
    return () => {
      current = false;
    };
  }, [contract, token]);
  return state;
}
