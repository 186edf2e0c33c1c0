import type { ReactNode } from "react";
import classes from "#web/auth/AuthFrame.module.css";
import { Footer } from "#web/core/layout/Footer.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { SignInArtwork } from "#web/core/brand/SignInArtwork.tsx";

/** Login and registration, below the navigation bar: form on the left, artwork on the right (hidden below 900 px). */
export function AuthFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  // Within the layout for signed-in people, which has `main` and footer.
  if (useUser())
    return (
      <div className={classes.inside}>
        <Heading>{title}</Heading>
        <p className={classes.lead}>{lead}</p>
        {children}
      </div>
    );
  return (
    <div className={classes.frame}>
      <div className={classes.half}>
        <main id="content" tabIndex={-1} className={classes.main}>
          <Heading>{title}</Heading>
          <p className={classes.lead}>{lead}</p>
          {children}
        </main>
        <div className={classes.foot}>
          <Footer />
        </div>
      </div>
      <div className={classes.artwork}>
        <SignInArtwork />
      </div>
    </div>
  );
}
