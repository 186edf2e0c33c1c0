import { Button, Switch } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { academy } from "#web/core/academy/academy.ts";
import { type Decision, hasGpc } from "#web/core/session/consentDecision.ts";
import classes from "#web/privacy/CookieBanner.module.css";
import { CATEGORIES, type Category } from "#shared/consent/consent.ts";
import { type Preferences } from "#shared/consent/consentPreferences.ts";
import { initialToggle, listServices, recordingService } from "#shared/consent/consentServices.ts";

type Props = {
  opened: boolean;
  choice: Decision | null;
  onCancel: () => void;
  onSave: (preferences: Preferences) => void;
};

/** Second layer of the consent: categories with their services. Escape cancels; the focus returns to Customize. */
export function CookieDialog({ opened, choice, onCancel, onSave }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onCancel}
      size={540}
      title={
        <span tabIndex={-1} data-autofocus style={{ outline: "none" }}>
          {t("consent.dialog.title")}
        </span>
      }
    >
      <PreferencesForm choice={choice} onCancel={onCancel} onSave={onSave} />
    </Dialog>
  );
}

function PreferencesForm({ choice, onCancel, onSave }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const gpc = hasGpc();
  const { strict = false, recordsPages = false } = academy.get()?.consent ?? {};
  const start = { strict, gpc, list: listServices(recordsPages) };
  const [preferences, setPreferences] = useState<Preferences>(
    () =>
      choice?.preferences ?? {
        essential: true,
        analytical: initialToggle("analytical", start),
        functional: initialToggle("functional", start),
        targeting: initialToggle("targeting", start),
      },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave(preferences);
      }}
    >
      {CATEGORIES.map((name) => (
        <div key={name} className={classes.row}>
          <div className={classes.rowHead}>
            <div>
              <span id={`cookies-${name}`} className={classes.rowName}>
                {t(`consent.dialog.${name}`)}
              </span>
              <p id={`cookies-${name}-text`} className={classes.rowText}>
                {t(`consent.dialog.${name}Text`)}
              </p>
            </div>
            {name === "essential" ? (
              <span className={classes.always}>
                <IconLock size={16} stroke={1.7} aria-hidden />
                {t("consent.dialog.alwaysOn")}
              </span>
            ) : (
              <Switch
                size="md"
                aria-labelledby={`cookies-${name}`}
                aria-describedby={`cookies-${name}-text`}
                checked={preferences[name]}
                onChange={(event) => setPreferences({ ...preferences, [name]: event.currentTarget.checked })}
              />
            )}
          </div>
          {name === recordingService.category && academy.get()?.consent.recordsPages && (
            <p className={classes.rowText}>{recordingService.purpose}.</p>
          )}
          <CategoryServices category={name} />
          {name === "targeting" && gpc && <p className={classes.gpc}>{t("consent.dialog.gpc")}</p>}
        </div>
      ))}
      <DialogFooter>
        <Button variant="default" onClick={onCancel}>
          {t("consent.dialog.cancel")}
        </Button>
        <Button type="submit">{t("consent.dialog.save")}</Button>
      </DialogFooter>
    </form>
  );
}

/** Purpose, lifetime, recipient, and names of cookies and stores, of each service in a category. */
function CategoryServices({ category: name }: { category: Category }) {
  const { t } = useTranslation();
  const list = listServices(academy.get()?.consent.recordsPages ?? false).filter(
    (service) => service.category === name,
  );
  if (list.length === 0) return <p className={classes.rowText}>{t("consent.dialog.nothing")}</p>;
  return (
    <details className={classes.details}>
      <summary>
        {t("consent.dialog.details")}
        <span className="ly-hidden">: {t(`consent.dialog.${name}`)}</span>
      </summary>
      <ul>
        {list.map(({ id, name: title, purpose, lifetime, recipient, keys }) => (
          <li key={id}>
            <strong>{title}</strong>
            {purpose}.
            <span className={classes.facts}>
              {keys.length > 0 && `${t("consent.dialog.keys", { keys: keys.join(", ") })}. `}
              {t("consent.dialog.lifetime", { lifetime })}. {t("consent.dialog.recipient", { recipient })}.
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
