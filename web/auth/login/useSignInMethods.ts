import { useEffect, useState } from "react";
import { createStore } from "#web/core/store.ts";
import { sendRequest } from "#web/core/http/http.ts";
import { auth } from "#shared/auth/auth.ts";

/** Embedded in the page by the server, to avoid layout shifts; the development server has none, so it is requested. */
export const configuredSignInMethods = createStore(
  typeof document === "undefined" ? "" : document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content,
);

export function useGoogleOffered() {
  const [google, setGoogle] = useState(() => configuredSignInMethods.get()?.split(" ").includes("google") ?? false);
  useEffect(() => {
    if (configuredSignInMethods.get() === undefined)
      sendRequest(auth.signInMethods, {}).then(
        (methods) => setGoogle(methods.google),
        () => {},
      );
  }, []);
  return google;
}
