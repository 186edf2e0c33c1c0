import { useEffect, useState } from "react";
import { sendRequest, isStatus } from "#web/core/api/http.ts";
import type { Contract, Reply, Sent } from "#shared/route.ts";

type State<T> = { details: T | null; invalid: string | null; failure: unknown };

/** Loads the details of an emailed link. `invalid` is the message if it no longer works. Reading does not consume the link. */
export function useTokenLink<C extends Contract>(contract: C, token: string): State<Reply<C>> {
  const [state, setState] = useState<State<Reply<C>>>({ details: null, invalid: null, failure: null });
  useEffect(() => {
    let current = true;
    sendRequest(contract, { params: { token } } as unknown as Sent<C>).then(
      (details) => current && setState({ details, invalid: null, failure: null }),
      (error: unknown) =>
        current &&
        setState({
          details: null,
          invalid: isStatus(error, 404) ? error.message : null,
          failure: isStatus(error, 404) ? null : error,
        }),
    );
    return () => {
      current = false;
    };
  }, [contract, token]);
  return state;
}
