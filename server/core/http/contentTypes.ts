import { extname } from "node:path";

/**
 * Content types by file extension. Sent with nosniff, so that a package cannot choose how its files are interpreted.
 */
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
