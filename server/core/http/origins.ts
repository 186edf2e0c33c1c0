/** Names of this machine. Packages and application may share one of them, to try the product without host names. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
export const isLoopback = (host: string) => LOOPBACK_HOSTS.includes(host);

/**
 * The default content origin, on this machine. It uses the same name for it as the application does: browsers give
 * packages on another site no storage.
 */
export function defaultContentOrigin(publicUrl: string, contentPort: number) {
  const { hostname } = new URL(publicUrl);
  return `http://${isLoopback(hostname) ? hostname : "localhost"}:${contentPort}`;
}

/** Other hosts under which the application is reachable but does not work; their pages are redirected. */
export function otherHosts({ publicUrl, contentOrigin }: Origins) {
  const publicHost = new URL(publicUrl).hostname;
  const others = [new URL(contentOrigin).hostname, ...(isLoopback(publicHost) ? LOOPBACK_HOSTS : [])];
  return new Set(others.filter((host) => host !== publicHost));
}

type Origins = { publicUrl: string; contentOrigin: string };

/** What an operator should know about these two origins, as sentences for the log (docs/decisions/0017-origins.md). */
export function checkOrigins({ publicUrl, contentOrigin }: Origins): string[] {
  const [app, content] = [new URL(publicUrl), new URL(contentOrigin)];
  if (!isSameSite(app, content))
    return [
      `PUBLIC_URL (${publicUrl}) and CONTENT_ORIGIN (${contentOrigin}) are on different sites. ` +
        "Browsers that block third-party storage then give packages no storage, " +
        "and a tab that is closed while the server is down can lose its last values. " +
        "Use two host names below one domain, with the same protocol.",
    ];
  if (app.hostname === content.hostname && !isLoopback(app.hostname))
    return [
      `PUBLIC_URL (${publicUrl}) and CONTENT_ORIGIN (${contentOrigin}) have the same host. ` +
        "Cookies ignore ports, so packages can add and delete cookies of the application. " +
        "Give the content a host name of its own below the same domain.",
    ];
  return [];
}

/**
 * Whether browsers treat two URLs as one site: same protocol and registrable domain. Instead of the public suffix list,
 * the last two labels count as the domain, so two domains below `co.uk`, for example, are taken for one site.
 */
function isSameSite(a: URL, b: URL) {
  if (a.protocol !== b.protocol) return false;
  if (a.hostname === b.hostname) return true;
  const isAddress = [a, b].some(({ hostname }) => /^[\d.]+$|^\[/.test(hostname));
  const domainOf = ({ hostname }: URL) => hostname.split(".").slice(-2).join(".");
  return !isAddress && domainOf(a).includes(".") && domainOf(a) === domainOf(b);
}
