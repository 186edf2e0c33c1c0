import { SHELL_READY, type ShellSession, SHELL_CONNECT } from "#shared/shell.ts";
import { startShell } from "#web/shell/shell.ts";

// The page on the content origin. It waits for the application page, and only for that one: the origin is written into
// this page by the server, and the message must come from the window that frames us.

const { app, files } = document.documentElement.dataset as { app: string; files: string };

function greet(event: MessageEvent) {
  if (event.origin !== app || event.source !== window.parent || event.data?.hello !== SHELL_CONNECT) return;
  const [port] = event.ports;
  if (!port) return;
  window.removeEventListener("message", greet);
  void startShell(port, event.data.session as ShellSession, files);
}

window.addEventListener("message", greet);
window.parent.postMessage({ hello: SHELL_READY }, app);
