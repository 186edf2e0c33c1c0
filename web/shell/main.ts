import { type ReviewSession, SHELL_CONNECT, SHELL_READY, type ShellSession } from "#shared/player/shell.ts";
import { startReview } from "#web/shell/review.ts";
import { startShell } from "#web/shell/shell.ts";

// Entry of the player shell. Accepts a connection from the application page only: its origin is written into this page
// by the server, and the message must come from the parent window.

const { app, files } = document.documentElement.dataset as { app: string; files: string };

function onConnect(event: MessageEvent) {
  if (event.origin !== app || event.source !== window.parent || event.data?.hello !== SHELL_CONNECT) return;
  const [port] = event.ports;
  if (!port) return;
  window.removeEventListener("message", onConnect);
  if (event.data.review) void startReview(port, event.data.review as ReviewSession, files);
  else void startShell(port, event.data.session as ShellSession, files);
}

window.addEventListener("message", onConnect);
window.parent.postMessage({ hello: SHELL_READY }, app);
