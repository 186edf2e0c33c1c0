import { SHELL_CONNECT, SHELL_READY, type ShellSession } from "#shared/shell.ts";
import { startShell } from "#web/shell/shell.ts";

// Entry of the player shell. Accepts a connection from the application page only: its origin is written into this page by
// the server, and the message must come from the parent window.

const { app, files } = document.documentElement.dataset as { app: string; files: string };

function onConnect(event: MessageEvent) {
  if (event.origin !== app || event.source !== window.parent || event.data?.hello !== SHELL_CONNECT) return;
  const [port] = event.ports;
  if (!port) return;
  window.removeEventListener("message", onConnect);
  void startShell(port, event.data.session as ShellSession, files);
}

window.addEventListener("message", onConnect);
window.parent.postMessage({ hello: SHELL_READY }, app);
