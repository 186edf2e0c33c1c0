import { colorsTuple, createTheme, type CSSVariablesResolver, type MantineThemeOverride } from "@mantine/core";
import { componentDefaults } from "#web/core/brand/componentDefaults.ts";
import { brandShades, hue, mix, readsAsError } from "#shared/settings/brandColors.ts";

// The Mantine theme: colour scales, semantic colours as CSS variables, and company colours

const tuple = (shades: string) => colorsTuple(shades.split(" ").map((hex) => `#${hex}`));

const colors = {
  aegean: tuple("EDF5F5 D8E9EA B0D3D6 82B9BF 559CA5 2F7F8A 1A6874 0F5763 0B4550 08343D"),
  saffron: tuple("FFF7E3 FCEBC0 F9DA8B F6C955 F2B72E DFA01A B97A08 8F5F0A 6E490C 50350B"),
  yellow: tuple("FFF7E3 FCEBC0 F9DA8B F6C955 F2B72E DFA01A B97A08 8F5F0A 6E490C 50350B"),
  gray: tuple("F6F8F7 EDF1F0 E0E6E4 CCD5D2 A8B4B1 7F8D89 5F6D69 45524E 2A3633 15201E"),
  dark: tuple("E4EBE9 C2CDCA 9AA8A4 6F7E7A 3D4B48 2E3A38 24302E 1B2524 141C1B 0E1514"),
  green: tuple("EFF6E9 DCEBD0 BCD8A5 97C176 74A94E 558D30 40751F 356319 294D14 1D380E"),
  red: tuple("FCF0ED F8DBD4 F0B5A8 E68C79 DA6650 C84A34 B03A26 932F1F 732418 551A11"),
  blue: tuple("EEF4FA D9E7F4 B3CFE9 89B3DB 5F95CA 3F79B3 2C6399 244F7B 1C3E61 142D47"),
};

const shadow = (y: number, blur: number, alpha: number) => `0 ${y}px ${blur}px rgb(8 52 61 / ${alpha})`;
const sans =
  "'Hanken Grotesk Variable', 'Until Hanken', 'Until Hanken on Android', system-ui, 'Segoe UI', Roboto, sans-serif";

export const theme = createTheme({
  colors,
  primaryColor: "aegean",
  primaryShade: { light: 7, dark: 5 },
  autoContrast: true,
  luminanceThreshold: 0.18,
  black: "#15201E",
  white: "#FFFFFF",
  fontFamily: sans,
  fontFamilyMonospace: "'Atkinson Hyperlegible Mono Variable', ui-monospace, Menlo, monospace",
  fontSizes: { xs: "13px", sm: "14.5px", md: "16px", lg: "18px", xl: "21px" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  headings: {
    fontFamily: sans,
    fontWeight: "640",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "28px", lineHeight: "1.2" },
      h2: { fontSize: "20px", lineHeight: "1.3" },
      h3: { fontSize: "16px", lineHeight: "1.4" },
      h4: { fontSize: "14px", lineHeight: "1.4" },
    },
  },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "40px" },
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "12px", xl: "18px" },
  defaultRadius: "md",
  shadows: {
    xs: shadow(1, 2, 0.06),
    sm: `${shadow(1, 2, 0.06)}, ${shadow(2, 8, 0.06)}`,
    md: shadow(4, 16, 0.1),
    lg: shadow(12, 32, 0.14),
    xl: shadow(24, 64, 0.2),
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: componentDefaults,
});

/** The eight chart colours in order of use; `chartPast` is for an earlier period. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `var(--ly-chart-${n})`);
export const chartPast = "#7F8D89";
/** Heat map colours, from low to high. */
export const heatColors = [0, 1, 2, 3].map((n) => `var(--ly-heat-${n})`);

/** Theme override for a company colour, which replaces the primary colour. */
export const brandTheme = (color?: string | null): MantineThemeOverride =>
  color ? { colors: { aegean: colorsTuple(brandShades(color).shades) }, other: { brand: color } } : {};

type Roles = Record<string, [light: string, dark: string]>;

const roles: Roles = {
  "--mantine-color-body": ["#F1F4F3", "#0E1514"],
  "--mantine-color-default": ["#FFFFFF", "#1B2524"],
  "--mantine-color-default-hover": ["#F6F8F7", "#24302E"],
  "--mantine-color-default-color": ["#15201E", "#E4EBE9"],
  "--mantine-color-default-border": ["#CCD5D2", "#3D4B48"],
  "--mantine-color-text": ["#15201E", "#E4EBE9"],
  "--mantine-color-dimmed": ["#566460", "#9AA8A4"],
  "--mantine-color-placeholder": ["#6B7975", "#8B9995"],
  "--mantine-color-anchor": ["#0F5763", "#82C6CD"],
  "--mantine-color-error": ["#B03A26", "#EE8F7C"],
  "--mantine-color-aegean-outline": ["var(--ly-link)", "var(--ly-link)"],
  "--mantine-color-aegean-light": ["var(--ly-bubble)", "var(--ly-active)"],
  "--mantine-color-aegean-light-hover": ["var(--ly-active)", "var(--ly-active)"],
  "--ly-sheet": ["#FFFFFF", "#161F1E"],
  "--ly-sunken": ["#F6F8F7", "#1B2524"],
  "--ly-link": ["#0F5763", "#82C6CD"],
  "--ly-line": ["#E0E6E4", "#28332F"],
  "--ly-line-strong": ["#CCD5D2", "#3D4B48"],
  "--ly-field": ["#7F8D89", "#6F7E7A"],
  "--ly-active": ["#DFEAEA", "#1C3438"],
  "--ly-active-text": ["#0B4550", "#BFE3E6"],
  "--ly-quote": ["#FCEBC0", "#4A3A10"],
  "--ly-focus": ["var(--mantine-primary-color-filled)", "var(--mantine-primary-color-filled)"],
  "--ly-bubble": ["#D8E9EA", "#1C3F46"],
  "--ly-pillar": ["#F2B72E", "#F2B72E"],
  "--ly-col-done": ["#0F5763", "#4FA9B4"],
  "--ly-col-todo": ["#CCD5D2", "#3D4B48"],
  "--ly-mark": ["#0F5763", "#2A7883"],
  "--ly-ok": ["#356319", "#A4CF7F"],
  "--ly-ok-bg": ["#EFF6E9", "#1E2A17"],
  "--ly-ok-dot": ["#558D30", "#74A94E"],
  "--ly-warn": ["#865707", "#F2C659"],
  "--ly-warn-bg": ["#FFF3D6", "#2F2610"],
  "--ly-warn-dot": ["#DFA01A", "#F2B72E"],
  "--ly-bad": ["#A33422", "#EE8F7C"],
  "--ly-bad-bg": ["#FCF0ED", "#341C16"],
  "--ly-bad-dot": ["#C84A34", "#DA6650"],
  "--ly-info": ["#244F7B", "#93BCE6"],
  "--ly-info-bg": ["#EEF4FA", "#182736"],
  "--ly-idle-dot": ["#A8B4B1", "#6F7E7A"],
  "--ly-chart-1": ["#0F5763", "#4FB3BF"],
  "--ly-chart-2": ["#C08410", "#F2B72E"],
  "--ly-chart-3": ["#8E2F1F", "#D96A58"],
  "--ly-chart-4": ["#5993CD", "#A8C6F5"],
  "--ly-chart-5": ["#5F9447", "#A9B84E"],
  "--ly-chart-6": ["#392C61", "#9A6BB8"],
  "--ly-chart-7": ["#EA5F93", "#F3CDC6"],
  "--ly-chart-8": ["#6B6C60", "#74807F"],
  "--ly-heat-0": ["#E0E6E4", "#28332F"],
  "--ly-heat-1": ["#82B9BF", "#1A6874"],
  "--ly-heat-2": ["#2F7F8A", "#4FA9B4"],
  "--ly-heat-3": ["#0B4550", "#B0D3D6"],
};

/**
 * Semantic colours derived from a company colour. If its hue is within 25° of saffron, the current column becomes
 * black; if it looks like an error, the focus ring does.
 */
function brandRoles(color: string, shades: readonly string[]): Roles {
  const shade = (n: number) => shades[n] as string;
  const onSheet = (share: number) => mix(shade(7), "#161f1e", share);
  const { lightLink, darkLink } = brandShades(color);
  const angle = hue(color);
  const nearSaffron = angle !== null && Math.abs(((angle - 42 + 540) % 360) - 180) <= 25;
  return {
    "--mantine-color-anchor": [lightLink, darkLink],
    "--ly-link": [lightLink, darkLink],
    "--ly-col-done": [shade(7), shade(4)],
    "--ly-active": [shade(1), onSheet(0.45)],
    "--ly-active-text": [shade(8), shade(1)],
    "--ly-bubble": [shade(1), onSheet(0.6)],
    ...(readsAsError(color) && { "--ly-focus": ["#15201E", "#E4EBE9"] as [string, string] }),
    ...(nearSaffron && { "--ly-pillar": ["#15201E", "#FFFFFF"] as [string, string] }),
  };
}

export const cssVariables: CSSVariablesResolver = ({ colors, other }) => {
  const brand = other.brand as string | undefined;
  const all = Object.entries(brand ? { ...roles, ...brandRoles(brand, colors.aegean ?? []) } : roles);
  return {
    variables: {},
    light: Object.fromEntries(all.map(([name, [light]]) => [name, light])),
    dark: Object.fromEntries(all.map(([name, [, dark]]) => [name, dark])),
  };
};
