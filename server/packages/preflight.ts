import type { Finding, ManifestItem } from "#shared/packages/packages.ts";
import type { ArchiveFile } from "#server/packages/archiveLimits.ts";
import { toFinding } from "#server/packages/findings.ts";
import type { Archive } from "#server/packages/zip.ts";

// The most bytes of pages and scripts together that are searched
const MAX_SEARCH_BYTES = 20 * 1024 ** 2;

const scormName = /LMSInitialize|API_1484_11/;
// Permissive, because a false warning is worse than a missing one
const scormCall = /LMSInitialize|API_1484_11|[fF]indAPI|\bInitialize\s*\(/;
const serviceWorker = /serviceWorker\s*(\.|\[\s*["'])\s*register\b/;
const insecureSource =
  /<(?:script|iframe|img|video|audio|source|embed)\b[^>]{0,500}?\ssrc\s*=\s*["']?http:\/\/([^/"'\s>]+)/i;

/**
 * Result of searching the pages. `reports`: they may report results; null if the limit was reached before any call was
 * found. `isMadeForScorm`: they use a name that only the SCORM run-time has.
 */
export type Preflight = { warnings: Finding[]; reports: boolean | null; isMadeForScorm: boolean };

/**
 * Searches the pages and scripts of a package for calls of the SCORM run-time, service workers, and content loaded
 * without encryption. A plain text search of at most 20 MB, start pages first.
 */
export async function searchPages(archive: Archive, files: ArchiveFile[], starts: Set<string>): Promise<Preflight> {
  const warnings = new Map<string, Finding>();
  const warnOnce = (finding: Finding) => void (warnings.has(finding.code) || warnings.set(finding.code, finding));
  let bytesLeft = MAX_SEARCH_BYTES;
  let reports = false;
  let isMadeForScorm = false;
  for (const file of sortByRelevance(files, starts)) {
    if (bytesLeft <= 0) break;
    const bytes = await archive.readStart(file, Math.min(bytesLeft, file.size));
    bytesLeft -= bytes.length;
    // NULs are removed so that UTF-16 can be searched too
    const text = bytes.toString("latin1").replaceAll("\0", "");
    isMadeForScorm ||= scormName.test(text);
    reports ||= isMadeForScorm || scormCall.test(text);
    if (serviceWorker.test(text)) warnOnce(toFinding("serviceWorker", { file: file.path }));
    const host = isPage(file.path) ? insecureSource.exec(text)?.[1] : undefined;
    if (host) warnOnce(toFinding("insecureAddress", { file: file.path, host }));
  }
  return { warnings: [...warnings.values()], reports: reports || (bytesLeft <= 0 ? null : false), isMadeForScorm };
}

/** Parts whose start file is Flash. */
export function findFlash(parts: ManifestItem[]): ManifestItem[] {
  return parts.filter((part) => /\.(swf|dcr)$/i.test(part.file ?? ""));
}

export const isPage = (path: string) => /\.(x?html?|aspx?|php|jsp)$/i.test(path);
const isScript = (path: string) => /\.[cm]?js$/i.test(path);

/** Pages and scripts: start pages first, then files named like a SCORM driver, then the others by size. */
function sortByRelevance(files: ArchiveFile[], starts: Set<string>): ArchiveFile[] {
  const rank = ({ path }: ArchiveFile) => {
    if (starts.has(path)) return 0;
    return /scorm|api|lms|driver/i.test(path) ? 1 : 2;
  };
  return files
    .filter((file) => isPage(file.path) || isScript(file.path) || starts.has(file.path))
    .toSorted((a, b) => rank(a) - rank(b) || a.size - b.size);
}
