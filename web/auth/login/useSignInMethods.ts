import { useEffect, useState } from "react";
import { createStore } from "#web/core/store.ts";
import { sendRequest } from "#web/core/api/http.ts";
import { auth } from "#shared/auth.ts";

/** Written into the page by the server, so that nothing jumps; the development server has none and asks. */
export const configuredSignInMethods = createStore(
  typeof document === "undefined" ? "" : document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content,
);

export function useGoogle() {
  const [google, setGoogle] = useState(() => configuredSignInMethods.get()?.split(" ").includes("google") ?? false);
  useEffect(() => {
    if (configuredSignInMethods.get() === undefined)
      sendRequest(auth.ways, {}).then(
        (ways) => setGoogle(ways.google),
        () => {},
      );
  }, []);
  return google;
}
