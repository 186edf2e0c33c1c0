import type { CSSProperties } from "react";
import { Logo } from "#web/core/brand/Logo.tsx";
import layout from "#web/core/layout/Layout.module.css";
import bar from "#web/core/layout/navigation/NavigationBar.module.css";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import sidebar from "#web/core/layout/navigation/Sidebar.module.css";

/**
 * What signed-in users see until the scripts run: bar, sidebar and sheet where `Layout` will have them, without
 * content. Rendered on the server; `start.js` sets `--ly-side` for a collapsed sidebar.
 */
export const LayoutSkeleton = () => (
  <div className={layout.layout} style={{ "--side": "var(--ly-side, 228px)" } as CSSProperties} data-signed-in>
    <header className={bar.bar} data-sheet>
      <div className={bar.links}>
        <span className={bar.title}>
          <Logo size={26} />
        </span>
      </div>
    </header>
    <div className={sidebar.sidebar} />
    <main className={layout.sheet}>
      <div className={layout.page}>
        <PageSkeleton />
      </div>
    </main>
  </div>
);
