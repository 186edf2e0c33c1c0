import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeXml } from "#server/core/export/xml.ts";
import type { ZipEntry } from "#server/core/export/zip.ts";
import type { Storage } from "#server/core/storage/storage.ts";
import { renderManifest } from "#server/lessons/transfer/manifest.ts";
import type { Leaving } from "#server/lessons/transfer/source.ts";
import { directionOf } from "#shared/lessons/direction.ts";
import type { ExportedCourse, PackageStandard } from "#shared/lessons/transfer/exported.ts";
import texts from "#shared/locales/en/lessons.json" with { type: "json" };

/** The build of web/player/exported. */
const folder = join(import.meta.dirname, "../../../dist/exported");

/** Nothing is loaded from elsewhere, and nothing is sent anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The files of a SCORM package with the whole course as one SCO. */
export async function* scormPackage(
  leaving: Leaving,
  standard: PackageStandard,
  storage: Storage,
): AsyncGenerator<ZipEntry> {
  const player = (await readdir(folder)).toSorted();
  const media = leaving.files.map(({ name }) => `media/${name}`);
  const files = ["index.html", ...player.map((name) => `player/${name}`), ...media];
  yield { path: "imsmanifest.xml", content: renderManifest({ ...leaving, standard, files }) };
  yield { path: "index.html", content: renderPage(leaving, standard) };
  for (const name of player) {
    const path = join(folder, name);
    const isText = /\.(js|css)$/.test(name);
    yield { path: `player/${name}`, content: isText ? await readFile(path, "utf8") : createReadStream(path) };
  }
  yield* mediaEntries(leaving, storage);
}

export async function* mediaEntries({ files }: Leaving, storage: Storage): AsyncGenerator<ZipEntry> {
  for (const { name, storageKey } of files) yield { path: `media/${name}`, content: await storage.read(storageKey) };
}

function renderPage({ title, language, modules }: Leaving, standard: PackageStandard) {
  const course: ExportedCourse = { title, language, standard, modules };
  // No text of an author ends the element of the data.
  const data = JSON.stringify(course).replaceAll("<", String.raw`\u003c`);
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeXml(title)}</title>
<link rel="stylesheet" href="player/player.css">
</head>
<body>
<div id="root"></div>
<noscript>${texts.exported.noScript}</noscript>
<script type="application/json" id="course">${data}</script>
<script src="player/player.js"></script>
</body>
</html>
`;
}
