import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { sendRequest } from "#web/core/http/http.ts";
import { auth } from "#shared/auth/auth.ts";

/** Asks the browser for a passkey of this site. The WebAuthn library is loaded on first use. */
export async function requestPasskey() {
  const [options, { startAuthentication }] = await Promise.all([
    sendRequest(auth.passkeyOptions, {}),
    import("@simplewebauthn/browser"),
  ]);
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}

export const signInWithPasskey = async () => sendRequest(auth.passkey, { body: { response: await requestPasskey() } });
