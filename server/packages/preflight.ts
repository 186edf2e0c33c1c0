import type { Finding, ManifestItem } from "#shared/packages.ts";
import type { ArchiveFile } from "./entries.ts";
import { describe } from "./findings.ts";
import type { Archive } from "./zip.ts";

// At most this much of the pages and scripts is read
const CAP = 20 * 1024 ** 2;

const scormName = /LMSInitialize|API_1484_11/;
// Loose, because a wrong warning costs more trust than a missing one
const scormCall = /LMSInitialize|API_1484_11|[fF]indAPI|\bInitialize\s*\(/;
const serviceWorker = /serviceWorker\s*(\.|\[\s*["'])\s*register\b/;
const insecure = /<(?:script|iframe|img|video|audio|source|embed)\b[^>]*?\ssrc\s*=\s*["']?http:\/\/([^/"'\s>]+)/i;

/**
 * What a look through the pages says. `reports`: may report results, null when there was too much to read it all.
 * `isMadeForScorm`: calls the run-time by a name that nothing else has.
 */
export type Preflight = { warnings: Finding[]; reports: boolean | null; isMadeForScorm: boolean };

/**
 * Searches the pages and scripts of a package for what decides whether it will work here: calls of the SCORM run-time,
 * service workers, content loaded without encryption. Static and cheap: at most 20 MB are read, start pages first.
 */
export async function searchPages(archive: Archive, files: ArchiveFile[], starts: Set<string>): Promise<Preflight> {
  const warnings = new Map<string, Finding>();
  const warnOnce = (finding: Finding) => void (warnings.has(finding.code) || warnings.set(finding.code, finding));
  let left = CAP;
  let reports = false;
  let isMadeForScorm = false;
  for (const file of sortByPromise(files, starts)) {
    if (left <= 0) break;
    const bytes = await archive.readStart(file, Math.min(left, file.size));
    left -= bytes.length;
    // Without NUL, so that UTF-16 can be searched like the rest
    const text = bytes.toString("latin1").replaceAll("\0", "");
    isMadeForScorm ||= scormName.test(text);
    reports ||= isMadeForScorm || scormCall.test(text);
    if (serviceWorker.test(text)) warnOnce(describe("serviceWorker", { file: file.path }));
    const host = isPage(file.path) ? insecure.exec(text)?.[1] : undefined;
    if (host) warnOnce(describe("insecureAddress", { file: file.path, host }));
  }
  return { warnings: [...warnings.values()], reports: reports || (left <= 0 ? null : false), isMadeForScorm };
}

/** Flash among the start files. */
export function findFlash(parts: ManifestItem[]): ManifestItem[] {
  return parts.filter((part) => /\.(swf|dcr)$/i.test(part.file ?? ""));
}

export const isPage = (path: string) => /\.(x?html?|aspx?|php|jsp)$/i.test(path);
const isScript = (path: string) => /\.[cm]?js$/i.test(path);

/** Start pages, then scripts that sound like a SCORM driver, then the small files before the large ones. */
function sortByPromise(files: ArchiveFile[], starts: Set<string>): ArchiveFile[] {
  const rank = (file: ArchiveFile) => (starts.has(file.path) ? 0 : /scorm|api|lms|driver/i.test(file.path) ? 1 : 2);
  return files
    .filter((file) => isPage(file.path) || isScript(file.path) || starts.has(file.path))
    .toSorted((a, b) => rank(a) - rank(b) || a.size - b.size);
}
