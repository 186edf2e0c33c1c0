import { TextInput, type TextInputProps, UnstyledButton } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";

/** A password field with a button that shows what was typed; the button can be reached with the keyboard. */
export function Password(props: TextInputProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const Eye = shown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      type={shown ? "text" : "password"}
      name="password"
      spellCheck={false}
      autoCapitalize="none"
      rightSection={
        <UnstyledButton
          className={classes.eye}
          aria-label={t("auth.login.show")}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Eye size={20} stroke={1.6} />
        </UnstyledButton>
      }
    />
  );
}
