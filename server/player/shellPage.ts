import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#server/core/config.ts";

const folder = join(import.meta.dirname, "../../dist/shell");

/** The file of an entry of the build. Before the first build, a name of no file. */
const findScript = (entry: "shell" | "viewer") =>
  (existsSync(folder) ? readdirSync(folder) : []).find(
    (name) => name.startsWith(`${entry}-`) && name.endsWith(".js"),
  ) ?? "missing.js";

/**
 * The sandbox of all pages of the content origin: they cannot navigate the tab, and windows that they open inherit it.
 * It is set by their policy instead of on the frame, because browsers warn about the latter, and because it then also
 * applies if a package replaces the shell with its own page.
 */
export const SANDBOX = {
  play: "sandbox allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads",
  review: "sandbox allow-scripts allow-same-origin allow-forms",
  viewer: "sandbox allow-scripts allow-same-origin",
};

/** A content security policy that allows only these directives, and framing by the application. */
const policyOf = (appOrigin: string, directives: string[]) =>
  ["default-src 'none'", ...directives, "base-uri 'none'", "form-action 'none'", `frame-ancestors ${appOrigin}`].join(
    "; ",
  );

/**
 * The page on the content origin that provides the SCORM API and frames the package. Its policy allows framing by the
 * application only, frames of its own origin only, and no script but the shell: packages are on the same origin, so
 * `'self'` would allow their scripts too.
 */
export function renderShellPage(
  { publicUrl: appOrigin, contentOrigin }: Pick<Config, "publicUrl" | "contentOrigin">,
  grant: string,
  isReview: boolean,
) {
  const policy = policyOf(appOrigin, [
    isReview ? SANDBOX.review : SANDBOX.play,
    `script-src ${contentOrigin}/shell/`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "frame-src 'self'",
  ]);
  const html = `<!doctype html>
<html lang="en" data-app="${appOrigin}" data-files="/files/${grant}/">
<head><meta charset="utf-8"><title>Course</title><meta name="viewport" content="width=device-width, initial-scale=1">
<style>html,body{margin:0;height:100%;overflow:hidden;background:#0b1f23}
iframe{border:0;width:100%;height:100%;display:block;background:#fff}</style></head>
<body><script type="module" src="/shell/${findScript("shell")}"></script></body>
</html>`;
  return { html, policy };
}

/**
 * The page on the content origin that shows a recording. Frames that it creates inherit its policy: no script but its
 * own, no network, and images, styles and fonts only from the package of the session. `grant` is that of a review.
 */
export function renderViewerPage(
  { publicUrl: appOrigin, contentOrigin }: Pick<Config, "publicUrl" | "contentOrigin">,
  grant: string,
) {
  const script = findScript("viewer");
  const files = `${contentOrigin}/files/${grant}/`;
  const policy = policyOf(appOrigin, [
    SANDBOX.viewer,
    `script-src ${contentOrigin}/shell/${script}`,
    `style-src 'unsafe-inline' ${files}`,
    `img-src data: ${files}`,
    `font-src ${files}`,
    "connect-src 'none'",
    "frame-src 'none'",
  ]);
  const html = `<!doctype html>
<html lang="en" data-app="${appOrigin}" data-files="/files/${grant}/">
<head><meta charset="utf-8"><title>Recording</title><meta name="viewport" content="width=device-width, initial-scale=1">
<style>html,body{margin:0;height:100%;overflow:hidden;background:#e9eeed}
.replayer-wrapper{position:absolute;left:50%;top:0;transform-origin:0 0;background:#fff}
.replayer-wrapper iframe{border:0;display:block}
.replayer-mouse{position:absolute;z-index:1;width:22px;height:22px;margin:-11px 0 0 -11px;border-radius:50%;
background:rgb(0 98 104/.35);box-shadow:0 0 0 2px rgb(0 98 104/.7);pointer-events:none;
transition:left 80ms linear,top 80ms linear}
.replayer-mouse.active{background:rgb(242 183 46/.75)}</style></head>
<body><script type="module" src="/shell/${script}"></script></body>
</html>`;
  return { html, policy };
}
