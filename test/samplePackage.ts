import { strToU8, zipSync } from "fflate";

export const manifest12 = (
  items = '<item identifier="i1" identifierref="r1"><title>Part one</title></item>',
  resources = '<resource identifier="r1" type="webcontent" adlcp:scormtype="sco" href="index.html"><file href="index.html"/></resource>',
) => `<?xml version="1.0"?>
<manifest identifier="m" version="1" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="o"><organization identifier="o"><title>Test course</title>${items}</organization></organizations>
<resources>${resources}</resources></manifest>`;
const page =
  '<!doctype html><title>Part</title><script>window.parent.API && window.parent.API.LMSInitialize("")</script>';

/** A zip of text files; by default a SCORM 1.2 course with one part. */
export function packageOf(files: Record<string, string> = { "imsmanifest.xml": manifest12(), "index.html": page }) {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}
