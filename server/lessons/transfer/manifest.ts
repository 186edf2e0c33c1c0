import { escapeXml } from "#server/core/export/xml.ts";
import type { PackageStandard } from "#shared/lessons/transfer/exported.ts";

type Package = { id: string; edition: string; title: string; standard: PackageStandard; files: string[] };

const NAMESPACES: Record<PackageStandard, string> = {
  scorm12: [
    'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"',
    'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"',
  ].join(" "),
  scorm2004: [
    'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"',
    'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"',
    'xmlns:imsss="http://www.imsglobal.org/xsd/imsss"',
  ].join(" "),
};
/** Completion and success are those that the page reports, not what a platform would assume. */
const SEQUENCING =
  '<imsss:sequencing><imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>' +
  "</imsss:sequencing>";
const CONTROL = '<imsss:sequencing><imsss:controlMode choice="true" flow="true"/></imsss:sequencing>';

/** The imsmanifest.xml of a package with one SCO (SCORM 1.2 CAM 2.3; SCORM 2004 4th Edition CAM 3.4). */
export function renderManifest({ id, edition, title, standard, files }: Package) {
  const is2004 = standard === "scorm2004";
  const name = escapeXml(title);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="course-${id}" version="${escapeXml(edition)}" ${NAMESPACES[standard]}>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${is2004 ? "2004 4th Edition" : "1.2"}</schemaversion>
  </metadata>
  <organizations default="organization">
    <organization identifier="organization">
      <title>${name}</title>
      <item identifier="item" identifierref="sco">
        <title>${name}</title>${is2004 ? `\n        ${SEQUENCING}` : ""}
      </item>${is2004 ? `\n      ${CONTROL}` : ""}
    </organization>
  </organizations>
  <resources>
    <resource identifier="sco" type="webcontent" adlcp:${is2004 ? "scormType" : "scormtype"}="sco" href="index.html">
${files.map((file) => `      <file href="${escapeXml(file)}"/>`).join("\n")}
    </resource>
  </resources>
</manifest>
`;
}
