import { escapeXml } from "#server/core/export/xml.ts";
import { strToU8, zipSync } from "fflate";

/** An HTML page with this body. */
export const head = (body: string) => `<!doctype html><meta charset="utf-8"><title>Part</title><body>${body}</body>`;
/** A page that shows the values of the SCORM API and defines functions that tests call. */
const probe = (version: "1.2" | "2004") => {
  const names =
    version === "1.2"
      ? {
          api: "API",
          init: "LMSInitialize",
          get: "LMSGetValue",
          set: "LMSSetValue",
          commit: "LMSCommit",
          end: "LMSFinish",
          place: "cmi.core.lesson_location",
          status: "cmi.core.lesson_status",
          exit: "cmi.core.exit",
          entry: "cmi.core.entry",
          time: "cmi.core.session_time",
        }
      : {
          api: "API_1484_11",
          init: "Initialize",
          get: "GetValue",
          set: "SetValue",
          commit: "Commit",
          end: "Terminate",
          place: "cmi.location",
          status: "cmi.completion_status",
          exit: "cmi.exit",
          entry: "cmi.entry",
          time: "cmi.session_time",
        };
  return head(`<p id="entry"></p><p id="place"></p><p id="data"></p><p id="answer"></p>
<script>
const find = (w) => {
  for (let i = 0; w && i < 20; i++) {
    if (w.${names.api}) return w.${names.api}
    if (w === w.parent) return null
    w = w.parent
  }
  return null
}
const api = find(window); let ended = false
window.call = (name, ...args) => {
  const result = api[name](...args)
  document.getElementById('answer').textContent = result
  return result
}
window.names = ${JSON.stringify(names)}
api.${names.init}('')
document.getElementById('entry').textContent = api.${names.get}('${names.entry}')
document.getElementById('place').textContent = api.${names.get}('${names.place}')
document.getElementById('data').textContent = api.${names.get}('cmi.suspend_data').length
window.go = (place, data = '') => {
  api.${names.set}('${names.place}', place)
  if (data) api.${names.set}('cmi.suspend_data', data)
}
window.finish = (status) => { api.${names.set}('${names.status}', status); window.end('') }
window.end = (exit = 'suspend') => {
  if (ended) return
  ended = true
  api.${names.set}('${names.time}', '${version === "1.2" ? "0000:00:42" : "PT42S"}')
  api.${names.set}('${names.exit}', exit)
  api.${names.end}('')
}
addEventListener('pagehide', () => window.end('suspend'))
</script>`);
};

/** A SCORM 2004 page that says something while it closes, in the event and the manner that a test chooses. */
const closingProbe = head(`<p id="entry"></p><p id="place"></p><p id="data"></p><p id="count"></p>
<script>
let w = window; while (w && !w.API_1484_11 && w !== w.parent) w = w.parent
const api = w.API_1484_11
api.Initialize('')
const show = (id, text) => { document.getElementById(id).textContent = text }
show('entry', api.GetValue('cmi.entry'))
show('place', api.GetValue('cmi.location'))
show('data', api.GetValue('cmi.suspend_data').length)
show('count', api.GetValue('cmi.interactions._count'))
// Answers one question every few milliseconds; every answer that returned "true" is reported to the console.
window.answer = () => {
  const n = Number(api.GetValue('cmi.interactions._count'))
  const results = [api.SetValue('cmi.interactions.' + n + '.id', 'q' + n), api.SetValue('cmi.location', String(n + 1))]
  if (results.every((result) => result === 'true')) console.log('answered ' + (n + 1) + ' at ' + Date.now())
  setTimeout(window.answer, 5)
}
window.call = (name, ...args) => api[name](...args)
window.speakOn = (type, place, { terminate = false, data = '', exit = 'suspend', busyMs = 0 } = {}) => {
  const target = type === 'visibilitychange' ? document : window
  target.addEventListener(type, () => {
    if (type === 'visibilitychange' && document.visibilityState !== 'hidden') return
    for (const end = Date.now() + busyMs; Date.now() < end;);
    api.SetValue('cmi.location', place)
    if (data) api.SetValue('cmi.suspend_data', data)
    api.SetValue('cmi.session_time', 'PT42S')
    if (exit) api.SetValue('cmi.exit', exit)
    if (terminate) api.Terminate('')
  }, { once: type !== 'visibilitychange' })
}
</script>`);

const schemas = {
  "1.2": {
    packaging: "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
    scorm: "http://www.adlnet.org/xsd/adlcp_rootv1p2",
    version: "1.2",
    type: "adlcp:scormtype",
  },
  "2004": {
    packaging: "http://www.imsglobal.org/xsd/imscp_v1p1",
    scorm: "http://www.adlnet.org/xsd/adlcp_v1p3",
    version: "2004 4th Edition",
    type: "adlcp:scormType",
  },
};
const resource = (id: string, type: string) =>
  `<resource identifier="r-${id}" type="webcontent" ${type}="sco" href="${id}.html">` +
  `<file href="${id}.html"/></resource>`;
const manifest = (
  version: "1.2" | "2004",
  parts: string[],
  title = `Probe ${version}`,
) => `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="m" xmlns="${schemas[version].packaging}" xmlns:adlcp="${schemas[version].scorm}">
<metadata><schema>ADL SCORM</schema><schemaversion>${schemas[version].version}</schemaversion></metadata>
<organizations default="o"><organization identifier="o"><title>${title}</title>
${parts.map((id) => `<item identifier="${id}" identifierref="r-${id}"><title>Part ${id}</title></item>`).join("\n")}
</organization></organizations><resources>
${parts.map((id) => resource(id, schemas[version].type)).join("\n")}
</resources></manifest>`;

/** A package whose pages are controlled by a test and use the SCORM API like real packages. */
export function probePackage(version: "1.2" | "2004", parts = ["one"]) {
  const files = {
    "imsmanifest.xml": manifest(version, parts),
    ...Object.fromEntries(parts.map((id) => [`${id}.html`, probe(version)])),
  };
  return {
    name: `probe-${version}.zip`,
    bytes: zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  };
}

/** A SCORM 2004 package whose page speaks while it closes (`speakOn`). */
export const closingPackage = (parts = ["one"]) => ({
  name: "closing.zip",
  bytes: zipSync({
    "imsmanifest.xml": strToU8(manifest("2004", parts)),
    ...Object.fromEntries(parts.map((id) => [`${id}.html`, strToU8(closingProbe)])),
  }),
});

/** A package with this title and a UTF-16 manifest. */
export function titledPackage(title: string) {
  const manifestBytes = Buffer.from(
    `\ufeff${manifest("1.2", ["one"], escapeXml(title)).replace("UTF-8", "UTF-16")}`,
    "utf16le",
  );
  return {
    name: "titled.zip",
    bytes: zipSync({ "imsmanifest.xml": manifestBytes, "one.html": strToU8(probe("1.2")) }),
  };
}

/** A web page that tries to register a service worker. */
export function workerPackage() {
  const page = head(
    `<p id="said">tries</p><script>
Promise.resolve()
  .then(() => navigator.serviceWorker.register("worker.js"))
  .then(() => "installed", (error) => error.name)
  .then((said) => { document.getElementById("said").textContent = said })
</script>`,
  );
  return {
    name: "worker.zip",
    bytes: zipSync({
      "index.html": strToU8(page),
      "worker.js": strToU8('addEventListener("fetch", (event) => event.respondWith(new Response("mine")))'),
    }),
  };
}

/** A web page without SCORM calls. */
export const plainPackage = () => ({
  name: "plain.zip",
  bytes: zipSync({ "index.html": strToU8(head("<h1>A plain page</h1>")) }),
});

/** A web page package of about `bytes` incompressible bytes, with a page title. */
export function largePackage(bytes: number, title: string, name = "large.zip") {
  const filler = Uint8Array.from({ length: bytes }, (_, n) => (n * 2_654_435_761) >>> 13);
  return {
    name,
    bytes: zipSync(
      {
        "index.html": strToU8(`<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>`),
        "film.bin": filler,
      },
      { level: 0 },
    ),
  };
}

/** A web page that uses the variables of its course and shows the value of `rating`. */
export const variablePackage = (name = "variables.zip") => ({
  name,
  bytes: zipSync({
    "index.html": strToU8(
      head(`<script src="/lyceum.js"></script><p id="rating"></p><p id="changes"></p><script>
const show = () => { document.getElementById('rating').textContent = JSON.stringify(Lyceum.get('rating')) }
Lyceum.on('change', ({ key, value, previous }) => {
  const change = key + ':' + JSON.stringify(previous) + '>' + JSON.stringify(value) + ' '
  document.getElementById('changes').textContent += change
  show()
})
show()
</script>`),
    ),
  }),
});
