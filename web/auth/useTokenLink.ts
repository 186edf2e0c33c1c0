import { useEffect, useState } from "react";
import { isStatus } from "#web/core/http/http.ts";

type State<T> = { details: T | null; invalid: string | null; failure: unknown };

/**
 * Loads the details of an emailed link with `read`. `invalid` is the message if it no longer works. Reading does not
 * consume the link.
 */
export function useTokenLink<T>(read: (token: string) => Promise<T>, token: string): State<T> {
  const [state, setState] = useState<State<T>>({ details: null, invalid: null, failure: null });
  useEffect(() => {
    let current = true;
    read(token).then(
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
  }, [read, token]);
  return state;
}
