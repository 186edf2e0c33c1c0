import type { MantineThemeOverride } from "@mantine/core";
import type { MouseEvent } from "react";

const size = { defaultProps: { size: "sm" } };
const chart = {
  gridAxis: "x",
  strokeDasharray: "0",
  tickLine: "none",
  gridColor: "var(--ly-line)",
  textColor: "dimmed",
};

/**
 * Moves the focus to the menu button: a dialog opened by a menu item returns the focus there, because the item is gone
 * by then.
 */
function returnFocusToMenuButton({ currentTarget, target }: MouseEvent<HTMLElement>) {
  const isItem = (target as Element).closest('[role^="menuitem"]')?.getAttribute("role") === "menuitem";
  if (isItem)
    document.getElementById(currentTarget.getAttribute("aria-labelledby") ?? "")?.focus({ preventScroll: true });
}

/** Longer lists show only this many options until something is typed. The number of time zones is below it. */
export const MAX_SHOWN_CHOICES = 500;
/** A list opens on a click, an arrow key or typing, but not when a dialog puts the focus on the field. */
const typed = { defaultProps: { ...size.defaultProps, openOnFocus: false } };
const choices = { defaultProps: { ...typed.defaultProps, limit: MAX_SHOWN_CHOICES } };

/** Default props of Mantine components; styles are in theme.css. */
export const componentDefaults: MantineThemeOverride["components"] = {
  Button: size,
  ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 36 } },
  TextInput: size,
  PasswordInput: size,
  NumberInput: size,
  Textarea: size,
  Select: choices,
  MultiSelect: choices,
  TagsInput: typed,
  Autocomplete: typed,
  NativeSelect: size,
  ColorInput: size,
  FileInput: size,
  DateInput: size,
  DatePickerInput: size,
  Checkbox: { defaultProps: { size: "xs", radius: "sm" } },
  Radio: size,
  Switch: size,
  Anchor: { defaultProps: { underline: "hover" } },
  Table: { defaultProps: { verticalSpacing: 10, horizontalSpacing: 12, highlightOnHover: true } },
  Menu: {
    defaultProps: {
      shadow: "md",
      withInitialFocusPlaceholder: false,
      transitionProps: { duration: 180, transition: "pop" },
    },
  },
  MenuDropdown: { defaultProps: { onClickCapture: returnFocusToMenuButton } },
  Modal: {
    defaultProps: {
      centered: true,
      radius: "lg",
      padding: 26,
      shadow: "xl",
      overlayProps: { color: "#08343D", backgroundOpacity: 0.45 },
    },
  },
  // Mantine uses header elements, which assistive technology would take for the banner of the page.
  ModalHeader: { defaultProps: { role: "presentation" } },
  DrawerHeader: { defaultProps: { role: "presentation" } },
  Drawer: { defaultProps: { shadow: "xl", overlayProps: { color: "#08343D", backgroundOpacity: 0.45 } } },
  Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
  Badge: { defaultProps: { variant: "light", radius: "sm", tt: "none" } },
  Notification: { defaultProps: { radius: "lg" } },
  AreaChart: { defaultProps: { ...chart, strokeWidth: 2, fillOpacity: 0.12, withDots: false, curveType: "monotone" } },
  LineChart: { defaultProps: { ...chart, strokeWidth: 2.5, curveType: "linear" } },
  BarChart: { defaultProps: { ...chart, maxBarWidth: 22, barProps: { radius: [11, 11, 0, 0] } } },
};
