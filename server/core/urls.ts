/**
 * A URL whose path can be decoded: if its percent-encoding is malformed (`/nope%`, `/%ff`), every percent sign is taken literally,
 * so that it is an address that does not exist like any other. The API and the object protocol refuse such paths themselves.
 */
export function withValidEncoding(url: string) {
  if (/^\/(api|v0)\//.test(url)) return url;
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}
