import { TextInput, type TextInputProps, UnstyledButton } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";

/** A password field with a keyboard-accessible button to show the password. */
export function Password(props: TextInputProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  const Eye = isVisible ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      type={isVisible ? "text" : "password"}
      name={props.name ?? "password"}
      spellCheck={false}
      autoCapitalize="none"
      rightSection={
        <UnstyledButton
          className={classes.eye}
          aria-label={t("auth.login.show")}
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        >
          <Eye size={20} stroke={1.6} />
        </UnstyledButton>
      }
    />
  );
}
