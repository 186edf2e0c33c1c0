import { DEFAULT_THEME, type MantineTheme, mergeMantineTheme, mergeThemeOverrides } from "@mantine/core";
import { expect, test } from "vitest";
import { brandTheme, cssVariables, theme } from "#web/core/brand/theme.ts";
import { brandShades, contrast, readsAsError } from "#shared/settings/brandColors.ts";

const SHEET = { light: "#ffffff", dark: "#161f1e" };
const GROUND = { light: "#f1f4f3", dark: "#0e1514" };

/** The filled colour (buttons, focus rings) and the link colour of a company, in both schemes. */
function look(color: string) {
  const merged = mergeMantineTheme(DEFAULT_THEME, mergeThemeOverrides(theme, brandTheme(color))) as MantineTheme;
  const variables = cssVariables(merged);
  const shades = merged.colors.aegean as unknown as string[];
  return (["light", "dark"] as const).map((mode) => ({
    mode,
    fill: shades[mode === "light" ? 7 : 5] as string,
    link: variables[mode]["--ly-link"] as string,
  }));
}
function focusRing(color: string) {
  const merged = mergeMantineTheme(DEFAULT_THEME, mergeThemeOverrides(theme, brandTheme(color))) as MantineTheme;
  const { light, dark } = cssVariables(merged);
  return [light["--ly-focus"], dark["--ly-focus"]];
}
/** Every hue in strong and dull, dark and light. */
const colors = Array.from({ length: 72 }, (_, n) => n * 5).flatMap((angle) =>
  [
    [90, 45],
    [60, 30],
    [35, 60],
    [100, 25],
  ].map(([saturation, light]) => fromHsl(angle, (saturation as number) / 100, (light as number) / 100)),
);

function fromHsl(angle: number, saturation: number, light: number) {
  const channel = (n: number) => {
    const k = (n + angle / 30) % 12;
    return Math.round(255 * (light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

test("uses a red company colour, except around fields, where it looks like an error", () => {
  for (const red of ["#c80f2e", "#b03a26", "#932f1f", "#d40000"]) {
    expect([red, readsAsError(red), look(red)[0]?.fill]).toEqual([red, true, red]);
    expect(focusRing(red)).toEqual(["#15201E", "#E4EBE9"]);
  }
  for (const fine of ["#0f5763", "#6e490c", "#b35900", "#8e2f6b", "#3a2420", "#15201e", "#244f7b"]) {
    expect([fine, readsAsError(fine)]).toEqual([fine, false]);
    expect(focusRing(fine)).toEqual(Array(2).fill("var(--mantine-primary-color-filled)"));
  }
});

test("changes a company colour no further than contrast demands", () => {
  for (const color of colors) {
    const { light, dark } = brandShades(color);
    if (contrast("#ffffff", color) >= 4.5) expect([color, light]).toEqual([color, color]);
    else expect([color, contrast("#ffffff", light) < 4.75]).toEqual([color, true]);
    if (contrast("#ffffff", color) >= 4.5 && contrast(SHEET.dark, color) >= 3)
      expect([color, dark]).toEqual([color, color]);
  }
});

test("keeps a contrast of 4.5 on buttons and links for every company colour", () => {
  const weak = colors.flatMap((color) =>
    look(color).flatMap(({ mode, fill, link }) => {
      const pairs = {
        button: contrast("#ffffff", fill),
        sheet: contrast(link, SHEET[mode]),
        ground: contrast(link, GROUND[mode]),
      };
      return Object.entries(pairs)
        .filter(([, ratio]) => ratio < 4.5)
        .map(([name, ratio]) => `${color} ${mode} ${name} ${ratio.toFixed(2)}`);
    }),
  );
  expect(weak).toEqual([]);
});
