import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#server/core/config.ts";

const folder = join(import.meta.dirname, "../../dist/shell");

/**
 * The page on the content origin that provides the SCORM API and frames the package. Its policy allows framing by the
 * application only, frames of its own origin only, and no script but the shell: packages are on the same origin, so
 * `'self'` would allow their scripts too.
 */
export function renderShellPage(
  { publicUrl: appOrigin, contentOrigin }: Pick<Config, "publicUrl" | "contentOrigin">,
  grant: string,
) {
  const script = existsSync(folder) ? readdirSync(folder).find((name) => /^shell-.*\.js$/.test(name)) : undefined;
  const policy = [
    "default-src 'none'",
    `script-src ${contentOrigin}/shell/`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${appOrigin}`,
  ].join("; ");
  const html = `<!doctype html>
<html lang="en" data-app="${appOrigin}" data-files="/files/${grant}/">
<head><meta charset="utf-8"><title>Course</title><meta name="viewport" content="width=device-width, initial-scale=1">
<style>html,body{margin:0;height:100%;overflow:hidden;background:#0b1f23}iframe{border:0;width:100%;height:100%;display:block;background:#fff}</style></head>
<body><script type="module" src="/shell/${script ?? "missing.js"}"></script></body>
</html>`;
  return { html, policy };
}
