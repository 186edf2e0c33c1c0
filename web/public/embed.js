// Puts a chatbot on a page: <script src="https://academy.example/embed.js" data-chatbot="ID" async></script>
// Optional: data-label, the name of the button; data-color, its colour. The origin of the page must be allowed in the
// chatbot.
(() => {
  const script = document.currentScript;
  const id = script && script.dataset.chatbot;
  if (!id) return;
  const origin = new URL(script.src).origin;
  const label = script.dataset.label || "Chat";
  let frame = null;

  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.setAttribute("aria-expanded", "false");
  button.style.cssText =
    "position:fixed;right:20px;bottom:20px;z-index:2147483000;" +
    "min-height:48px;padding:0 20px;border:0;border-radius:24px;" +
    "color:#fff;font:600 16px/1.2 system-ui,sans-serif;cursor:pointer;box-shadow:0 4px 16px rgb(0 0 0 / 20%)";
  button.style.backgroundColor = script.dataset.color || "#0f5763";

  const place = () => {
    const isNarrow = innerWidth < 520;
    frame.style.cssText =
      "position:fixed;z-index:2147483000;border:0;background:#fff;color-scheme:normal;" +
      (isNarrow
        ? "inset:0;width:100%;height:100%;"
        : "right:20px;bottom:80px;width:400px;height:min(640px,calc(100vh - 100px));" +
          "border-radius:12px;box-shadow:0 12px 32px rgb(0 0 0 / 24%);");
  };
  const toggle = (isOpen) => {
    if (isOpen && !frame) {
      frame = document.createElement("iframe");
      frame.src = `${origin}/chatbot/${encodeURIComponent(id)}?embed=1`;
      frame.title = label;
      frame.allow = "clipboard-write";
      document.body.append(frame);
      addEventListener("resize", () => frame.style.display !== "none" && place());
    }
    if (frame && isOpen) {
      place();
      frame.focus();
    } else if (frame) {
      frame.style.display = "none";
      button.focus();
    }
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => toggle(button.getAttribute("aria-expanded") !== "true"));
  addEventListener("message", (event) => {
    const isOurs = event.origin === origin && frame && event.source === frame.contentWindow;
    if (isOurs && event.data === "lyceum:close") toggle(false);
  });
  document.body.append(button);
})();
