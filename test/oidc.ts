import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { interactionPolicy } from "oidc-provider";

/** `minutes`: how long ago the person logged in at the provider, for a provider that does not ask again. */
export type Persona = { email: string; verified?: boolean; name?: string; sub?: string; minutes?: number };
export const OIDC_CLIENT = { id: "lyceum-test", secret: "a secret of the test client, long enough" };

/**
 * An OpenID provider (oidc-provider) on loopback, in place of Google or the provider of a company. Its page asks for an
 * email, unless `next` has set the person. `redirect` may be a function, which is called at the first request.
 */
export async function startOidc(redirect: string | (() => string), port = 0) {
  const people = new Map<string, Required<Omit<Persona, "minutes">>>();
  const state: { next: Persona | "cancel" | null; isolated: boolean } = { next: null, isolated: false };
  const remember = (persona: Persona) => {
    const sub = persona.sub ?? createHash("sha256").update(persona.email).digest("hex").slice(0, 20);
    people.set(sub, { verified: true, name: "Gro Google", ...persona, sub });
    return sub;
  };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }));
  const make = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: OIDC_CLIENT.id,
          client_secret: OIDC_CLIENT.secret,
          redirect_uris: [typeof redirect === "string" ? redirect : redirect()],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ["of the test alone"] },
      findAccount: (_, sub) => {
        const person = people.get(sub);
        return (
          person && {
            accountId: sub,
            claims: () => ({ sub, email: person.email, email_verified: person.verified, name: person.name }),
          }
        );
      },
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client?.clientId ?? "",
          accountId: ctx.oidc.session?.accountId ?? "",
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
  let made: Provider | null = null;
  const providerOf = () => (made ??= make());
  const finish = (request: IncomingMessage, response: ServerResponse, who: Persona | "cancel") => {
    if (who === "cancel")
      return providerOf().interactionFinished(request, response, {
        error: "access_denied",
        error_description: "The person refused",
      });
    const accountId = remember(who);
    return providerOf().interactionFinished(
      request,
      response,
      {
        login: { accountId, ...(who.minutes && { ts: Math.floor(Date.now() / 1000) - who.minutes * 60 }) },
        select_account: {},
      },
      { mergeWithLastSubmission: false },
    );
  };
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void providerOf().callback()(request, response);
    void (async () => {
      if (state.next) return finish(request, response, state.next);
      if (state.isolated) response.setHeader("cross-origin-opener-policy", "same-origin");
      if (request.method === "GET") return response.setHeader("content-type", "text/html").end(page);
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const form = new URLSearchParams(body);
      return finish(
        request,
        response,
        form.has("cancel")
          ? "cancel"
          : {
              email: form.get("email") ?? "",
              verified: form.get("verified") !== null,
              name: form.get("name") || "Gro Google",
            },
      );
    })();
  });
  return {
    issuer,
    /** Sets the person who signs in next without a page; null shows the page. */
    next: (who: Persona | "cancel" | null) => {
      state.next = who;
    },
    /** Separates the provider's pages from their opener (Cross-Origin-Opener-Policy), as some providers do. */
    isolate: (isolated: boolean) => {
      state.isolated = isolated;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const page = `<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1><form method="post">
<label>Address <input name="email" type="email" autofocus></label><label>Called <input name="name"></label>
<label><input type="checkbox" name="verified" checked> Verified</label>
<button>Continue</button><button name="cancel" value="1">Cancel</button></form></html>`;

/** Follows redirects with cookies per host, like a browser, until a URL starts with `stop`. Returns that URL. */
export async function follow(address: string, stop: string): Promise<string> {
  const jars = new Map<string, Map<string, string>>();
  let url = address;
  for (let hops = 0; hops < 15; hops++) {
    if (url.startsWith(stop)) return url;
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const reply = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const next = reply.headers.get("location");
    if (!next) throw new Error(`${url} answered ${reply.status}: ${(await reply.text()).slice(0, 600)}`);
    url = new URL(next, url).href;
  }
  throw new Error("too many redirects");
}
