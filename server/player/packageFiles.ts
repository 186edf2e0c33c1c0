import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";

/** Content types by file extension. Sent with nosniff, so that a package cannot choose how its files are interpreted. */
const contentTypes: Record<string, string> = {
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  json: "application/json",
  map: "application/json",
  xml: "text/xml",
  xsd: "text/xml",
  dtd: "text/plain",
  txt: "text/plain",
  vtt: "text/vtt",
  srt: "text/plain",
  csv: "text/csv",
  md: "text/plain",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  bmp: "image/bmp",
  cur: "image/x-icon",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  ogv: "video/ogg",
  mov: "video/quicktime",
  m3u8: "application/vnd.apple.mpegurl",
  ts: "video/mp2t",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  wav: "audio/wav",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
  woff: "font/woff",
  woff2: "font/woff2",
  ttf: "font/ttf",
  otf: "font/otf",
  eot: "application/vnd.ms-fontobject",
  wasm: "application/wasm",
  pdf: "application/pdf",
  zip: "application/zip",
  swf: "application/x-shockwave-flash",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  rtf: "application/rtf",
  lang: "application/json",
  properties: "text/plain",
};
const textTypes = /^(text\/|application\/json|image\/svg)/;

/**
 * The content type of a file by its name. Text types have no charset, so that the declaration inside the page applies:
 * packages also come in Latin-1 and UTF-16. Scripts and style sheets inherit the charset of their page.
 */
export const contentTypeOf = (name: string) =>
  contentTypes[extname(name).slice(1).toLowerCase()] ?? "application/octet-stream";
export const isTextFile = (name: string) => textTypes.test(contentTypeOf(name));

/**
 * Finds the file of a package that a URL path refers to, relative to `folder`: as written, otherwise ignoring case,
 * because many packages are authored on Windows. A folder resolves to its index page. Null if there is no such file or
 * the path leaves the folder.
 */
export async function findPackageFile(folder: string, path: string): Promise<string | null> {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.some((segment) => segment === ".." || /[\0\\]/.test(segment))) return null;
  const exactPath = segments.join("/");
  const exact = await stat(join(folder, exactPath)).catch(() => null);
  if (exact?.isFile()) return exactPath;
  let found = "";
  for (const segment of segments) {
    const names: string[] = await readdir(join(folder, found)).catch(() => []);
    const name = names.includes(segment)
      ? segment
      : names.find((other) => other.toLowerCase() === segment.toLowerCase());
    if (!name) return null;
    found = found ? `${found}/${name}` : name;
  }
  const target = await stat(join(folder, found)).catch(() => null);
  if (target?.isFile()) return found;
  if (!target?.isDirectory()) return null;
  const index = (await readdir(join(folder, found))).find((name) => /^index\.html?$/i.test(name));
  return index ? join(found, index) : null;
}
