/**
 * Hosts that mean this machine. Packages and application may share one of them, to try the product without host names.
 */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
export const isLoopback = (host: string) => LOOPBACK_HOSTS.includes(host);

/**
 * The default content origin: the host of the application if that is this machine, because two sites share no storage.
 */
export function defaultContentOrigin(publicUrl: string, contentPort: number) {
  const { hostname } = new URL(publicUrl);
  return `http://${isLoopback(hostname) ? hostname : "localhost"}:${contentPort}`;
}

/** Hosts under which the application can be reached too, but where it does not work: their pages are redirected. */
export function otherHosts({ publicUrl, contentOrigin }: Origins) {
  const own = new URL(publicUrl).hostname;
  const others = [new URL(contentOrigin).hostname, ...(isLoopback(own) ? LOOPBACK_HOSTS : [])];
  return new Set(others.filter((host) => host !== own));
}

type Origins = { publicUrl: string; contentOrigin: string };

/** What an operator should know about these two origins, as sentences for the log (docs/decisions/0017-origins.md). */
export function checkOrigins({ publicUrl, contentOrigin }: Origins): string[] {
  const [app, content] = [new URL(publicUrl), new URL(contentOrigin)];
  if (!isSameSite(app, content))
    return [
      `PUBLIC_URL (${publicUrl}) and CONTENT_ORIGIN (${contentOrigin}) are on different sites. Browsers that block third-party storage then give packages no storage, and a tab that is closed while the server is down can lose its last values. Use two host names below one domain, with the same protocol.`,
    ];
  if (app.hostname === content.hostname && !isLoopback(app.hostname))
    return [
      `PUBLIC_URL (${publicUrl}) and CONTENT_ORIGIN (${contentOrigin}) have the same host. Cookies ignore ports, so packages can add and delete cookies of the application. Give the content a host name of its own below the same domain.`,
    ];
  return [];
}

/**
 * Whether browsers treat two URLs as one site: same protocol, and one registrable domain. Without the public suffix
 * list a shared suffix of two labels counts as a domain, so a pair below a suffix such as `co.uk` is taken for one
 * site.
 */
function isSameSite(a: URL, b: URL) {
  if (a.protocol !== b.protocol) return false;
  if (a.hostname === b.hostname) return true;
  const isAddress = [a, b].some(({ hostname }) => /^[\d.]+$|^\[/.test(hostname));
  const domainOf = ({ hostname }: URL) => hostname.split(".").slice(-2).join(".");
  return !isAddress && domainOf(a).includes(".") && domainOf(a) === domainOf(b);
}
