import type { Edition, Finding } from "#shared/packages/packages.ts";
import { toFinding, PackageError } from "#server/packages/findings.ts";
import { child, textOf, type Element } from "#server/packages/xml.ts";

/**
 * The SCORM edition of a manifest: the stated version, otherwise inferred from its namespaces and the spelling of
 * `scormType`, otherwise 1.2. Source: SCORM 1.2 and 2004, Content Aggregation Model, <schemaversion>.
 */
export function findEdition(manifest: Element, xml: string): { edition: Edition; warnings: Finding[] } {
  const metadata = child(manifest, "metadata");
  const schema = textOf(child(metadata, "schema")) ?? "";
  if (/common cartridge/i.test(schema) || /xmlns\s*=\s*["'][^"']*\/imsccv1p\d/.test(xml)) {
    throw new PackageError("commonCartridge");
  }
  const version = textOf(child(metadata, "schemaversion")) ?? "";
  const stated = readVersion(version);
  if (stated) return { edition: stated, warnings: [] };
  const inferred = inferEdition(xml);
  const edition = inferred ?? "1.2";
  // A missing version with clear namespaces is common and harmless; an unknown version or no hint at all gets a warning
  const isClear = inferred !== null && version === "";
  return { edition, warnings: isClear ? [] : [toFinding("editionUnknown", { version: version || "–", edition })] };
}

function readVersion(version: string): Edition | null {
  if (/^(scorm\s*)?1\.2(\.\d+)?$/i.test(version)) return "1.2";
  if (/4th/i.test(version)) return "2004 4th Edition";
  if (/3rd/i.test(version)) return "2004 3rd Edition";
  // The 2nd Edition prescribes "CAM 1.3"; a bare "2004" is treated the same
  if (/1\.3|2004/.test(version)) return "2004 2nd Edition";
  return null;
}

function inferEdition(xml: string): Edition | null {
  if (/adlcp_v1p3|adlseq_v1p3|adlnav_v1p3|\/imsss\b|:scormType\s*=/.test(xml)) return "2004 3rd Edition";
  if (/adlcp_rootv1p2|imscp_rootv1p1p2|:scormtype\s*=/.test(xml)) return "1.2";
  return null;
}
