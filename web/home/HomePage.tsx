import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { academy } from "#web/core/academy/academy.ts";
import { Arcade } from "#web/core/brand/Arcade.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { UpcomingEvents } from "#web/events/public/UpcomingEvents.tsx";
import classes from "#web/home/HomePage.module.css";

/** The public home page with the texts and colours of the academy. */
export function HomePage() {
  const { t } = useTranslation();
  const { name = t("core.product"), headline, tagline, about } = academy.use() ?? {};
  const steps = [
    [t("web.home.step1"), t("web.home.step1Text")],
    [t("web.home.step2"), t("web.home.step2Text")],
    [t("web.home.step3"), t("web.home.step3Text")],
  ];
  const offers = [
    [t("web.home.offer1"), t("web.home.offer1Text")],
    [t("web.home.offer2"), t("web.home.offer2Text")],
    [t("web.home.offer3"), t("web.home.offer3Text")],
  ];
  return (
    <>
      <div className={classes.top}>
        <Heading title={t("web.home.title")} className={classes.headline}>
          {headline || t("web.home.headline")}
        </Heading>
        <div>
          <p className={classes.lead}>{tagline || t("web.home.lead")}</p>
          <div className={classes.buttons}>
            <Button component={Link} to="/register" size="md">
              {t("web.home.enterCode")}
            </Button>
            <Button component={Link} to="/login" size="md" variant="default">
              {t("bar.login")}
            </Button>
          </div>
        </div>
      </div>
      <Arcade />
      <UpcomingEvents />
      {about && (
        <section className={classes.about} aria-labelledby="about">
          <h2 id="about">{t("web.home.about", { name })}</h2>
          <div>
            {about.split(/\n{2,}/).map((paragraph, index) => (
              <p key={index}>{paragraph}</p>
            ))}
          </div>
        </section>
      )}
      <section className={classes.steps} aria-labelledby="steps">
        <h2 id="steps">{t("web.home.steps")}</h2>
        <ol>
          {steps.map(([title, text], index) => (
            <li key={title}>
              <span className={classes.number} aria-hidden>
                {index + 1}
              </span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className={classes.offers} aria-labelledby="offers">
        <h2 id="offers">{t("web.home.offers")}</h2>
        <ul>
          {offers.map(([title, text]) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
