/**
 * A URL whose path can be decoded: if its percent-encoding is malformed (`/nope%`, `/%ff`), every percent sign is taken
 * literally, which leads to an ordinary 404. The object protocol (`/v0/`) refuses such paths itself.
 */
export function withValidEncoding(url: string) {
  if (url.startsWith("/v0/")) return url;
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}
