import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";

/** Content types of package files. Fixed by us and sent with nosniff: a package cannot choose how its bytes are read. */
const types: Record<string, string> = {
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
const text = /^(text\/|application\/json|image\/svg)/;

/**
 * The type of a file by its name. Text goes out without a charset, so that the page's own declaration decides: packages
 * come in Latin-1 and UTF-16 too. Scripts and styles of a page take the page's charset.
 */
export const typeOf = (name: string) => types[extname(name).slice(1).toLowerCase()] ?? "application/octet-stream";
export const isText = (name: string) => text.test(typeOf(name));

/**
 * The file of a package below `folder` that an address means: as written, else without regard to case, because many
 * packages are made on Windows. A folder means its index page. Null when there is none; never a path outside.
 */
export async function findFile(folder: string, path: string): Promise<string | null> {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  if (steps.some((step) => step === ".." || /[\0\\]/.test(step))) return null;
  const straight = steps.join("/");
  const found = await stat(join(folder, straight)).catch(() => null);
  if (found?.isFile()) return straight;
  let at = "";
  for (const step of steps) {
    const names: string[] = await readdir(join(folder, at)).catch(() => []);
    const name = names.includes(step) ? step : names.find((other) => other.toLowerCase() === step.toLowerCase());
    if (!name) return null;
    at = at ? `${at}/${name}` : name;
  }
  const here = await stat(join(folder, at)).catch(() => null);
  if (here?.isFile()) return at;
  if (!here?.isDirectory()) return null;
  const index = (await readdir(join(folder, at))).find((name) => /^index\.html?$/i.test(name));
  return index ? join(at, index) : null;
}
