import { sendRequest } from "#web/core/api/http.ts";
import { auth } from "#shared/auth.ts";

/** Asks the browser for a passkey of this site. The WebAuthn library is loaded on first use. */
export async function requestPasskey() {
  const [options, { startAuthentication }] = await Promise.all([
    sendRequest(auth.passkeyOptions, {}),
    import("@simplewebauthn/browser"),
  ]);
  return {
    ...(await startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]["optionsJSON"],
    })),
  };
}

export const signInWithPasskey = async () => sendRequest(auth.passkey, { body: { response: await requestPasskey() } });
